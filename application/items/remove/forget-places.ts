/**
 * Removes the names of places for ever, with those of all inside them: rows, earlier names, and what batches say of
 * them. A place in which something is stays, and so does what it is inside. The caller holds the lock of the places.
 */
import { sql } from 'kysely';
import { isSqlite, type KyselyTransaction } from '../../database/kysely.ts';
import { forgetKnown } from '../item-vocabulary.ts';
import { isWithin, type Level, levelsOf } from '../place.ts';
import { countIn } from '../places/count-things.ts';

export interface ForgetOptions {
  /** Whether it goes also as an earlier name of another place, and if somebody has made the place on purpose. */
  readonly isWhole: boolean;
}

export async function forgetPlaces(
  transaction: KyselyTransaction,
  locations: readonly string[],
  { isWhole }: ForgetOptions,
): Promise<void> {
  for (const location of new Set(locations)) {
    const [level, ...outside] = levelsOf(location).toReversed();
    if (level === undefined) continue;
    const { items, isShown } = await countIn(transaction, level.key);
    if (isWhole ? items === 0 : !isShown) await forgetPlace(transaction, level, isWhole);
    // The text named them, too.
    for (const one of outside)
      if (!(await countIn(transaction, one.key)).isShown)
        await forgetPlace(transaction, one, false);
  }
  await forgetKnown(transaction);
}

async function forgetPlace(
  transaction: KyselyTransaction,
  { path, key }: Level,
  withAliases: boolean,
): Promise<void> {
  const within = isWithin(sql`key`, sql`${key}`);
  const tables = withAliases ? ['places', 'place_aliases', 'place_changes'] : ['places'];
  const found = tables.map((table) => sql`select path from ${sql.table(table)} where ${within}`);
  const spelled = await sql<{ path: string }>`${sql.join(found, sql` union `)}`.execute(
    transaction,
  );
  // Their labels lead to nothing from now on, and so do those of places that were merged with them.
  const places = sql`select id from places where ${within}`;
  // Their sweep removes them, with their bytes: see items/files/sweep-files.ts.
  await sql`update item_files set removed_at = '' where item_number = 0 and id in (
    select picture from places where ${within} or merged_into in (${places})
    union select picture from place_changes where place in (${places})
    union select picture_after from place_changes where place in (${places}))`.execute(transaction);
  await sql`delete from place_changes where place in (${places})`.execute(transaction);
  await sql`delete from places where merged_into in (${places})`.execute(transaction);
  await sql`delete from places where ${within}`.execute(transaction);
  for (const table of tables.slice(1))
    await sql`delete from ${sql.table(table)} where ${within}`.execute(transaction);
  const contains = isSqlite(transaction) ? sql`instr` : sql`strpos`;
  for (const text of new Set([path, ...spelled.rows.map((row) => row.path)])) {
    await sql`update places set path = '', name = '–' where key is null and path = ${text}`.execute(
      transaction,
    );
    // With the quotation mark before it: the beginning of a path.
    const quoted = JSON.stringify(text).slice(0, -1);
    await sql`update batches set about = '{}' where ${contains}(about, ${quoted}) > 0
      and kind in ('places added', 'place changed', 'place removed', 'place pictured')`.execute(
      transaction,
    );
  }
}
