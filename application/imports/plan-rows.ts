/**
 * Compares rows of a file with the items: what each would add, change, or leave as it is, and what cannot be
 * imported. A column that the file does not have stays as it is, and is empty in a new item.
 */
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { changedFields, compareItems, type ItemField } from '../history/item-changes.ts';
import { type ItemInput, readItems } from '../items/item-rows.ts';
import type { ReadRow, RefusedRow } from './read-rows.ts';

export type PlannedRow =
  | { readonly kind: 'create'; readonly line: number; readonly input: ItemInput }
  | ChangeRow
  | { readonly kind: 'same'; readonly line: number; readonly number: number }
  | { readonly kind: 'refuse'; readonly line: number; readonly problem: string };

export interface ChangeRow {
  readonly kind: 'change';
  readonly line: number;
  readonly number: number;
  /** That of the item which the row was compared with. */
  readonly version: number;
  readonly input: ItemInput;
  readonly before: ItemInput;
  readonly fields: readonly ItemField[];
}

const EMPTY: ItemInput = { name: '', description: '', quantity: 1, location: '', tags: [] };

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
    const { name, description, quantity, location, tags, version } = before;
    const input = { name, description, quantity, location, tags, ...values };
    const fields = changedFields(compareItems(before, input));
    if (fields.length === 0) return { kind: 'same', line, number };
    return { kind: 'change', line, number, version, input, before, fields };
  });
}
