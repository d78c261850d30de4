/** Every statement about «things», made of their fields. Names stand in quotation marks: some are words of SQL. */
import { fromColumns, HttpError, toColumns } from 'seeother';
import type { Connection } from 'seeother/database';
import { SEARCHED, type Thing, thingForm } from './fields.ts';

export type ThingInput = Omit<Thing, 'id' | 'version' | 'isDeleted'>;

export interface ThingQuery {
  readonly q: string;
  readonly order: { readonly by: keyof ThingInput; readonly direction: 'asc' | 'desc' };
  readonly limit: number;
  readonly offset: number;
}

const COLUMNS = Object.keys(thingForm.fields).map((name) => `"${name}"`);
const TEXT = SEARCHED.map((name) => `"${name}"`).join(` || ' ' || `);
const FOUND = `deleted_at is null and lower(${TEXT}) like lower(?) escape '\\'`;

/** Empty fields are last. */
export async function listThings({ run }: Connection, query: ThingQuery) {
  const { q, order, limit, offset } = query;
  const by = `"${order.by}"`;
  const { rows } = await run(
    `select * from "things" where ${FOUND}
    order by ${by} is null, ${by} ${order.direction}, id ${order.direction} limit ? offset ?`,
    [toPattern(q), limit, offset],
  );
  return rows.map(toThing);
}

export async function countThings({ run }: Connection, q: string): Promise<number> {
  const sql = `select cast(count(*) as integer) as count from "things" where ${FOUND}`;
  const { rows } = await run<{ count: number }>(sql, [toPattern(q)]);
  return rows[0]?.count ?? 0;
}

/** Also one that is deleted. */
export async function findThing({ run }: Connection, id: number): Promise<Thing | null> {
  const { rows } = await run('select * from "things" where id = cast(? as bigint)', [id]);
  return rows[0] === undefined ? null : toThing(rows[0]);
}

/** The «thing» of an address. Without one, the answer is the page of a 404. */
export async function requireThing(connection: Connection, id: number): Promise<Thing> {
  const found = await findThing(connection, id);
  if (found === null) throw new HttpError(404, `There is no «thing» ${id}.`);
  return found;
}

export async function addThing({ run }: Connection, input: ThingInput): Promise<number> {
  const marks = COLUMNS.map(() => '?').join(', ');
  const { rows } = await run<{ id: number }>(
    `insert into "things" (${COLUMNS.join(', ')}) values (${marks}) returning id`,
    Object.values(toColumns(thingForm, input)),
  );
  return rows[0]?.id ?? 0;
}

/** False, and nothing is changed, if there is a newer version. One that is deleted is brought back. */
export async function changeThing(
  { run }: Connection,
  id: number,
  input: ThingInput & { readonly version: string },
): Promise<boolean> {
  const { changes } = await run(
    `update "things" set ${COLUMNS.map((name) => `${name} = ?`).join(', ')}, deleted_at = null,
    version = version + 1 where id = cast(? as bigint) and cast(version as text) = ?`,
    [...Object.values(toColumns(thingForm, input)), id, input.version],
  );
  return changes === 1;
}

/** The row stays, so that it can be restored. */
export async function deleteThing({ run }: Connection, id: number): Promise<void> {
  await run(
    'update "things" set deleted_at = ?, version = version + 1 where id = cast(? as bigint) and deleted_at is null',
    [new Date().toISOString(), id],
  );
}

export async function restoreThing({ run }: Connection, id: number): Promise<void> {
  await run(
    'update "things" set deleted_at = null, version = version + 1 where id = cast(? as bigint) and deleted_at is not null',
    [id],
  );
}

function toThing(row: Readonly<Record<string, unknown>>): Thing {
  return {
    ...fromColumns(thingForm, row),
    id: Number(row.id),
    version: Number(row.version),
    isDeleted: row.deleted_at !== null,
  };
}

function toPattern(q: string): string {
  return `%${q.replace(/[\\%_]/g, '\\$&')}%`;
}
