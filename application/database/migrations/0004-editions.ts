/**
 * Editions: a random revision of the data that pages show, for entity tags. Triggers set a new one
 * with every change, so changes by an older release or another program count too.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { columnTypes, createPostgresTrigger, isSqlite } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  await database.schema
    .createTable('editions')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('edition', text, (column) => column.notNull())
    .execute();
  const edition = isSqlite(database)
    ? sql`lower(hex(randomblob(16)))`
    : sql`gen_random_uuid()::text`;
  await sql`insert into editions (name, edition) values ('items', ${edition})`.execute(database);

  const change = sql`update editions set edition = ${edition} where name = 'items'`;
  for (const table of ['items', 'item_tags'])
    await afterEveryChange(database, table, ['insert', 'update', 'delete'], change);
  // The pages of items show the usernames of who added and changed them.
  await afterEveryChange(database, 'accounts', ['update of username'], change);
}

/** Runs the statement, which holds no values, in every transaction that changes the table so. */
async function afterEveryChange(
  database: Kysely<unknown>,
  table: string,
  events: readonly string[],
  statement: RawBuilder<unknown>,
): Promise<void> {
  if (!isSqlite(database)) {
    const when = sql`after ${sql.raw(events.join(' or '))} on ${sql.table(table)} for each statement`;
    await createPostgresTrigger(database, `after_change_of_${table}`, when, sql`${statement};`);
    return;
  }
  for (const event of events) {
    const name = `after_${event.replaceAll(' ', '_')}_${table}`;
    await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)}
      on ${sql.table(table)} begin ${statement}; end`.execute(database);
  }
}
