/** Says what to write instead of percent escapes in the text of a pattern. */

/** Why text of a pattern cannot be written with percent escapes: it is compared with a decoded path. */
export function explainEscapes(escapes: string): string {
  const text = decodeText(escapes);
  if (text?.includes('/')) {
    return 'only a parameter takes an escaped slash; write "\\%" for a percent sign itself';
  }
  const remedy = text === null ? 'the character itself' : `"${text}"`;
  return `a path is decoded before it is matched; write ${remedy} instead of "${escapes}", or "\\%" for a percent sign itself`;
}

/** Null for bytes that are not UTF-8. */
function decodeText(escapes: string): string | null {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return null;
  }
}
