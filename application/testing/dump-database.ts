/** Reads everything in a database of either engine, without the application. */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { runSql } from './postgres/cluster.ts';

type Dump = Readonly<Record<string, readonly Record<string, unknown>[]>>;

/** Every table with all its rows, in order; equal if nothing was written. */
export async function dumpDatabase(url: string): Promise<Dump> {
  if (url.startsWith('sqlite:')) return dumpFile(url.slice('sqlite:'.length));
  const tables = await runSql(
    url,
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const dump: [string, readonly Record<string, unknown>[]][] = [];
  for (const { name } of tables)
    dump.push([String(name), await runSql(url, `select * from "${name}" order by ctid`)]);
  return Object.fromEntries(dump);
}

function dumpFile(file: string): Dump {
  const database = new DatabaseSync(file, { readOnly: true });
  // Without the internal tables of virtual tables.
  const tables = database
    .prepare(
      "select name from pragma_table_list where schema = 'main' and type in ('table', 'virtual') and name not like 'sqlite%' order by name",
    )
    .all()
    .map(({ name }) => String(name));
  const dump = tables.map((name) => [
    name,
    database
      .prepare(`select * from "${name}" order by rowid`)
      .all()
      .map((row) => ({ ...row })),
  ]);
  database.close();
  return Object.fromEntries(dump);
}

/** What an attacker with a copy of the database sees: its files, or every row. */
export async function copyDatabase(url: string): Promise<Buffer> {
  if (!url.startsWith('sqlite:')) return Buffer.from(JSON.stringify(await dumpDatabase(url)));
  const file = url.slice('sqlite:'.length);
  return Buffer.concat([readFileSync(file), readFileSync(`${file}-wal`)]);
}
