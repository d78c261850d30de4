/** The forms of an import: the file, what its columns are, and the confirmation of what the preview showed. */
import { defineForm, type FormError } from 'seeother';
import { choiceField, fileField, hiddenField, rows } from 'seeother/fields';
import { ENCODINGS } from 'seeother/tables';
import { itemFilesField } from '../items/files-field.ts';
import { ITEM_FIELDS, itemFields } from '../items/item-fields.ts';
import { NO_DEFINITIONS } from '../own-fields/definitions.ts';
import { findLabelProblem } from '../own-fields/label-rules.ts';
import type { OwnFieldKind } from '../own-fields/own-field.ts';
import { hasChoices } from '../own-fields/own-field.ts';
import { formatNumber } from '../site/format.ts';
import { type Columns, type ColumnUse, nameColumn } from './columns.ts';
import { findByLabel } from './field-labels.ts';
import type { FieldMaker } from './guess-fields.ts';
import { fieldIdOf, newKindOf } from './headings.ts';
import { MAX_COLUMNS, MAX_ROWS } from './open-file.ts';
import { toNewField } from './own-columns.ts';
import { CURRENCY_CODES } from './read-amount.ts';
import { PLACE_CHOICES } from './read-location.ts';
import { plainText } from './same-text.ts';
import { MAX_NEW_KINDS } from './value-kinds.ts';
import { MAX_ZIP } from './zip/read-zip.ts';

/** In bytes. A million items exported are 144 MB. */
const MAX_SIZE = 32_000_000;

/** For the files of one form: no other has more bytes. */
export const UPLOADS = { total: MAX_SIZE + MAX_ZIP };

export const importForm = defineForm({
  file: fileField({
    label: 'File',
    hint: `A spreadsheet saved as CSV, with at most ${MAX_SIZE / 1e6} MB and ${formatNumber(MAX_ROWS)} rows.`,
    maxSize: MAX_SIZE,
    accept: ['.csv', '.txt', '.tsv', 'text/csv'],
  }),
  photos: fileField({
    label: 'Zip with photos',
    hint: `With the file or alone: photos of the things, or an export of Homebox, with at most ${MAX_ZIP / 1e9} GB. Each photo has at most ${itemFilesField.maxSize / 1e6} MB.`,
    maxSize: MAX_ZIP,
    accept: ['.zip', 'application/zip'],
  }),
});

interface Use {
  readonly value: ColumnUse;
  readonly label: string;
  readonly group?: string;
}

const USES: readonly Use[] = [
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
  { value: 'photos', label: 'Names of its photos in the zip' },
  { value: 'in description', label: 'A line in the description' },
  { value: 'ignore', label: 'Nothing: leave it out' },
];

/** The kinds of a new field, as the page names them. */
export const FIELD_KINDS: Readonly<Record<OwnFieldKind, string>> = {
  text: 'text',
  'long text': 'long text',
  number: 'number',
  money: 'money',
  date: 'date',
  'yes or no': 'yes or no',
  choice: 'one of a few choices',
  choices: 'several choices',
  link: 'link',
  person: 'person',
};

const NEW_KINDS: Use = { value: 'kinds', label: 'Kind of thing: make new kinds' };

/** What a column can be, with the fields of the team, and with new ones for who may make them. */
function usesOf({ definitions, canMake }: FieldMaker): readonly Use[] {
  const { fields, kinds, allKinds } = definitions;
  const own = fields.map(({ name, label, itemKind }): Use => {
    const kind = allKinds.get(itemKind ?? 0)?.name;
    return { value: name, label: kind === undefined ? label : `${label} (${kind})` };
  });
  if (kinds.length > 0) own.unshift({ value: 'kind', label: 'Kind of thing' });
  const made = Object.entries(FIELD_KINDS).map(([kind, label]): Use => {
    return { value: `new ${kind as OwnFieldKind}`, label: `A new field: ${label}` };
  });
  const inGroup = (group: string, uses: readonly Use[]) => uses.map((use) => ({ ...use, group }));
  return [
    ...(canMake ? inGroup('New fields and kinds', [...made, NEW_KINDS]) : []),
    ...inGroup('Your fields', own),
    ...(canMake || own.length > 0 ? inGroup('All items', USES) : USES),
  ];
}

const EVERY_USE: FieldMaker = { definitions: NO_DEFINITIONS, canMake: true };

export function labelOf(use: ColumnUse, maker = EVERY_USE): string {
  return usesOf(maker).find(({ value }) => value === use)?.label ?? use;
}

export function isUse(text: string): text is ColumnUse {
  return (
    USES.some(({ value }) => value === text) ||
    text === 'kind' ||
    text === NEW_KINDS.value ||
    fieldIdOf(text) !== null ||
    Object.hasOwn(FIELD_KINDS, newKindOf(text) ?? '')
  );
}

/** A table has the names of its things, and each field has one column. */
export function checkUses(
  columns: Columns,
  maker: FieldMaker,
): readonly FormError<ColumnsFields>[] {
  const { header, uses } = columns;
  // A column without an answer would be left out of the import.
  if (uses.length !== header.length)
    return [{ field: null, message: 'The form does not have all columns of the file' }];
  const wrong = uses.flatMap((use, at): readonly FormError<ColumnsFields>[] => {
    const message =
      newKindOf(use) === null
        ? (findDouble(columns, at, use, maker) ?? findKindsProblem(columns, at, maker))
        : findFieldProblem(columns, at, maker);
    return message === null ? [] : [{ field: `columns.${at}.use`, message }];
  });
  if (uses.includes('name')) return wrong;
  const message = 'Choose “Name” for the column with the names of the things';
  return [{ field: 'columns.0.use', message }, ...wrong];
}

function findDouble(
  { header, uses }: Columns,
  at: number,
  use: ColumnUse,
  maker: FieldMaker,
): string | null {
  const first = uses.findIndex((one) => one === use || (isKind(one) && isKind(use)));
  if (use === 'ignore' || use === 'in description' || first === at) return null;
  return `Only one column can be ${labelOf(use, maker)}, and “${nameColumn(header[first] ?? '', first)}” is`;
}

function isKind(use: ColumnUse): boolean {
  return use === 'kind' || use === 'kinds';
}

/** Why kinds cannot be made of the column; null if they can, and for any other use. */
function findKindsProblem(
  { facts, uses }: Columns,
  at: number,
  { canMake }: FieldMaker,
): string | null {
  if (uses[at] !== 'kinds') return null;
  if (!canMake) return 'Only an administrator can make a kind of things';
  const { values = null } = facts[at] ?? {};
  return values === null || values.texts.length > 0
    ? null
    : `It has too many different texts, or long ones: an import makes up to ${MAX_NEW_KINDS} kinds`;
}

/** Why the column cannot be a new field; null if it can, and for any other use. */
function findFieldProblem(
  columns: Columns,
  at: number,
  { canMake, definitions }: FieldMaker,
): string | null {
  const kind = newKindOf(columns.uses[at]);
  if (kind === null) return null;
  if (!canMake) return 'Only an administrator can make a field';
  const field = toNewField(columns, at);
  if (field === null)
    return hasChoices(kind)
      ? 'It has too many different texts for choices: choose text, or make the field with its choices first'
      : 'It has no heading to name the field by';
  const first = columns.uses.findIndex((_, other) => {
    return (
      other < at && plainText(toNewField(columns, other)?.label ?? '') === plainText(field.label)
    );
  });
  // A field with the label is used.
  if (first === -1 && findByLabel(field.label, definitions) !== null) return null;
  if (first === -1) return findLabelProblem(field.label, null, definitions);
  return `“${nameColumn(columns.header[first] ?? '', first)}” becomes the field ${field.label}`;
}

/** The fields that exist, and whether others may be made, change with the team and with the account. */
export function toColumnsForm(maker: FieldMaker) {
  return defineForm({
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
    /** Only for a file with amounts. */
    currency: choiceField({ label: 'Currency', choices: CURRENCY_CODES, default: 'EUR' }),
    columns: rows({
      label: 'Columns',
      name: 'Column',
      max: MAX_COLUMNS,
      fixed: true,
      title: 'heading',
      fields: {
        heading: hiddenField(),
        use: choiceField({
          label: 'Becomes',
          required: 'Choose what it becomes',
          choices: usesOf(maker),
        }),
      },
    }),
  });
}

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
export type ColumnsFields = ReturnType<typeof toColumnsForm>['fields'];
