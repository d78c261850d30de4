/**
 * Limits how much of a submitted form one page repeats. Escaping makes text up to six times as
 * long, so without a limit a large form becomes a page of many megabytes.
 *
 * The texts of a page share the limit: only those longer than an equal share are cut.
 */

/** UTF-16 code units of submitted text that one page repeats. */
export const MAX_ECHO_LENGTH = 65_536;

/** The length to cut longer texts to, so that all texts together fit into the limit. */
export function lengthToFit(texts: readonly string[]): number {
  const lengths = texts.map(({ length }) => length).sort((one, other) => one - other);
  let left = MAX_ECHO_LENGTH;
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return MAX_ECHO_LENGTH;
}

/** The beginning of the text, never ending within a surrogate pair. */
export function cutText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}
