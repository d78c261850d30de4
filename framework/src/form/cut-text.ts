/**
 * How much of what a client has typed one page gives back. Escaping makes text up to six times as
 * long, so without a bound a large form becomes a page of many megabytes.
 *
 * The texts of a page share the characters: only those longer than an equal share are cut.
 */

/** UTF-16 code units of typed text on one page. */
export const MOST_GIVEN_BACK = 65_536;

/** The length to which long texts must be cut so that all of them together fit. */
export function lengthToFit(texts: readonly string[]): number {
  const lengths = texts.map(({ length }) => length).sort((one, other) => one - other);
  let left = MOST_GIVEN_BACK;
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return MOST_GIVEN_BACK;
}

/** The beginning of the text, with no half of a surrogate pair at its end. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}
