/**
 * The names that fields of the kind person have, which forms suggest. Each name is one step in the index of the values,
 * however many things have it.
 */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Definitions } from '../own-fields/definitions.ts';

/** Fields whose names are read. */
const MAX_FIELDS = 5;

/** The first names in alphabetical order, at most `limit` of each field; null without such a field. */
export async function readPeopleNames(
  read: Kysely<Schema>,
  { fields }: Definitions,
  limit: number,
): Promise<readonly string[] | null> {
  const ofPeople = fields.filter(({ kind }) => kind === 'person').slice(0, MAX_FIELDS);
  if (ofPeople.length === 0) return null;
  const names = new Map<string, string>();
  for (const { id } of ofPeople) {
    const { rows } = await sql<{ key: string; name: string }>`with recursive found (key, step) as (
        select min(key), 1 from item_values where field_id = ${id}
        union all
        select (select min(key) from item_values where field_id = ${id} and key > found.key), step + 1
          from found where found.key is not null and step < ${limit})
      select key, (select value from item_values where field_id = ${id} and key = found.key limit 1) as name
        from found where key is not null order by key`.execute(read);
    for (const { key, name } of rows) if (!names.has(key)) names.set(key, name);
  }
  return [...names.values()];
}
