/**
 * The columns of a file that are fields of one's own: those that exist, found by their labels, and new ones, which the
 * import makes when it runs.
 */
import { isOwnExport } from '../items/export/csv.ts';
import type { Definitions, OwnField } from '../own-fields/definitions.ts';
import { hasChoices, type OwnChoice, type OwnFieldKind } from '../own-fields/own-field.ts';
import { type OwnFormField, toFormField } from '../own-fields/to-form-field.ts';
import { type Columns, labelColumn } from './columns.ts';
import { findByLabel, splitLabel } from './field-labels.ts';
import { fieldIdOf, newKindOf } from './headings.ts';
import type { DayOrder } from './read-date.ts';
import type { DecimalMark } from './read-number.ts';
import { plainText } from './same-text.ts';
import type { ValueGuess } from './value-kinds.ts';

/** What a new field is. */
export interface NewField {
  readonly kind: OwnFieldKind;
  readonly label: string;
  readonly unit: string;
  readonly choices: readonly OwnChoice[];
}

export interface OwnColumn extends NewField {
  readonly at: number;
  /** Of the values in rows: the id of the field, or `-4` for a new one of the fourth column. */
  readonly key: string;
  readonly isNew: boolean;
  /** Reads the text of a form. */
  readonly field: OwnFormField;
  readonly mark: DecimalMark | null;
  readonly order: DayOrder | null;
  /** Whether its cells are as an export writes them, and nothing has to be guessed. */
  readonly isExport: boolean;
  /** Another program writes an amount of 0, or a day that never comes, where there is nothing. */
  readonly hasFillers: boolean;
}

/** Two columns are never the same field: the first one has it. */
export function toOwnColumns(
  columns: Columns,
  definitions: Definitions,
): readonly (OwnColumn | null)[] {
  const taken = new Set<string>();
  const isExport = isOwnExport(columns.header);
  return columns.uses.map((use, at) => {
    if (fieldIdOf(use) === null && newKindOf(use) === null) return null;
    const { values = null } = columns.facts[at] ?? {};
    const found = findDefinition(columns, at, definitions);
    const made = found ?? toNewField(columns, at);
    const key = found === null ? toNewKey(at) : String(found.id);
    const same = found === null ? plainText(made?.label ?? '') : key;
    if (made === null || taken.has(same)) return null;
    taken.add(same);
    const { kind, label, unit } = made;
    const choices = [...made.choices, ...findFormerChoices(found, definitions)];
    return {
      ...{ at, key, isNew: found === null, kind, label, unit, choices },
      field: found?.optional ?? toFormField({ ...made, hint: '', required: false }),
      ...{ mark: values?.mark ?? null, order: values?.order ?? null },
      isExport,
      hasFillers: columns.program !== null,
    };
  });
}

/** Earlier labels that one choice of the field had, and none has now. They come last: the first label is shown. */
function findFormerChoices(field: OwnField | null, { former }: Definitions): readonly OwnChoice[] {
  const had = former.choices.get(field?.id ?? 0) ?? [];
  const keyOf = ({ label }: OwnChoice) => plainText(label);
  const current = new Set(field?.choices.map(keyOf));
  const ids = Map.groupBy(had, keyOf);
  return had.filter((one) => {
    const same = ids.get(keyOf(one)) ?? [];
    return !current.has(keyOf(one)) && same.every(({ id }) => id === one.id);
  });
}

/** Of a new field of the column. No id is negative. */
export function toNewKey(at: number): string {
  return `${-at - 1}`;
}

/** The field that a use names, or that has the label of the column. */
function findDefinition(columns: Columns, at: number, definitions: Definitions) {
  const id = fieldIdOf(columns.uses[at]);
  if (id === null) return findByLabel(labelColumn(columns, at), definitions);
  const field = definitions.allFields.get(id);
  return field === undefined || field.removed ? null : field;
}

/** Null if the column cannot be a field: it has no heading, or no choices. */
export function toNewField(columns: Columns, at: number): NewField | null {
  const kind = newKindOf(columns.uses[at]);
  const { values = null } = columns.facts[at] ?? {};
  const heading = splitLabel(labelColumn(columns, at));
  if (kind === null || heading.label === '') return null;
  const texts = hasChoices(kind) ? (values?.choices ?? []) : [];
  if (hasChoices(kind) && texts.length === 0) return null;
  return {
    ...{ kind, label: heading.label },
    unit: unitOf(kind, values, heading.unit, columns.currency),
    choices: texts.map((label, index) => ({ id: `c${index + 1}`, label })),
  };
}

function unitOf(
  kind: OwnFieldKind,
  values: ValueGuess | null,
  ofHeading: string,
  currency: string,
): string {
  const own = values?.kind === kind ? values.unit : '';
  if (kind === 'number') return own || (/^[A-Z]{3}$/.test(ofHeading) ? '' : ofHeading);
  if (kind !== 'money') return '';
  return own || (/^[A-Z]{3}$/.test(ofHeading) ? ofHeading : currency);
}
