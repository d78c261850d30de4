/**
 * Copies a database to another one, of either engine: in batches, so that memory does not grow with its size, and
 * in one transaction of the target, so that an interrupted copy leaves nothing. Every copied table is read again
 * and compared with its source.
 *
 * Other programs may write meanwhile: the source is read from one snapshot, and the tables of the target are locked.
 */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { createOutbox, createStores } from 'seeother/database';
import { type Database, isSqlite } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { countAllFacets, FACET_SOURCES } from '../items/facets.ts';
import { indexAllItems } from '../items/item-search.ts';
import { StartError } from '../settings/start-error.ts';

/** Referenced tables first, each with the columns that identify and order its rows. */
const TABLES = {
  counters: ['name'],
  accounts: ['id'],
  due_mails: ['account_id'],
  sessions: ['key'],
  devices: ['key'],
  item_kinds: ['id'],
  own_fields: ['id'],
  field_changes: ['id'],
  items: ['number'],
  item_values: ['item_number', 'field_id', 'position'],
  item_tags: ['item_number', 'position'],
  loans: ['item', 'at'],
  item_gaps: ['block'],
  places: ['id'],
  place_aliases: ['key'],
  place_changes: ['batch', 'place'],
  item_events: ['id'],
  item_files: ['id'],
  batches: ['id'],
  counts: ['id'],
  count_lines: ['count_id', 'item_number'],
  imports: ['id'],
  import_pieces: ['import_id', 'position'],
  import_rows: ['import_id', 'position'],
  import_refusals: ['import_id', 'position'],
  import_photos: ['import_id', 'position'],
  import_zips: ['file'],
  import_columns: ['headings'],
  imported_files: ['hash'],
  item_sources: ['source', 'kind', 'item_number'],
  receipts: ['owner', 'once', 'digest'],
  failed_log_ins: ['subject', 'at', 'pending'],
} as const satisfies {
  readonly [name in Exclude<
    keyof Schema,
    'revisions' | 'item_words' | 'item_vocabulary' | 'item_facets'
  >]: readonly string[];
};

/**
 * Those of the framework. It makes some when it first needs them: the records of files, the values of forms, and
 * waiting mails.
 */
const FRAMEWORK_TABLES = {
  seeother_account_tokens: ['key'],
  seeother_account_events: ['id'],
  seeother_passkeys: ['id'],
  seeother_identities: ['provider', 'subject'],
  seeother_files: ['id'],
  seeother_values: ['key'],
  seeother_outbox: ['id'],
} as const;

const ALL_TABLES = { ...TABLES, ...FRAMEWORK_TABLES };

type TableName = keyof typeof ALL_TABLES;
type CopiedRow = Readonly<Record<string, string | number | null>>;

export interface CopiedTable {
  readonly name: string;
  readonly rows: number;
  /** SHA-256 of all rows in order; the same on both engines. */
  readonly checksum: string;
}

export interface CopyOptions {
  /** Called after each batch with the table, the number of its rows that were copied, and of all. */
  readonly onProgress?: (table: string, done: number, all: number) => void;
}

const BATCH = 500;

/** Rejects with a StartError when the target is not empty, or differs at the end. */
export async function copyDatabase(
  from: Database,
  to: Database,
  { onProgress = () => {} }: CopyOptions = {},
): Promise<readonly CopiedTable[]> {
  const tables = await findTables(from);
  await makeFrameworkTables(to);
  return from.snapshot((source) =>
    to.write(async (target) => {
      await reserveTables(target, tables);
      await requireEmpty(target, tables);
      await switchFacets(target, 'disable');
      const copied: CopiedTable[] = [];
      for (const name of tables) {
        const all = await countRows(source, name);
        let done = 0;
        const checksum = await readTable(source, name, async (rows) => {
          await insertRows(target, name, rows);
          done += rows.length;
          onProgress(name, done, all);
        });
        if ((await readTable(target, name)) !== checksum) {
          throw new StartError(
            `Cannot copy the table ${name}: what arrived differs from what was sent. Nothing was changed; try again, and report it when it happens again.`,
          );
        }
        copied.push({ name, rows: done, checksum });
      }
      await countEventsOn(target);
      await indexAllItems(target);
      await countAllFacets(target);
      await switchFacets(target, 'enable');
      return copied;
    }),
  );
}

async function findTables({ read }: Database): Promise<readonly TableName[]> {
  const there = new Set((await read.introspection.getTables()).map(({ name }) => name));
  const names = Object.keys(ALL_TABLES) as TableName[];
  return names.filter((name) => !Object.hasOwn(FRAMEWORK_TABLES, name) || there.has(name));
}

async function makeFrameworkTables(to: Database): Promise<void> {
  const { files, values } = createStores({ ...to.door, write: to.write });
  await files.records.isNew();
  await values.find('');
  await createOutbox(to.door, { none: async () => {} }).failed();
}

/** Others cannot write, as always on SQLite. On PostgreSQL the transaction may wait between two statements. */
async function reserveTables(target: Kysely<Schema>, names: readonly TableName[]): Promise<void> {
  if (isSqlite(target)) return;
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(target);
  const tables = sql.join(names.map((name) => sql.table(name)));
  await sql`lock table ${tables} in exclusive mode`.execute(target);
}

/**
 * Whether the triggers of PostgreSQL count the locations and tags of added rows. It keeps every version of a
 * count until the transaction ends and reads them all at the next change, so they are counted once, at the end.
 */
async function switchFacets(target: Kysely<Schema>, to: 'disable' | 'enable'): Promise<void> {
  if (isSqlite(target)) return;
  for (const { field, table } of FACET_SOURCES)
    await sql`alter table ${sql.table(table)} ${sql.raw(to)} trigger
      ${sql.ref(`count_${field}_after_insert`)}`.execute(target);
}

async function requireEmpty(target: Kysely<Schema>, names: readonly TableName[]): Promise<void> {
  for (const name of names) {
    const rows = await countRows(target, name);
    if (rows === 0) continue;
    throw new StartError(
      `Cannot copy into a database that is not empty: its table ${name} has ${rows} rows. Name a new database.`,
    );
  }
}

async function countRows(database: Kysely<Schema>, name: TableName): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from ${sql.table(name)}`.execute(database);
  return rows[0]?.count ?? 0;
}

/** Passes all rows to `take`, in batches and in the order of their key. Resolves to their checksum. */
async function readTable(
  database: Kysely<Schema>,
  name: TableName,
  take: (rows: readonly CopiedRow[]) => Promise<void> = async () => {},
): Promise<string> {
  const hash = createHash('sha256');
  const key: readonly string[] = ALL_TABLES[name];
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let after: CopiedRow | undefined;
  // These rows have no unique key to continue after. There are never many, so one batch has all of them.
  const batch = name === 'failed_log_ins' ? sql`` : sql`limit ${sql.lit(BATCH)}`;
  for (;;) {
    const last = after;
    const rest =
      last === undefined
        ? sql``
        : sql`where (${columns}) > (${sql.join(key.map((column) => last[column]))})`;
    const { rows } =
      await sql<CopiedRow>`select * from ${sql.table(name)} ${rest} order by ${columns} ${batch}`.execute(
        database,
      );
    if (rows.length > 0) await take(rows);
    for (const row of rows) hash.update(toLine(row));
    after = rows.at(-1);
    if (rows.length < BATCH || name === 'failed_log_ins') return hash.digest('hex');
  }
}

/** Sorts the columns by name, because their order may differ between the databases. */
function toLine(row: CopiedRow): string {
  const columns = Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1));
  return `${JSON.stringify(columns)}\n`;
}

async function insertRows(
  target: Kysely<Schema>,
  name: TableName,
  rows: readonly CopiedRow[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const names = sql.join(columns.map((column) => sql.ref(column)));
  // PostgreSQL gives no other id than its own count without it.
  const overriding = isSqlite(target) ? sql`` : sql`overriding system value`;
  // A hundred rows stay far below the number of parameters that the engines accept.
  for (let start = 0; start < rows.length; start += 100) {
    const values = rows
      .slice(start, start + 100)
      .map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    await sql`insert into ${sql.table(name)} (${names}) ${overriding}
      values ${sql.join(values)}`.execute(target);
  }
}

/** SQLite counts on from the greatest id by itself. */
async function countEventsOn(target: Kysely<Schema>): Promise<void> {
  if (isSqlite(target)) return;
  await sql`select setval(pg_get_serial_sequence('seeother_account_events', 'id'), max(id))
    from seeother_account_events`.execute(target);
}
