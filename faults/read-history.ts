/**
 * The items, the definitions of their own fields, and the history of both, read from the database without the
 * application.
 */
import {
  type Changes,
  type ItemState,
  stateBefore,
} from '../application/items/events/item-changes.ts';
import {
  EMPTY_ITEM,
  FIELDS,
  ITEM_FIELDS,
  type ItemInput,
  mapColumns,
} from '../application/items/item-fields.ts';
import { lentOf } from '../application/items/loan.ts';
import type { OwnValues } from '../application/own-fields/own-field.ts';
import { toOwnValues } from '../application/own-fields/own-values.ts';
import { foldDefinitions, type StoredDefinition } from './read-definitions.ts';
import { type DatabaseRow, readRows } from './send-forms.ts';

/** What each item is at first, but for its serial number: the mark of the form that has added it. */
export const START: ItemState = {
  ...EMPTY_ITEM,
  ...{ name: 'Thing', quantity: 500, location: 'Office', tags: ['a'] },
  ...{ kind: 1, own: { 1: '230', 2: ['c1'] } },
  loans: [],
};

export interface EventRow {
  readonly id: number;
  readonly number: number;
  readonly version: number;
  readonly kind: string;
  readonly undoes: number | null;
  readonly changes: Changes;
  readonly snapshot: ItemState | null;
  /**
   * What the form put into its event: the reason of a count, the name of an edit, who has it, the beginning of the
   * names of files, the caption of one.
   */
  readonly mark: string | null;
}

export interface StoredHistory {
  /** In their order. */
  readonly events: readonly EventRow[];
  /** The serial number of each item at first. */
  readonly added: readonly string[];
  /** Of all items that there are or have been. */
  readonly numbers: readonly number[];
  /** Changes of the definitions, in their order. */
  readonly definitions: readonly StoredDefinition[];
  /**
   * The number of items and definitions that differ from their history, of items with files that do, and of items of
   * which too many are lent.
   */
  readonly differences: number;
}

export async function readHistory(url: string): Promise<StoredHistory> {
  const rows = await readRows(url, 'select * from item_events order by id');
  const items = await readRows(url, 'select * from items');
  const tags = await readRows(url, 'select * from item_tags order by position');
  const loans = await readRows(url, 'select * from loans order by at');
  const values = await readRows(url, 'select * from item_values order by field_id, position');
  const files = await readRows(url, 'select * from item_files where removed_at is null');
  const events = rows.map(toEventRow);
  const added: string[] = [];
  const { definitions, differences: undefinable } = await foldDefinitions(url);
  const numbers = new Set([
    ...items.map((row) => Number(row['number'])),
    ...events.map(({ number }) => number),
  ]);
  let differences = undefinable;
  for (const number of numbers) {
    const own = events.filter((event) => event.number === number).reverse();
    const row = items.find((one) => Number(one['number']) === number);
    const tagged = tags.filter((one) => Number(one['item_number']) === number);
    const lent = loans.filter((one) => Number(one['item']) === number);
    const filled = values.filter((one) => Number(one['item_number']) === number);
    const state =
      row === undefined ? own[0]?.snapshot : { ...toState(row, tagged, lent), own: toOwn(filled) };
    const isWhole = own.every(({ version }, index) => version === own.length - index);
    const isThere = row === undefined ? own[0]?.kind === 'deleted' : own[0]?.kind !== 'deleted';
    const changes = own.map((event) => event.changes);
    const sum = lentOf(state?.loans ?? []);
    const isEnough =
      sum <= (state?.quantity ?? 0) && (row === undefined || Number(row['lent']) === sum);
    const start = state ? stateBefore(state, changes) : null;
    if (start) added.push(start.serial);
    const attached = files.filter((one) => Number(one['item_number']) === number);
    const isRight =
      start &&
      isWhole &&
      isThere &&
      isEnough &&
      isStart(start) &&
      haveStart(attached, changes, start.serial);
    if (!isRight) differences++;
  }
  return { events, added, numbers: [...numbers], definitions, differences };
}

/** Whether the files, without what was done to them, are those that the item was added with. */
function haveStart(
  rows: readonly DatabaseRow[],
  changes: readonly Changes[],
  serial: string,
): boolean {
  const toText = (position: unknown, caption: unknown) => `${position} ${caption}`;
  const files = new Map(
    rows.map(({ id, position, caption }) => [Number(id), toText(position, caption)]),
  );
  const names = new Map(rows.map(({ id, name }) => [Number(id), String(name)]));
  for (const { files: [before, after] = [[], []] } of changes) {
    for (const { id, position, caption } of after) {
      if (files.get(id) !== toText(position, caption)) return false;
      files.delete(id);
    }
    for (const { id, position, caption, name } of before) {
      files.set(id, toText(position, caption));
      names.set(id, name);
    }
  }
  return [...files.keys()].every((id) => serial !== '' && names.get(id)?.startsWith(serial));
}

function toEventRow(row: DatabaseRow): EventRow {
  const changes = JSON.parse(String(row['changes'])) as Changes;
  const undoes = row['undoes'] === null ? null : Number(row['undoes']);
  const reason = String(row['reason']);
  // The return of a part names the borrower of what is left.
  const lentTo = row['kind'] === 'lent' ? (changes.loans?.[1].at(-1)?.to ?? null) : null;
  const snapshot = row['snapshot'] === null ? null : JSON.parse(String(row['snapshot']));
  return {
    id: Number(row['id']),
    number: Number(row['item_number']),
    version: Number(row['version']),
    kind: String(row['kind']),
    undoes,
    changes,
    snapshot,
    mark: undoes !== null ? null : reason || fileMark(changes) || (changes.name?.[1] ?? lentTo),
  };
}

/** Null if no file was added or described. */
function fileMark({ files: [before, after] = [[], []] }: Changes): string | null {
  const fresh = after.find(({ id }) => !before.some((one) => one.id === id));
  if (fresh !== undefined) return fresh.name.split(' ')[0] ?? null;
  const described = after.find(
    ({ id, caption }) => before.find((one) => one.id === id)?.caption !== caption,
  );
  return described?.caption ?? null;
}

function toState(
  row: DatabaseRow,
  tagged: readonly DatabaseRow[],
  lent: readonly DatabaseRow[],
): ItemState {
  const tags = tagged.map(({ tag }) => String(tag));
  const fields = mapColumns((name) => {
    const value = row[name] ?? null;
    return value === null || FIELDS[name].kind !== 'number' ? value : Number(value);
  }) as Omit<ItemInput, 'tags' | 'kind' | 'own'>;
  const kind = row['kind'] == null ? null : Number(row['kind']);
  const loans = lent.map(({ borrower, until, at, quantity }) => ({
    to: String(borrower),
    until: until === null ? null : String(until),
    at: String(at),
    quantity: Number(quantity),
  }));
  return { ...fields, tags, loans, kind, own: {} };
}

function toOwn(rows: readonly DatabaseRow[]): OwnValues {
  return toOwnValues(
    rows.map(({ field_id, position, value }) => ({
      field_id: Number(field_id),
      position: Number(position),
      value: String(value),
    })),
  );
}

function isStart(state: ItemState): boolean {
  const fields = ITEM_FIELDS.filter((field) => field !== 'serial');
  return [...fields, 'kind' as const, 'own' as const, 'loans' as const].every(
    (field) => JSON.stringify(state[field]) === JSON.stringify(START[field]),
  );
}
