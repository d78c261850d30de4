/** Text for a terminal: aligned columns, with colour in a terminal. */
import { stripVTControlCharacters, styleText } from 'node:util';

/** Aligned columns; the last one is not padded. Cells may contain colour codes. */
export function toColumns(rows: readonly (readonly string[])[], gap = 2): readonly string[] {
  const widths = rows.reduce<readonly number[]>(
    (widest, row) =>
      Array.from({ length: Math.max(widest.length, row.length) }, (_, column) =>
        Math.max(widest[column] ?? 0, widthOf(row[column] ?? '')),
      ),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell) + gap))
      .join('')
      .trimEnd(),
  );
}

/** Without colour codes. */
function widthOf(cell: string): number {
  return [...stripVTControlCharacters(cell)].length;
}

export type Style = 'bold' | 'dim' | 'green' | 'red';

/** Whether standard output is a terminal with colour, and NO_COLOR is not set. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}
