/** What stands on a label, and how a text is cut into the lines that it has room in. */
import type { Item } from '../item-rows.ts';
import type { LabelText } from './label-form.ts';

/** The texts below the name, as they were chosen; without those that the thing does not have. */
export function labelTexts(item: Item, texts: readonly LabelText[]): readonly string[] {
  return texts
    .map((name) => (name === 'number' ? `No. ${item.number}` : item[name]))
    .filter((text) => text !== '');
}

/**
 * The text in at most `max` lines of the width, broken between words, or within one that is too long. What does not fit
 * ends in “…”.
 */
export function fitLines(
  text: string,
  { width, max, measure }: { width: number; max: number; measure: (text: string) => number },
): readonly string[] {
  const lines: string[] = [];
  let rest = text.replaceAll(/\s+/gu, ' ').trim();
  while (rest !== '' && lines.length < max) {
    if (measure(rest) <= width) return [...lines, rest];
    const isLast = lines.length === max - 1;
    const letters = Array.from(rest);
    const fits = (count: number) =>
      measure(letters.slice(0, count).join('').trimEnd() + (isLast ? '…' : '')) <= width;
    let count = 1;
    while (count < letters.length && fits(count + 1)) count++;
    const line = letters.slice(0, count).join('');
    if (isLast) return [...lines, `${line.trimEnd()}…`];
    // Before the last space; a space that follows is one, too.
    const space = letters[count] === ' ' ? count : line.lastIndexOf(' ');
    const cut = space > 0 ? Array.from(line.slice(0, space)).length : count;
    const end = letters[count] === ' ' ? count : cut;
    lines.push(letters.slice(0, end).join('').trimEnd());
    rest = letters.slice(end).join('').trimStart();
  }
  return lines;
}
