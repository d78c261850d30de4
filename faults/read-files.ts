/**
 * The files of items, read from the database and from their place: whether each reference has its bytes, and whether
 * anything is left over after what the service cleans up in time.
 */
import { createHash } from 'node:crypto';
import { createStores } from 'seeother/database';
import type { FileStore } from 'seeother/files';
import { openDatabase } from '../application/database/open-database.ts';
import { sweepFiles } from '../application/items/files/sweep-files.ts';
import { readRows } from './send-forms.ts';

const TWO_DAYS = 2 * 86_400_000;

/** A row of `item_files`. */
export interface StoredFile {
  readonly kind: string;
  /** As it was sent. */
  readonly name: string;
  readonly sha256: string;
  /** The ids of its records. */
  readonly records: readonly string[];
}

export interface FileRecordRow {
  readonly id: string;
  readonly key: string;
  readonly sha256: string;
  readonly isKept: boolean;
}

export async function readFiles(url: string): Promise<readonly StoredFile[]> {
  const rows = await readRows(url, 'select * from item_files order by id');
  return rows.map((row) => ({
    ...{ kind: String(row['kind']), name: String(row['name']), sha256: String(row['sha256']) },
    records: ['file', 'original', 'page_file', 'list_file'].flatMap((column) =>
      row[column] === null ? [] : [String(row[column])],
    ),
  }));
}

/** Of the file store; the table is there once a file was sent. */
export async function readRecords(url: string): Promise<readonly FileRecordRow[]> {
  const rows = await readRows(url, "select * from seeother_files where key <> ''");
  return rows.map((row) => ({
    ...{ id: String(row['id']), key: String(row['key']), sha256: String(row['sha256']) },
    isKept: row['expires_at'] === null,
  }));
}

/** References to files that are not kept, or whose bytes are gone or others. */
export async function countDamaged(
  files: readonly StoredFile[],
  records: readonly FileRecordRow[],
  hashOf: (key: string) => Promise<string | null>,
): Promise<number> {
  const byId = new Map(records.map((one) => [one.id, one]));
  const hashes = new Map<string, string | null>();
  let damaged = 0;
  for (const id of files.flatMap((file) => file.records)) {
    const record = byId.get(id);
    const key = record?.key ?? '';
    if (record !== undefined && !hashes.has(key)) hashes.set(key, await hashOf(key));
    if (record?.isKept !== true || hashes.get(key) !== record.sha256) damaged++;
  }
  return damaged;
}

export async function hashStored(store: FileStore, key: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of store.read(key)) hash.update(chunk);
  } catch {
    return null;
  }
  return hash.digest('hex');
}

/**
 * Ends what people have removed, and what was sent and not kept, as the service does later. Resolves to the number of
 * stored files without a reference, and of records without one.
 */
export async function sweepAll(
  url: string,
  fileStore: FileStore,
  list: () => Promise<readonly string[]>,
): Promise<number> {
  const database = await openDatabase(url);
  try {
    const { files } = createStores(database.door, { fileStore });
    await database.write((transaction) =>
      transaction
        .updateTable('item_files')
        .set({ removed_at: '' })
        .where('removed_at', 'is not', null)
        .execute(),
    );
    const isLeft = async () =>
      (await readRows(url, "select 1 from item_files where removed_at = '' limit 1")).length > 0;
    while (await isLeft()) await database.write((transaction) => sweepFiles(transaction, files));
    await files.removeExpired(new Date(Date.now() + TWO_DAYS));
  } finally {
    await database.close();
  }
  const referred = new Set((await readFiles(url)).flatMap((file) => file.records));
  const records = await readRecords(url);
  const keys = new Set(records.map(({ key }) => key));
  const unreferred = records.filter(({ id }) => !referred.has(id)).length;
  return unreferred + (await list()).filter((key) => !keys.has(key)).length;
}
