/**
 * Merges two fields, two kinds of things, or two choices of a field: the things that have one of them get the other, as
 * one batch, and then its definition is removed. A large merge takes several transactions, so that other writes run in
 * between. Where a thing has both fields, the value of the one that stays is kept; the other is in its history.
 */
import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import type { Database, KyselyTransaction } from '../../database/kysely.ts';
import {
  changeDefinitions,
  type DefinitionEdit,
  readDefinitions,
  readLocked,
} from '../../own-fields/change-definitions.ts';
import type { Definitions, OwnField } from '../../own-fields/definitions.ts';
import { toChoices, toLabelKey } from '../../own-fields/label-rules.ts';
import type { OwnChoice, OwnValue, OwnValues } from '../../own-fields/own-field.ts';
import type { ItemState } from '../events/item-changes.ts';
import { inPieces } from '../in-pieces.ts';
import { changeMany } from '../select/change-many.ts';

/** `from` becomes part of `into`. They are ids: of fields, of kinds, or of choices of a field. */
export type Merge =
  | { readonly what: 'field'; readonly from: number; readonly into: number }
  | { readonly what: 'kind'; readonly from: number; readonly into: number }
  | {
      readonly what: 'choice';
      readonly field: number;
      readonly from: string;
      readonly into: string;
    };

/** Things in a transaction: see `MAX_RENAMED` of rename-facet.ts. */
const MAX_MERGED = 500;

export interface Merged {
  readonly from: string;
  readonly into: string;
  /** Null if no thing had the value. */
  readonly batch: number | null;
  readonly changed: number;
  /** The names of things that had both, at most a few. */
  readonly both: readonly string[];
  readonly bothCount: number;
  /** The change of the definitions; null while things are left. */
  readonly change: number | null;
}

/** What is to be done with things and with definitions. Null if one of the two is not there any more. */
interface Plan {
  readonly from: string;
  readonly into: string;
  readonly numbers: RawBuilder<{ readonly number: number }>;
  readonly apply: (item: ItemState) => ItemState;
  readonly hasBoth: (item: ItemState) => boolean;
  readonly edits: readonly DefinitionEdit[];
  /** The choices that values get before all of them are merged, and so before `edits`. */
  readonly first?: DefinitionEdit;
}

/** Somebody has changed the definitions while things were merged by them. Throwing it rolls the transaction back. */
class DefinitionsChanged extends Error {
  override readonly name = 'DefinitionsChanged';
}

/** Repeats a merge whose definitions were changed meanwhile, by those that there are now. */
export async function mergeAgain<Done>(merge: () => Promise<Done>): Promise<Done> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await merge();
    } catch (error) {
      if (!(error instanceof DefinitionsChanged) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** An administrator changes a definition once in a while. */
const MAX_ATTEMPTS = 5;

/** Begins to merge, or goes on after `done`. Null if what is to be merged is not there. For `mergeAgain`. */
export async function mergePart(
  transaction: KyselyTransaction,
  merge: Merge,
  author: number,
  done: Merged | null = null,
  limit: number = MAX_MERGED,
): Promise<Merged | null> {
  // The definitions are locked after the things: every write locks the things first.
  const plan = toPlan(merge, await readDefinitions(transaction));
  if (plan === null) return null;
  const { rows } = await sql<{
    readonly number: number;
  }>`${plan.numbers} limit ${limit + 1}`.execute(transaction);
  const numbers = rows.slice(0, limit).map(({ number }) => number);
  const sum = await mergeThings(transaction, plan, numbers, { what: merge.what, author, done });
  // As they are now, under the lock.
  const last = toPlan(merge, await readLocked(transaction));
  if (!isDeepStrictEqual(last?.edits, plan.edits)) throw new DefinitionsChanged();
  // Somebody may have given another thing the value meanwhile.
  const late = await sql`${plan.numbers} limit 1`.execute(transaction);
  if (late.rows.length > 0) {
    if (plan.first !== undefined)
      await changeDefinitions(transaction, [plan.first], { author, kind: 'changed' });
    return sum;
  }
  const by = { author, kind: 'merged', batch: sum.batch } as const;
  return { ...sum, change: await changeDefinitions(transaction, plan.edits, by) };
}

/** Of things that had both. */
const MAX_NAMED = 5;

interface MergingBy {
  readonly what: Merge['what'];
  readonly author: number;
  readonly done: Merged | null;
}

/** The things alone. Resolves to the sum of these and of those that were done. */
async function mergeThings(
  transaction: KyselyTransaction,
  plan: Plan,
  numbers: readonly number[],
  { what, author, done }: MergingBy,
): Promise<Merged> {
  const { from, into } = plan;
  const both: string[] = [...(done?.both ?? [])];
  let bothCount = done?.bothCount ?? 0;
  const changed = await changeMany(
    transaction,
    numbers,
    (item) => {
      if (plan.hasBoth(item)) {
        bothCount++;
        if (both.length < MAX_NAMED) both.push(item.name);
      }
      return plan.apply(item);
    },
    typeof done?.batch === 'number'
      ? { author, batch: done.batch }
      : { author, operation: { kind: 'merged', what, from, to: into } },
  );
  const { batch } = changed;
  const sum = changed.changed + (done?.changed ?? 0);
  return { from, into, batch, both, bothCount, changed: sum, change: null };
}

function toPlan(merge: Merge, definitions: Definitions): Plan | null {
  switch (merge.what) {
    case 'field':
      return planFields(merge.from, merge.into, definitions);
    case 'kind':
      return planKinds(merge.from, merge.into, definitions);
    case 'choice':
      return planChoices(merge, definitions);
  }
}

/** The fields that another one can be merged with: of the same kind of value, and with the same unit. */
export function mergeable(field: OwnField, { fields }: Definitions): readonly OwnField[] {
  const { id, kind, unit } = field;
  return fields.filter((other) => other.id !== id && other.kind === kind && other.unit === unit);
}

function planFields(fromId: number, intoId: number, definitions: Definitions): Plan | null {
  const from = definitions.fields.find(({ id }) => id === fromId);
  const into = definitions.fields.find(({ id }) => id === intoId);
  if (from === undefined || into === undefined || !mergeable(from, definitions).includes(into))
    return null;
  const { choices, ids } = unite(into.choices, from.choices);
  const map = (value: OwnValue): OwnValue =>
    typeof value === 'string' ? (ids.get(value) ?? value) : value.map((id) => ids.get(id) ?? id);
  const moved = from.itemKind === into.itemKind ? {} : { item_kind: null };
  const offered = { choices: JSON.stringify(choices) };
  return {
    from: from.label,
    into: into.label,
    numbers: sql`select distinct item_number as number from item_values
      where field_id = ${from.id} order by item_number`,
    hasBoth: ({ own }) =>
      into.kind !== 'choices' && hasValue(own, into.id) && hasValue(own, from.id),
    apply(item) {
      const { [from.id]: value, ...others } = item.own;
      if (value === undefined) return item;
      const kept = others[into.id];
      const merged =
        into.kind === 'choices'
          ? [...new Set([kept ?? [], map(value)].flat())]
          : (kept ?? map(value));
      return { ...item, own: { ...others, [into.id]: merged } };
    },
    first: { table: 'own_fields', id: into.id, set: offered },
    edits: [
      { table: 'own_fields', id: into.id, set: { ...moved, ...offered } },
      { table: 'own_fields', id: from.id, set: { removed: 1 } },
    ],
  };
}

function hasValue(own: OwnValues, id: number): boolean {
  return own[id] !== undefined;
}

/** The choices of both, and the ids that those of the second one get. */
function unite(into: readonly OwnChoice[], from: readonly OwnChoice[]) {
  const offered = into.filter(({ removed }) => removed !== true);
  const fresh = from.filter(
    ({ label }) => !offered.some((one) => toLabelKey(one.label) === toLabelKey(label)),
  );
  const choices =
    from.length === 0
      ? into
      : toChoices([...offered, ...fresh.map(({ label }) => ({ id: '', label }))], into);
  const ids = new Map(
    from.map(({ id, label }) => {
      const key = toLabelKey(label);
      return [id, choices.find((one) => toLabelKey(one.label) === key)?.id ?? id];
    }),
  );
  return { choices, ids };
}

function planKinds(fromId: number, intoId: number, definitions: Definitions): Plan | null {
  const from = definitions.kinds.find(({ id }) => id === fromId);
  const into = definitions.kinds.find(({ id }) => id === intoId);
  if (from === undefined || into === undefined || from === into) return null;
  const fields = definitions.fields.filter(({ itemKind }) => itemKind === from.id);
  return {
    from: from.name,
    into: into.name,
    numbers: sql`select number from items where kind = ${from.id} order by number`,
    hasBoth: () => false,
    apply: (item) => (item.kind === from.id ? { ...item, kind: into.id } : item),
    edits: [
      ...fields.map(
        ({ id }): DefinitionEdit => ({ table: 'own_fields', id, set: { item_kind: into.id } }),
      ),
      { table: 'item_kinds', id: from.id, set: { removed: 1 } },
    ],
  };
}

function planChoices(
  { field: id, from: fromId, into: intoId }: Extract<Merge, { what: 'choice' }>,
  { fields }: Definitions,
): Plan | null {
  const field = fields.find((one) => one.id === id);
  const from = field?.choices.find((one) => one.id === fromId);
  const into = field?.choices.find((one) => one.id === intoId);
  if (field === undefined || from === undefined || into === undefined || from === into) return null;
  const choices = field.choices.map((one) =>
    one === from ? { id: one.id, label: one.label, removed: true } : one,
  );
  return {
    from: from.label,
    into: into.label,
    numbers: sql`select item_number as number from item_values
      where field_id = ${id} and key = ${from.id} order by item_number`,
    hasBoth: () => false,
    apply(item) {
      const value = item.own[id];
      if (value === undefined) return item;
      const swap = (one: string) => (one === from.id ? into.id : one);
      const merged = typeof value === 'string' ? swap(value) : [...new Set(value.map(swap))];
      return { ...item, own: { ...item.own, [id]: merged } };
    },
    edits: [{ table: 'own_fields', id, set: { choices: JSON.stringify(choices) } }],
  };
}

/** Goes on with what `begun` has begun, in several transactions. */
export type MergeRest = (merge: Merge, author: number, begun: Merged) => Promise<Merged>;

export function createMergeRest({ write }: Pick<Database, 'write'>): MergeRest {
  return (merge, author, begun) =>
    inPieces(begun, async (done) =>
      done.change === null
        ? mergeAgain(() => write((transaction) => mergePart(transaction, merge, author, done)))
        : null,
    );
}
