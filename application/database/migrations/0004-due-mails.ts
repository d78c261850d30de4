/** The mails about loans that are due: the address of an account, and whether it has asked for them. */
import { type Kysely, sql } from 'kysely';
import { columnTypes, runAll } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await runAll(database, [
    sql`create table due_mails (
      account_id ${integer} primary key references accounts (id) on delete cascade,
      email ${text},
      token ${text} unique,
      is_on ${integer} not null default 0,
      mailed_on ${text} not null default '')`,
  ]);
}
