/** The header that says whether a browser saves a file or shows it, and under which name (RFC 6266). */

/** Without a name, a browser takes the end of the address. */
export function toDisposition(kind: 'attachment' | 'inline', name: string | null): string {
  return name === null ? kind : `${kind}; ${toFileName(name)}`;
}

/** RFC 6266 and RFC 8187: once for everybody, and once for the clients that read more than ASCII. */
function toFileName(name: string): string {
  const plain = name.replaceAll(/[^ !#-&(-[\]-~]/g, '_');
  // Some browsers decode percent escapes in it.
  if (plain === name && !name.includes('%')) return `filename="${plain}"`;
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
}
