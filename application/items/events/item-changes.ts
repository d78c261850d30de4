/**
 * What a change did to the fields of an item, as data: `{ location: ['Office', 'Cellar'] }`. Reversing changes
 * newest first leads from the present state to every earlier one.
 */
import { isDeepStrictEqual } from 'node:util';
import type { OwnName, OwnValue } from '../../own-fields/own-field.ts';
import { withoutEmpty } from '../../own-fields/own-values.ts';
import {
  ITEM_FIELDS,
  type ItemField,
  type ItemInput,
  isRemovable,
  type RemovableField,
} from '../item-fields.ts';
import { hereOf, type Loan, sortLoans } from '../loan.ts';
import { type FileChanges, lacksFiles } from './file-changes.ts';

/** What the history records: the fields of the form, and the loans. */
export interface ItemState extends ItemInput {
  readonly loans: readonly Loan[];
}
export type RecordedField = ItemField | 'kind' | OwnName | 'loans';

/** A loan in the history. An older release recorded no quantity: the item was lent as a whole. */
export type RecordedLoan = Omit<Loan, 'quantity'> & Partial<Pick<Loan, 'quantity'>>;

/**
 * The old and the new value of each field that differs; of the loans, those that differ. If it was removed for ever, a
 * text or a list of tags is null, and the borrower of a loan is empty: no item can have such values.
 */
export type Changes = {
  readonly [Name in RecordedField]?: readonly [old: Recorded<Name>, new: Recorded<Name>];
} & {
  /** They are no part of the item's state: see items/files. */
  readonly files?: FileChanges;
  /** What the kind, and the fields that the team defines itself, were called at that time: see change-names.ts. */
  readonly names?: ChangeNames;
};

/** The label of the field, and its old and new value as people read them. A removed one is empty. */
export type ChangeNames = {
  readonly [Name in 'kind' | OwnName]?: readonly [label: string, old: string, new: string];
};

type Recorded<Name extends RecordedField> = Name extends 'loans'
  ? readonly RecordedLoan[]
  : Name extends OwnName
    ? OwnValue | null
    : Name extends ItemField | 'kind'
      ? ItemState[Name] | (Name extends RemovableField ? null : never)
      : never;
export type RecordedValue = Recorded<RecordedField>;
/** Those of the state of an item, the loans aside. */
export type ItemStateField = Exclude<RecordedField, 'loans'>;

/** An older release recorded one loan, or null. */
export function parseChanges(text: string): Changes {
  const { loan, ...changes } = JSON.parse(text);
  if (loan === undefined) return changes;
  return { ...changes, loans: loan.map((one: RecordedLoan | null) => (one === null ? [] : [one])) };
}

/** Whether the value was removed for ever: see remove-values.ts. */
export function isRemoved(field: RecordedField, value: RecordedValue | undefined): boolean {
  if (field === 'loans')
    return (value as RecordedLoan[] | undefined)?.some(({ to }) => to === '') ?? false;
  if (field === 'kind') return false;
  return value === null && (isOwnName(field) || isRemovable(field));
}

export function isOwnName(name: string): name is OwnName {
  return name.startsWith('own_');
}

function toOwnName(id: string): OwnName {
  return `own_${Number(id)}`;
}

/** The value of a field of the state, the loans aside. Of an own field without a value it is an empty text. */
export function fieldOf(item: ItemInput, name: ItemStateField): RecordedValue {
  return isOwnName(name) ? (item.own[name.slice(4)] ?? '') : item[name];
}

/** The names of all fields that one of the two has: those of the form, the kind, and own fields with a value. */
function namesOf(one: ItemInput, other: ItemInput): readonly ItemStateField[] {
  if (one.own === other.own) return SHARED;
  const ids = Object.keys({ ...one.own, ...other.own });
  return [...SHARED, ...ids.map(toOwnName)];
}

const SHARED = [...ITEM_FIELDS, 'kind' as const];

/** Whether a value of the change was removed for ever, so that the change cannot be undone. */
export function lacksValues(changes: Changes): boolean {
  if (lacksFiles(changes.files)) return true;
  return recordedFields(changes).some((name) =>
    changes[name]?.some((value) => isRemoved(name, value)),
  );
}

export function compareItems(before: ItemInput, after: ItemInput): Changes {
  const changed = fieldsThatDiffer(before, after);
  return Object.fromEntries(
    changed.map((name) => [name, [fieldOf(before, name), fieldOf(after, name)]]),
  ) as Changes;
}

/** The same with the loans. */
export function compareStates(before: ItemState, after: ItemState): Changes {
  const changes = compareItems(before, after);
  const loans = compareLoans(before.loans, after.loans);
  return loans === null ? changes : { ...changes, loans };
}

/** The loans that differ; null if none does. */
function compareLoans(before: readonly Loan[], after: readonly Loan[]): LoanChanges | null {
  const without = (all: readonly Loan[], others: readonly Loan[]) =>
    all.filter((one) => !others.some((other) => isDeepStrictEqual(one, other)));
  const [ended, begun] = [without(before, after), without(after, before)];
  return ended.length + begun.length === 0 ? null : [ended, begun];
}

/** In the order of the form. */
export function fieldsThatDiffer(one: ItemInput, other: ItemInput): readonly ItemStateField[] {
  return namesOf(one, other).filter((name) => !isSame(fieldOf(one, name), fieldOf(other, name)));
}

/** No value is the same as no list of values. */
function isSame(one: RecordedValue, other: RecordedValue): boolean {
  return isDeepStrictEqual(one, other) || (isNone(one) && isNone(other));
}

function isNone(value: RecordedValue): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

/** In the order of the form. */
export function changedFields(changes: Changes): readonly ItemStateField[] {
  const own = Object.keys(changes).filter(isOwnName);
  return [...SHARED, ...own].filter((name) => changes[name] !== undefined);
}

/** The changed fields, including the loans. */
export function recordedFields(changes: Changes): readonly RecordedField[] {
  return [...changedFields(changes), ...(changes.loans === undefined ? [] : ['loans' as const])];
}

/** `item` with the named fields of `other`. */
export function withFieldsOf(
  item: ItemInput,
  other: ItemInput,
  names: readonly ItemStateField[],
): ItemInput {
  return withValues(
    item,
    names.map((name) => [name, fieldOf(other, name)]),
  );
}

function withValues<Item extends ItemInput>(
  item: Item,
  values: readonly (readonly [RecordedField, RecordedValue | undefined])[],
): Item {
  const own = values.flatMap(([name, value]) =>
    isOwnName(name) ? [[name.slice(4), (value ?? '') as OwnValue] as const] : [],
  );
  const others = values.filter(([name]) => !isOwnName(name));
  const changed = { ...item, ...Object.fromEntries(others) };
  if (own.length === 0) return changed;
  return { ...changed, own: withoutEmpty({ ...item.own, ...Object.fromEntries(own) }) };
}

export interface Undone {
  readonly item: ItemState;
  /** Fields whose value is no longer the one that the change gave them, so that it must not be undone. */
  readonly changedSince: readonly RecordedField[];
}

/**
 * Reverses a change. Quantities are relative: what was taken is added again, whatever was taken or added since.
 * Any other field must still have the value that the change gave it, and so must each loan that was changed.
 */
export function undoChanges(item: ItemState, changes: Changes): Undone {
  // A removed value is unknown: the field stays as it is.
  const names = recordedFields(changes).filter((name) => !isRemoved(name, changes[name]?.[0]));
  const { loans, quantity } = changes;
  const changedSince = names.filter((name) => {
    if (name === 'loans') return loans !== undefined && !hasLoans(item.loans, loans);
    return name !== 'quantity' && !isSame(fieldOf(item, name), changes[name]?.[1] ?? null);
  });
  const undone = withValues(
    item,
    names.map((name) => [name, changes[name]?.[0]]),
  );
  const whole = quantity === undefined ? item.quantity : item.quantity + quantity[0] - quantity[1];
  const state = { ...undone, quantity: whole, loans: item.loans };
  if (!names.includes('loans') || loans === undefined) return { item: state, changedSince };
  return { item: { ...state, loans: undoLoans(state, loans) }, changedSince };
}

type LoanChanges = NonNullable<Changes['loans']>;

/** Whether the loans are as the change has left them. */
function hasLoans(loans: readonly Loan[], [ended, begun]: LoanChanges): boolean {
  const has = (sought: RecordedLoan) =>
    loans.some((one) =>
      isDeepStrictEqual(one, { ...sought, quantity: sought.quantity ?? one.quantity }),
    );
  const isGone = ({ at }: RecordedLoan) =>
    begun.some((one) => one.at === at) || !loans.some((one) => one.at === at);
  return begun.every(has) && ended.every(isGone);
}

function undoLoans({ quantity, loans }: ItemState, [ended, begun]: LoanChanges): readonly Loan[] {
  const others = loans.filter(({ at }) => !begun.some((one) => one.at === at));
  const whole = Math.max(1, hereOf({ quantity, loans: others }));
  const back = ended.map((one) => ({ ...one, quantity: one.quantity ?? whole }));
  return sortLoans([...others, ...back]);
}

/** The state before the changes, which are given newest first. */
export function stateBefore(item: ItemState, changes: readonly Changes[]): ItemState {
  return changes.reduce<ItemState>((state, one) => undoChanges(state, one).item, item);
}
