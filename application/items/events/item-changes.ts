/**
 * What a change did to the fields of an item, as data: `{ location: ['Office', 'Cellar'] }`. Reversing changes
 * newest first leads from the present state to every earlier one.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  ITEM_FIELDS,
  type ItemField,
  type ItemInput,
  isRemovable,
  type RemovableField,
} from '../item-fields.ts';
import type { Loan } from '../loan.ts';

/** What the history records: the fields of the form, and the loan. */
export interface ItemState extends ItemInput {
  readonly loan: Loan | null;
}
export type RecordedField = ItemField | 'loan';

/**
 * The old and the new value of each field that differs. If it was removed for ever, a text or a list of tags is null,
 * and the borrower of a loan is empty: no item can have such values.
 */
export type Changes = {
  readonly [Name in RecordedField]?: readonly [old: Recorded<Name>, new: Recorded<Name>];
};

type Recorded<Name extends RecordedField> =
  | ItemState[Name]
  | (Name extends RemovableField | 'loan' ? null : never);
export type RecordedValue = Recorded<RecordedField>;

/** Whether the value was removed for ever: see remove-values.ts. */
export function isRemoved(field: RecordedField, value: RecordedValue | undefined): boolean {
  if (field === 'loan') return (value as Loan | null)?.to === '';
  return value === null && isRemovable(field);
}

/** Whether a value of the change was removed for ever, so that the change cannot be undone. */
export function lacksValues(changes: Changes): boolean {
  return recordedFields(changes).some((name) =>
    changes[name]?.some((value) => isRemoved(name, value)),
  );
}

export function compareItems(before: ItemInput, after: ItemInput): Changes {
  const changed = fieldsThatDiffer(before, after);
  return Object.fromEntries(changed.map((name) => [name, [before[name], after[name]]]));
}

/** The same with the loan. */
export function compareStates(before: ItemState, after: ItemState): Changes {
  const changes = compareItems(before, after);
  if (isDeepStrictEqual(before.loan, after.loan)) return changes;
  return { ...changes, loan: [before.loan, after.loan] };
}

/** In the order of the form. */
export function fieldsThatDiffer(one: ItemInput, other: ItemInput): readonly ItemField[] {
  return ITEM_FIELDS.filter((name) => !isDeepStrictEqual(one[name], other[name]));
}

export function changedFields(changes: Changes): readonly ItemField[] {
  return ITEM_FIELDS.filter((name) => changes[name] !== undefined);
}

/** The changed fields, including the loan. */
export function recordedFields(changes: Changes): readonly RecordedField[] {
  return [...changedFields(changes), ...(changes.loan === undefined ? [] : ['loan' as const])];
}

/** `item` with the named fields of `other`. */
export function withFieldsOf(
  item: ItemInput,
  other: ItemInput,
  names: readonly ItemField[],
): ItemInput {
  return { ...item, ...Object.fromEntries(names.map((name) => [name, other[name]])) };
}

export interface Undone {
  readonly item: ItemState;
  /** Fields whose value is no longer the one that the change gave them, so that it must not be undone. */
  readonly changedSince: readonly RecordedField[];
}

/**
 * Reverses a change. Quantities are relative: what was taken is added again, whatever was taken or added since.
 * Any other field must still have the value that the change gave it.
 */
export function undoChanges(item: ItemState, changes: Changes): Undone {
  // A removed value is unknown: the field stays as it is.
  const names = recordedFields(changes).filter((name) => !isRemoved(name, changes[name]?.[0]));
  const changedSince = names.filter(
    (name) => name !== 'quantity' && !isDeepStrictEqual(item[name], changes[name]?.[1]),
  );
  const back = names.map((name) => [name, changes[name]?.[0]]);
  const undone = { ...item, ...Object.fromEntries(back) };
  if (changes.quantity === undefined) return { item: undone, changedSince };
  const [from, to] = changes.quantity;
  return { item: { ...undone, quantity: item.quantity + from - to }, changedSince };
}

/** The state before the changes, which are given newest first. */
export function stateBefore(item: ItemState, changes: readonly Changes[]): ItemState {
  return changes.reduce<ItemState>((state, one) => undoChanges(state, one).item, item);
}
