/**
 * Compares rows of a file with the items: each row adds an item, changes one, changes nothing, or is refused. A
 * field without a column stays as it is; in a new item it is empty.
 */
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { type Changes, changedFields, compareItems } from '../items/events/item-changes.ts';
import { type ItemInput, readItems } from '../items/item-rows.ts';
import type { ReadRow, RefusedRow } from './read-rows.ts';

export type PlannedRow =
  | CreateRow
  | ChangeRow
  | { readonly kind: 'same'; readonly line: number; readonly number: number }
  | ({ readonly kind: 'refuse' } & RefusedRow);

export interface CreateRow {
  readonly kind: 'create';
  readonly line: number;
  readonly input: ItemInput;
}

export interface ChangeRow {
  readonly kind: 'change';
  readonly line: number;
  readonly number: number;
  /** The name that the item has now. */
  readonly name: string;
  /** The version of the item that the row was compared with. */
  readonly version: number;
  readonly changes: Changes;
}

export const EMPTY: ItemInput = {
  name: '',
  description: '',
  quantity: 1,
  minimum: null,
  location: '',
  tags: [],
};

export async function planRows(
  read: Kysely<Schema>,
  rows: readonly (ReadRow | RefusedRow)[],
): Promise<readonly PlannedRow[]> {
  const numbers = rows.flatMap((row) =>
    'problem' in row || row.number === null ? [] : [{ number: row.number }],
  );
  const items = new Map((await readItems(read, numbers)).map((item) => [item.number, item]));
  return rows.map((row): PlannedRow => {
    const { line } = row;
    if ('problem' in row) return { kind: 'refuse', line, problem: row.problem };
    const { number, values } = row;
    if (number === null) return { kind: 'create', line, input: { ...EMPTY, ...values } };
    const before = items.get(number);
    if (before === undefined) {
      const problem = `number: There is no item ${number}. Leave its number empty to add it`;
      return { kind: 'refuse', line, problem };
    }
    const { name, version } = before;
    const changes = compareItems(before, { ...before, ...values });
    if (changedFields(changes).length === 0) return { kind: 'same', line, number };
    return { kind: 'change', line, number, name, version, changes };
  });
}
