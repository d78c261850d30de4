/**
 * The form to change several items at once. Each item of the page is a field with its number, when it is ticked; those
 * that were ticked on other pages are one field.
 */
import { defineForm, type FilledForm } from 'seeother';
import { buttonField, hiddenField, textField } from 'seeother/fields';
import { MAX_LOCATION_LENGTH, MAX_TAG_LENGTH } from '../item-limits.ts';
import { borrowerField, dueFields } from '../lend/lend-form.ts';
import { SELECT_SIZE } from '../matching-items.ts';
import { parseNumber } from '../parse-number.ts';
import { readTicked } from '../ticked-numbers.ts';

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
export type RowName = `row_${'' | Exclude<Digit, '0'>}${Digit}`;

export const ROWS: readonly RowName[] = Array.from(
  { length: SELECT_SIZE },
  (_, index) => `row_${index}` as RowName,
);

const rows = Object.fromEntries(
  ROWS.map((name) => [name, hiddenField({ inDraft: 'alone' })]),
) as Readonly<Record<RowName, ReturnType<typeof hiddenField>>>;

export const selectionForm = defineForm({
  ...rows,
  /** What is ticked on other pages; see ticked-numbers.ts. */
  ticked: hiddenField({ inDraft: 'alone' }),
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
  to: textField(borrowerField),
  ...dueFields,
  /** What is typed for one does not stop the others. */
  button: buttonField({
    buttons: [
      { value: 'move', label: 'Move', checks: ['location'] },
      { value: 'tag', label: 'Add tag', checks: ['tag'] },
      { value: 'untag', label: 'Remove tag', checks: ['tag'] },
      { value: 'lend', label: 'Lend', checks: ['to', 'term', 'until'] },
      { value: 'return', label: 'Return', checks: ['to'] },
      { value: 'count', label: 'Count', checks: [] },
      { value: 'print', label: 'Print', checks: [] },
      { value: 'labels', label: 'Labels', checks: [] },
      { value: 'delete', label: 'Delete', checks: [] },
    ],
  }),
});

export type SelectionFields = typeof selectionForm.fields;

/** The numbers that are ticked on any page. What is no number is left out. */
export function tickedNumbers(text: FilledForm<SelectionFields>['text']): readonly number[] {
  const onPage = ROWS.flatMap((name) => parseNumber(text[name]) ?? []);
  return [...new Set([...readTicked(text.ticked), ...onPage])];
}
