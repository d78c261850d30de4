/**
 * The form to change several items at once. Each ticked item is a field with its number: a page of the list
 * has 20, and after an error those that were ticked stay, also when the list has others by then.
 */
import { defineForm, type FilledForm } from 'seeother';
import { buttonField, hiddenField, textField } from 'seeother/fields';
import { MAX_LOCATION_LENGTH, MAX_TAG_LENGTH } from '../item-limits.ts';
import { PAGE_SIZE } from '../item-list.ts';
import { parseNumber } from '../parse-number.ts';

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
export type RowName = `row_${'' | '1' | '2' | '3'}${Digit}`;

export const ROWS: readonly RowName[] = Array.from(
  { length: 2 * PAGE_SIZE },
  (_, index) => `row_${index}` as RowName,
);

const rows = Object.fromEntries(
  ROWS.map((name) => [name, hiddenField({ inDraft: 'alone' })]),
) as Readonly<Record<RowName, ReturnType<typeof hiddenField>>>;

export const selectionForm = defineForm({
  ...rows,
  /** The hash of all items that match, instead of ticked ones; see matching-items.ts. */
  matching: hiddenField(),
  location: textField({
    label: 'New location',
    // See suggestions.ts.
    attributes: { list: 'locations' },
    maxLength: MAX_LOCATION_LENGTH,
  }),
  tag: textField({
    label: 'Tag',
    attributes: { list: 'known-tags' },
    maxLength: MAX_TAG_LENGTH,
    pattern: { matches: /^[^,]*$/, message: 'Tag must not have a comma: add one at a time' },
  }),
  button: buttonField({
    buttons: [
      { value: 'move', label: 'Move' },
      { value: 'tag', label: 'Add tag' },
      { value: 'untag', label: 'Remove tag' },
      { value: 'delete', label: 'Delete' },
    ],
  }),
});

export type SelectionFields = typeof selectionForm.fields;

/** The numbers of the ticked items. What is no number is left out. */
export function tickedNumbers(text: FilledForm<SelectionFields>['text']): readonly number[] {
  return [...new Set(ROWS.flatMap((name) => parseNumber(text[name]) ?? []))];
}
