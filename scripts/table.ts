/** Text for a terminal: aligned columns, and colour when somebody looks at it. */
import { stripVTControlCharacters, styleText } from 'node:util';

/** Lines of aligned columns; the last one is not padded. Cells may hold colour. */
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

/** Without what colours it. */
export function widthOf(cell: string): number {
  return [...stripVTControlCharacters(cell)].length;
}

export type Style = 'bold' | 'dim' | 'green' | 'red';

/** Coloured when standard output is a terminal that shows colour, and nobody has said NO_COLOR. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}
