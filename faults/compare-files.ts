/**
 * Compares two SQLite databases, table by table and row by row. It reads them without the application,
 * with all columns and their types, ordered by all columns.
 */
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

/**
 * Tables that are not copied: each database creates its own revisions, and its own index of words and vocabulary, whose
 * inner tables depend on the order in which the words came.
 */
export function isOwnTable(name: string): boolean {
  return (
    name === 'revisions' ||
    /^item_(?:vocabulary|(?:words|trigrams)(?:_(?:config|data|docsize|idx))?)$/.test(name)
  );
}

/** The number of tables that differ, in their definition or in a row. */
export function compareFiles(one: string, other: string): number {
  const [before, after] = [digestFile(one), digestFile(other)];
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).length;
}

function digestFile(file: string): ReadonlyMap<string, string> {
  const database = new DatabaseSync(file, { readOnly: true });
  const made = database
    .prepare(
      "select name, type, sql from sqlite_master where name not like 'kysely%' order by name",
    )
    .all();
  const digests = made.map(({ name, type, sql }) => {
    const hash = createHash('sha256').update(String(sql));
    if (type === 'table' && !isOwnTable(String(name))) {
      const columns = database.prepare(`select * from "${name}"`).columns();
      const order = columns.map((_, index) => index + 1).join();
      const rows = database.prepare(`select * from "${name}" order by ${order}`).iterate();
      for (const row of rows) hash.update(JSON.stringify(row));
    }
    return [String(name), hash.digest('hex')] as const;
  });
  database.close();
  return new Map(digests);
}
