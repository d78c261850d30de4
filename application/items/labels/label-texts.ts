/** What stands on a label, and how a text is cut into the lines that it has room in. */
import type { Href } from 'seeother';
import { fileHref, placePictureHref, shortItemHref, shortPlaceHref } from '../../links.ts';
import type { OwnField } from '../../own-fields/definitions.ts';
import { showOwnValue } from '../../own-fields/own-values.ts';
import { parsePicture } from '../item-files.ts';
import type { Item } from '../item-rows.ts';
import { isBuiltIn, type LabelText } from './label-form.ts';

export interface Label {
  /** The short address, without the origin of the site. */
  readonly path: string;
  readonly name: string;
  /** Below the name. */
  readonly texts: readonly string[];
  /** A square picture that is made: its address, and the id of its file. */
  readonly picture: { readonly src: Href; readonly file: number } | null;
}

/**
 * With the texts that were chosen, and then the fields of the team's own; without those that the thing does not have.
 * What is of another kind has none of them, even if it still has a value.
 */
export function labelOfItem(
  item: Item,
  texts: readonly LabelText[],
  fields: readonly OwnField[],
): Label {
  const { number, name, kind, own } = item;
  const builtIn = texts
    .filter(isBuiltIn)
    .map((text) => (text === 'number' ? `No. ${number}` : text === 'picture' ? '' : item[text]));
  const others = fields
    .filter(({ itemKind }) => itemKind === null || itemKind === kind)
    .map((field) => showOwnValue(field, own[field.id]));
  return {
    path: shortItemHref(number),
    name,
    texts: [...builtIn, ...others].filter((text) => text !== ''),
    picture: texts.includes('picture') ? pictureOf(item) : null,
  };
}

function pictureOf({ number, picture }: Item): Label['picture'] {
  const made = parsePicture(picture);
  if (made === null || typeof made === 'string') return null;
  return { src: fileHref(number, made.file, made.hash), file: made.file };
}

export interface LabelledPlace {
  readonly id: number;
  readonly name: string;
  /** “Cellar, shelf 2”. */
  readonly path: string;
  /** The id of its picture, and the hash of that of a list, once it is made. */
  readonly picture: number | null;
  readonly hash: string | null;
}

/** The location is the place that it is inside. */
export function labelOfPlace(
  { id, name, path, picture, hash }: LabelledPlace,
  texts: readonly LabelText[],
): Label {
  const outside = path.slice(0, -name.length).replace(/, $/, '');
  const own = { number: `Place ${id}`, location: outside, serial: '', code: '', picture: '' };
  return {
    path: shortPlaceHref(id),
    name,
    texts: texts
      .filter(isBuiltIn)
      .map((text) => own[text])
      .filter((text) => text !== ''),
    picture:
      picture === null || hash === null || !texts.includes('picture')
        ? null
        : { src: placePictureHref(id, hash), file: picture },
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
