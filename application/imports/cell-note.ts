/** What is said of a cell: how it was read, or why it was refused. */

/** Says something of a cell. Notes of the same kind have the same `column` and `message`. */
export interface CellNote {
  /** The heading; empty for the whole row. */
  readonly column: string;
  /** The text of the cell, cut; may be empty. */
  readonly cell: string;
  /** Without a full stop. */
  readonly message: string;
}

/** “3,00”: read as 3. */
export function describeNote({ column, cell, message }: CellNote): string {
  const where = [column, cell === '' ? '' : `“${cell}”`].filter((one) => one !== '').join(' ');
  return where === '' ? message : `${where}: ${message}`;
}

/** Characters of a cell in a message. */
const MAX_SHOWN = 40;
/** Most cells. */
const SHORT = /^[ -~]{0,40}$/;

export function cutCell(text: string): string {
  if (SHORT.test(text)) return text.trim();
  const shown = text.replaceAll(/\p{Cc}+/gu, ' ').trim();
  const characters = [...shown.slice(0, 4 * MAX_SHOWN)];
  if (characters.length <= MAX_SHOWN) return shown;
  return `${characters.slice(0, MAX_SHOWN).join('')}…`;
}
