/** The form to add an item, and the texts of an item in the fields that it shares with the form to change one. */
import { defineForm } from 'seeother';
import { buttonField } from 'seeother/fields';
import type { Items } from './item.ts';
import { type ItemInput, itemFields, mapFields, toText } from './item-fields.ts';
import { parseNumber } from './parse-number.ts';

export const itemForm = defineForm({
  ...itemFields,
  button: buttonField({
    buttons: [
      { value: 'save', label: 'Save item' },
      { value: 'another', label: 'Save and add another' },
    ],
  }),
});

export type ItemFields = typeof itemForm.fields;

export function toItemText(item: ItemInput) {
  return mapFields((name) => toText(name, item));
}

/**
 * The texts of the item that the query names: all of them, or for the next one that people add after `saved`, its place
 * and tags. Null if the query names none.
 */
export function fillLike(
  { find }: Pick<Items, 'find'>,
  query: URLSearchParams,
  name: 'like' | 'saved',
) {
  const number = parseNumber(query.get(name) ?? '');
  if (number === null) return null;
  return find(number).then((item) => {
    if (item === null) return {};
    const text = toItemText(item);
    return name === 'like' ? text : { location: text.location, tags: text.tags };
  });
}
