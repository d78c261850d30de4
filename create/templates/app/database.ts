/** The tables and every query. A function that writes takes the transaction of a form. */
import type { Connection } from 'seeother/database';
import { BEGIN, KEY } from './open-database.ts';

/** Each runs once, in this order. Never change one that has run anywhere: add another one. */
const MIGRATIONS = [
  `create table items (
    number ${KEY},
    name text not null,
    quantity integer not null,
    place text not null
  )`,
  'alter table items add column version integer not null default 1',
];

export async function migrate({ run }: Connection): Promise<void> {
  await run(BEGIN);
  await run('create table if not exists migrations (number integer primary key)');
  const { rows } = await run<{ done: number }>(
    'select cast(count(*) as integer) as done from migrations',
  );
  for (let number = rows[0]?.done ?? 0; number < MIGRATIONS.length; number++) {
    await run(MIGRATIONS[number] ?? '');
    await run('insert into migrations values (?)', [number]);
  }
  await run('commit');
}

export interface ItemInput {
  readonly name: string;
  readonly quantity: number;
  readonly place: string;
}

export interface Item extends ItemInput {
  readonly number: number;
  /** Changes with each change of the item. */
  readonly version: number;
}

/** Newest first. */
export async function listItems(
  { run }: Connection,
  search: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly Item[]> {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await run<Item>(
    `select * from items
    where lower(name) like lower(?) escape '\\' or lower(place) like lower(?) escape '\\'
    order by number desc limit ? offset ?`,
    [pattern, pattern, limit, offset],
  );
  return rows;
}

export async function addItem(
  { run }: Connection,
  { name, quantity, place }: ItemInput,
): Promise<number> {
  const { rows } = await run<Item>(
    'insert into items (name, quantity, place) values (?, ?, ?) returning number',
    [name, quantity, place],
  );
  return rows[0]?.number ?? 0;
}

export async function findItem({ run }: Connection, number: number): Promise<Item | null> {
  const { rows } = await run<Item>('select * from items where number = ?', [number]);
  return rows[0] ?? null;
}

/** False, and nothing is changed, if the item no longer has this version, or no longer exists. */
export async function changeItem(
  { run }: Connection,
  number: number,
  { name, quantity, place, version }: ItemInput & { readonly version: string },
): Promise<boolean> {
  const { changes } = await run(
    `update items set name = ?, quantity = ?, place = ?, version = version + 1
    where number = ? and cast(version as text) = ?`,
    [name, quantity, place, number, version],
  );
  return changes === 1;
}

export async function deleteItem({ run }: Connection, number: number): Promise<void> {
  await run('delete from items where number = ?', [number]);
}
