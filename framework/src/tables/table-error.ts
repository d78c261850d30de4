/**
 * Why a table cannot be read at all, for the person who has pasted or chosen it. The message is in the language of the
 * page, without a full stop, as those of fields.
 */
export class TableError extends Error {
  override readonly name = 'TableError';
}
