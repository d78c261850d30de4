/** The forms of an import: the file, what its columns are, and the confirmation of what the preview showed. */
import { defineForm, type FormError } from 'seeother';
import { choiceField, fileField, hiddenField, rows } from 'seeother/fields';
import { ENCODINGS } from 'seeother/tables';
import { ITEM_FIELDS, itemFields } from '../items/item-fields.ts';
import { formatNumber } from '../site/format.ts';
import { type ColumnUse, nameColumn } from './columns.ts';
import { MAX_COLUMNS, MAX_ROWS } from './open-file.ts';
import { PLACE_CHOICES } from './read-location.ts';

/** In bytes. A million items exported are 144 MB. */
const MAX_SIZE = 32_000_000;

export const importForm = defineForm({
  file: fileField({
    label: 'File',
    hint: `A spreadsheet saved as CSV, with at most ${MAX_SIZE / 1e6} MB and ${formatNumber(MAX_ROWS)} rows.`,
    required: 'Choose a file',
    maxSize: MAX_SIZE,
    accept: ['.csv', '.txt', '.tsv', 'text/csv'],
  }),
});

const USES: readonly { readonly value: ColumnUse; readonly label: string }[] = [
  ...ITEM_FIELDS.map((value) => ({ value, label: itemFields[value].label })),
  { value: 'other name', label: 'Name of a thing without one' },
  { value: 'lent to', label: 'Who has it' },
  { value: 'lent until', label: 'Lent until' },
  { value: 'lent at', label: 'Lent since' },
  { value: 'lent quantity', label: 'How many are lent' },
  { value: 'reference', label: 'Reference' },
  { value: 'number', label: 'Item number' },
  { value: 'references', label: 'References of an export, a line each' },
  { value: 'added', label: 'When an export says it was added' },
  { value: 'archived', label: 'Archived: leave out rows with “yes”' },
  { value: 'in description', label: 'A line in the description' },
  { value: 'ignore', label: 'Nothing: leave it out' },
];

export function labelOf(use: ColumnUse): string {
  return USES.find(({ value }) => value === use)?.label ?? use;
}

export function isUse(text: string): text is ColumnUse {
  return USES.some(({ value }) => value === text);
}

/** A table has the names of its things, and each field has one column. */
export function checkUses(
  uses: readonly ColumnUse[],
  header: readonly string[],
): readonly FormError<ColumnsFields>[] {
  // A column without an answer would be left out of the import.
  if (uses.length !== header.length)
    return [{ field: null, message: 'The form does not have all columns of the file' }];
  const doubles = uses.flatMap((use, at): readonly FormError<ColumnsFields>[] => {
    const first = uses.indexOf(use);
    if (use === 'ignore' || use === 'in description' || first === at) return [];
    const message = `Only one column can be ${labelOf(use)}, and “${nameColumn(header[first] ?? '', first)}” is`;
    return [{ field: `columns.${at}.use`, message }];
  });
  if (uses.includes('name')) return doubles;
  const message = 'Choose “Name” for the column with the names of the things';
  return [{ field: 'columns.0.use', message }, ...doubles];
}

export const columnsForm = defineForm({
  /** Only for a file that is not in UTF-8. */
  encoding: choiceField({
    label: 'Encoding',
    hint: 'Choose another one if the words above are wrong. The next page shows the columns again.',
    choices: ENCODINGS,
  }),
  places: choiceField({
    label: 'What separates places inside places',
    choices: PLACE_CHOICES,
    default: ',',
  }),
  columns: rows({
    label: 'Columns',
    name: 'Column',
    max: MAX_COLUMNS,
    fixed: true,
    title: 'heading',
    fields: {
      heading: hiddenField(),
      use: choiceField({ label: 'Becomes', required: 'Choose what it becomes', choices: USES }),
    },
  }),
});

export const confirmForm = defineForm({
  /** The SHA-256 of the plan that the preview showed. */
  plan: hiddenField(),
  here: choiceField({
    label: 'Rows of things that are already here or twice in the file',
    required: 'Choose what to do with rows of things that are already here',
    choices: [
      { value: 'leave', label: 'Leave them out' },
      { value: 'update', label: 'Update the items' },
      { value: 'add', label: 'Add them all the same' },
    ],
    default: 'leave',
    as: 'radio',
  }),
  /** Nothing is chosen at first: a wrong guess would rename an item, or leave a thing out. */
  asked: choiceField({
    label: 'Rows with the reference or the number of an item that has another name',
    required: 'Choose what to do with rows of items with other names',
    choices: [
      { value: 'add', label: 'They are other things: add them' },
      { value: 'update', label: 'They are these items: change the items' },
      { value: 'leave', label: 'Leave them out' },
    ],
    as: 'radio',
  }),
});

export type ImportFields = typeof importForm.fields;
export type ConfirmFields = typeof confirmForm.fields;
export type ColumnsFields = typeof columnsForm.fields;
