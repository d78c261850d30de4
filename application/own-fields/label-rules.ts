/** What the labels of fields and choices may be: each tells a column of a file and a control of a form from others. */
import { foldText } from '../site/fold-text.ts';
import type { Definitions, ItemKind, OwnField } from './definitions.ts';
import type { OwnChoice } from './own-field.ts';

export const MAX_LABEL = 60;
export const MAX_CHOICES = 200;

/** The columns of files that every item has: an own field of this name would be read back as one of them. */
const TAKEN =
  `number, name, description, quantity, minimum, location, tags, serial, serial number, code, product code, kind,
  lent to, lent until, lent at, lent quantity, references, added, photos, documents`
    .split(',')
    .map((name) => toLabelKey(name));

/** Two labels with the same key read alike. */
export function toLabelKey(label: string): string {
  return foldText(label).replaceAll(/\s+/g, ' ').trim();
}

/** With its kind, if another kind has a field that reads alike. */
export function distinctLabel(field: OwnField, definitions: LabelledFields): string {
  const kind = telltaleKind(field, definitions);
  return kind === null ? field.label : `${field.label} (${kind})`;
}

/** The column of a file: with the unit, which the cells have not. In brackets, a kind would read like one. */
export function toHeading(field: OwnField, definitions: LabelledFields): string {
  const { label, unit } = field;
  const kind = telltaleKind(field, definitions);
  return `${kind === null ? '' : `${kind}: `}${label}${unit === '' ? '' : ` (${unit})`}`;
}

type LabelledFields = Pick<Definitions, 'fields' | 'allKinds'>;

/** The name of its kind, if another kind has a field that reads alike. */
function telltaleKind(field: OwnField, { fields, allKinds }: LabelledFields): string | null {
  const { id, label, itemKind } = field;
  if (itemKind === null) return null;
  const key = toLabelKey(label);
  const isDouble = fields.some((other) => other.id !== id && toLabelKey(other.label) === key);
  return isDouble ? (allKinds.get(itemKind)?.name ?? null) : null;
}

/** Why a field of these things cannot have the label; null if it can. `except` is the field itself. */
export function findLabelProblem(
  label: string,
  itemKind: number | null,
  { fields }: Pick<Definitions, 'fields'>,
  except: number | null = null,
): string | null {
  const key = toLabelKey(label);
  if (TAKEN.includes(key))
    return `Every item has the field “${label}” already: choose another name`;
  const meets = (field: OwnField) =>
    field.itemKind === null || itemKind === null || field.itemKind === itemKind;
  const other = fields.find(
    (field) => field.id !== except && meets(field) && toLabelKey(field.label) === key,
  );
  return other === undefined
    ? null
    : `There is a field “${other.label}” already: choose another name`;
}

export function findNameProblem(
  name: string,
  { kinds }: Pick<Definitions, 'kinds'>,
  except: number | null = null,
): string | null {
  const key = toLabelKey(name);
  const other = kinds.find((kind: ItemKind) => kind.id !== except && toLabelKey(kind.name) === key);
  return other === undefined
    ? null
    : `There is a kind “${other.name}” already: choose another name`;
}

/** A choice of a form: without an id, a new one. */
export interface TypedChoice {
  readonly id: string;
  readonly label: string;
}

/**
 * The choices as they are stored: those of `known` that are not typed any more stay, as removed. Ids are counted up,
 * and none is used again. A new choice that reads like a removed one is that one.
 */
export function toChoices(
  typed: readonly TypedChoice[],
  known: readonly OwnChoice[] = [],
): readonly OwnChoice[] {
  let last = Math.max(0, ...known.map(({ id }) => Number(id.slice(1)) || 0));
  const used = new Set(typed.map(({ id }) => id));
  const chosen = typed.map(({ id, label }): OwnChoice => {
    if (known.some((one) => one.id === id)) return { id, label };
    const key = toLabelKey(label);
    const same = known.find((one) => !used.has(one.id) && toLabelKey(one.label) === key);
    if (same === undefined) return { id: `c${++last}`, label };
    used.add(same.id);
    return { id: same.id, label };
  });
  const gone = known.filter(({ id }) => !chosen.some((one) => one.id === id));
  return [...chosen, ...gone.map(({ id, label }): OwnChoice => ({ id, label, removed: true }))];
}

/** The place of the first choice that reads like one before it; null if all differ. */
export function findDoubleChoice(labels: readonly string[]): number | null {
  const keys = labels.map(toLabelKey);
  const at = keys.findIndex((key, index) => keys.indexOf(key) < index);
  return at === -1 ? null : at;
}
