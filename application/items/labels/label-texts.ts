/** What stands on a label, and how a text is cut into the lines that it has room in. */
import { shortItemHref, shortPlaceHref } from '../../links.ts';
import type { Item } from '../item-rows.ts';
import type { LabelText } from './label-form.ts';

export interface Label {
  /** The short address, without the origin of the site. */
  readonly path: string;
  readonly name: string;
  /** Below the name. */
  readonly texts: readonly string[];
}

/** With the texts that were chosen; without those that the thing does not have. */
export function labelOfItem(item: Item, texts: readonly LabelText[]): Label {
  const chosen = texts.map((name) => (name === 'number' ? `No. ${item.number}` : item[name]));
  return {
    path: shortItemHref(item.number),
    name: item.name,
    texts: chosen.filter((text) => text !== ''),
  };
}

export interface LabelledPlace {
  readonly id: number;
  readonly name: string;
  /** “Cellar, shelf 2”. */
  readonly path: string;
}

/** The location is the place that it is inside. */
export function labelOfPlace(
  { id, name, path }: LabelledPlace,
  texts: readonly LabelText[],
): Label {
  const outside = path.slice(0, -name.length).replace(/, $/, '');
  const own = { number: `Place ${id}`, location: outside, serial: '', code: '' };
  return {
    path: shortPlaceHref(id),
    name,
    texts: texts.map((text) => own[text]).filter((text) => text !== ''),
  };
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
