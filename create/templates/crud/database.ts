/** The tables. Statements stand in the folder of each. */
import type { Connection } from 'seeother/database';
import { BEGIN } from './open-database.ts';
import { CREATE_THINGS } from './things/fields.ts';

/** Each runs once, in this order. Never change one that has run anywhere: add another one. */
const MIGRATIONS = [CREATE_THINGS];

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
