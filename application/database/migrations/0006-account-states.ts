/**
 * What an account and its sessions need beside the password: an account that is disabled, a password
 * that expires, a session id that a new one has superseded, and a try to log in that is under way.
 *
 * It only adds columns with defaults, so that old code runs beside the new.
 */
import type { Kysely } from 'kysely';
import { engineOf } from '../kysely.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  const text = engineOf(database).textType;
  for (const name of ['disabled_at', 'password_expires_at']) {
    await schema.alterTable('accounts').addColumn(name, text).execute();
  }
  await schema
    .alterTable('sessions')
    .addColumn('superseded', engineOf(database).integerType, (column) =>
      column.notNull().defaultTo(0),
    )
    .execute();
  await schema
    .alterTable('failed_log_ins')
    .addColumn('pending', text, (column) => column.notNull().defaultTo(''))
    .execute();
}
