/**
 * Cuts a list into pieces for one statement each: a statement has only so many parameters, and between
 * two of them other requests have their turn.
 */

/** Items or events per statement. */
const PIECE = 200;

export function* piecesOf<T>(list: readonly T[], size = PIECE): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
