/** Tables in Markdown, as the README files have them. */

/** The first columns are words, the others figures. */
export function toTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  words = 1,
): string {
  const alignment = head.map((_, at) => (at < words ? '---' : '--:'));
  return [head, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

export function format(value: number, digits: number): string {
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
