/**
 * The form to print labels: the sheet, where on it to begin, and what stands on a label. It leads to the page of the
 * labels, whose address has all of it. What was chosen is remembered for the account.
 */
import { defineForm, type FormValues } from 'seeother';
import {
  checkboxField,
  choiceGroup,
  choicesField,
  decimalField,
  wholeNumberField,
} from 'seeother/fields';
import type { Definitions } from '../../own-fields/definitions.ts';
import { distinctLabel } from '../../own-fields/label-rules.ts';
import type { OwnName } from '../../own-fields/own-field.ts';
import { formatNumber } from '../../site/format.ts';
import { isOwnName } from '../events/item-changes.ts';
import { FIELDS } from '../item-fields.ts';
import {
  findSheetProblem,
  MAX_COLUMNS,
  MAX_PAGE,
  MAX_ROWS,
  MIN_LABEL,
  SHEETS,
  type Sheet,
  type SheetName,
  type SheetProblem,
  writeOwnSheet,
} from './sheets.ts';

/** On all sheets together. */
export const MAX_LABELS = 1_000;
export const TOO_MANY = `At most ${formatNumber(MAX_LABELS)} labels can be made at once: choose fewer things, or fewer labels for each`;

const measure = (label: string, min: number, max: number) =>
  decimalField({ label, required: `Enter the ${label.toLowerCase()}`, min, max, step: 0.01 });
const count = (label: string, max: number) =>
  wholeNumberField({
    label,
    required: `Enter the ${label.toLowerCase()}`,
    min: 1,
    max,
    default: null,
  });

const own = {
  pageWidth: measure('Width of the page', MIN_LABEL, MAX_PAGE),
  pageHeight: measure('Height of the page', MIN_LABEL, MAX_PAGE),
  top: measure('Margin above the first label', 0, MAX_PAGE),
  left: measure('Margin left of the first label', 0, MAX_PAGE),
  columns: count('Number of columns', MAX_COLUMNS),
  rows: count('Number of rows', MAX_ROWS),
  width: measure('Width of a label', MIN_LABEL, MAX_PAGE),
  height: measure('Height of a label', MIN_LABEL, MAX_PAGE),
  columnGap: measure('Gap between two columns', 0, MAX_PAGE),
  rowGap: measure('Gap between two rows', 0, MAX_PAGE),
} satisfies Record<keyof Sheet, unknown>;

/** What can stand on a label: the picture of the thing, and below the name, in this order, texts. */
export const TEXTS = [
  { value: 'picture', label: 'Picture' },
  { value: 'number', label: 'Number' },
  ...(['location', 'serial', 'code'] as const).map((value) => ({
    value,
    label: FIELDS[value].column,
  })),
] as const;
type BuiltInText = (typeof TEXTS)[number]['value'];
/** Or a field of the team's own, after them. */
export type LabelText = BuiltInText | OwnName;

export function isBuiltIn(text: LabelText): text is BuiltInText {
  return !isOwnName(text);
}

const known = new WeakMap<Definitions, ReturnType<typeof toLabelForm>>();

/** The form of a team with these fields: made once for each revision of them. */
export function labelForm(definitions: Definitions) {
  const made = known.get(definitions) ?? toLabelForm(definitions);
  known.set(definitions, made);
  return made;
}

const others = {
  sheet: choiceGroup({
    label: 'Sheet or roll',
    required: 'Choose a sheet or a roll',
    choices: {
      ...(Object.fromEntries(
        Object.entries(SHEETS).map(([name, { label }]) => [name, { label }]),
      ) as { readonly [Name in SheetName]: { readonly label: string } }),
      own: { label: 'Another one, with its measures in millimetres', fields: own },
    },
  }),
  start: wholeNumberField({
    label: 'First label',
    hint: 'Of a sheet that was used in part: count row by row, from the left.',
    min: 1,
    max: MAX_LABELS,
    default: 1,
  }),
  copies: wholeNumberField({
    label: 'Labels for each thing',
    min: 1,
    max: 100,
    default: 1,
  }),
};

function toLabelForm(definitions: Definitions) {
  const own = definitions.fields.map((field) => {
    return { value: field.name, label: distinctLabel(field, definitions) };
  });
  return defineForm({
    ...others,
    texts: choicesField<LabelText>({
      label: 'On the label',
      hint: 'Beside the code and the name.',
      choices: [...TEXTS, ...own],
    }),
    edges: checkboxField({
      label: 'Draw the edges of the labels',
      hint: 'To cut them out of plain paper, or to check where they are printed.',
    }),
  });
}

export type LabelFields = ReturnType<typeof labelForm>['fields'];
export type LabelValues = FormValues<LabelFields>;

/** The chosen sheet; or what is wrong with one's own. */
export function toSheet(
  chosen: LabelValues['sheet'],
): { readonly sheet: Sheet } | { readonly problem: SheetProblem } {
  if (chosen.choice !== 'own') return { sheet: SHEETS[chosen.choice].sheet };
  const { choice, ...measures } = chosen;
  const sheet = Object.fromEntries(
    Object.entries(measures).map(([name, value]) => [name, Number(value)]),
  ) as unknown as Sheet;
  const problem = findSheetProblem(sheet);
  return problem === null ? { sheet } : { problem };
}

/** Of a sheet without a problem, for an address. */
export function toSheetText(chosen: LabelValues['sheet']): string {
  const made = toSheet(chosen);
  return chosen.choice === 'own' && 'sheet' in made ? writeOwnSheet(made.sheet) : chosen.choice;
}
