/**
 * Copies a database of 100,000 items from SQLite to PostgreSQL and back with the real command, and
 * kills each copy several times. A killed copy must leave nothing, the next one must succeed, the
 * database that comes back must be identical, and the memory must not grow with the number of items.
 */
import { join } from 'node:path';
import { openDatabase } from '../application/database/open-database.ts';
import { fillDatabase } from '../application/testing/fill-database.ts';
import { runSql } from '../application/testing/postgres/cluster.ts';
import { compareFiles, isOwnTable } from './compare-files.ts';
import { addressOf, startPostgresServer } from './postgres-server.ts';
import { type Copy, killCopy, runCopy } from './run-copy.ts';

const ITEMS = 100_000;

/**
 * `kills` is how often each copy is killed before it may finish. `leftovers` are rows that killed copies have left, and
 * `differences` tables that differ after both copies. Megabytes are the peaks, for a tenth of the items and for all.
 */
export async function copyBothWays(kills: number) {
  const { server, folder, remove } = await startPostgresServer();
  const copyItems = async (name: string, items: number, killed: number) => {
    const [first, last] = [join(folder, `${name}.db`), join(folder, `${name}-back.db`)];
    const source = await openDatabase(`sqlite:${first}`);
    await fillDatabase(source, items);
    await source.close();
    await runSql(addressOf(server, 'postgres'), `create database ${name}`);
    const middle = addressOf(server, name);
    const there = await copyAfterKills(`sqlite:${first}`, middle, killed);
    const back = await copyAfterKills(middle, `sqlite:${last}`, killed);
    const differences = compareFiles(first, last) + (there.output === back.output ? 0 : 1);
    return { there, back, differences };
  };
  try {
    const tenth = await copyItems('tenth', ITEMS / 10, 0);
    const { there, back, differences } = await copyItems('whole', ITEMS, kills);
    const rows = there.output.matchAll(/^\w+ +(\d+) /gm);
    const seconds = ({ milliseconds }: Copy) => (milliseconds / 1_000).toFixed(1);
    return {
      items: ITEMS,
      rows: rows.reduce((sum, [, count]) => sum + Number(count), 0),
      seconds: `${seconds(there)} and ${seconds(back)}`,
      megabytesForATenth: `${tenth.there.megabytes} and ${tenth.back.megabytes}`,
      megabytes: `${there.megabytes} and ${back.megabytes}`,
      killed: 2 * kills,
      leftovers: there.leftovers + back.leftovers,
      differences: tenth.differences + differences,
    };
  } finally {
    await remove();
  }
}

async function copyAfterKills(from: string, to: string, kills: number) {
  let leftovers = 0;
  for (let count = 0; count < kills; count++) {
    await killCopy(from, to);
    leftovers += await countRows(to);
  }
  return { ...(await runCopy(from, to)), leftovers };
}

/** In all copied tables. */
async function countRows(url: string): Promise<number> {
  const database = await openDatabase(url);
  let rows = 0;
  for (const { name } of await database.read.introspection.getTables()) {
    if (isOwnTable(name)) continue;
    const { count } = await database.read
      .selectFrom(name as 'items')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    rows += count;
  }
  await database.close();
  return rows;
}
