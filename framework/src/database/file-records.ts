/**
 * The records of files in a table. A form keeps a file in its own transaction, so a record of the application and its
 * file are both there or neither. `expires_at` is null for a kept file, and empty for a discarded one.
 */
import { randomUUID } from 'node:crypto';
import type { FileRecord, FileRecords } from '../upload/file-records.ts';
import type { Database, Value, WriteTransaction } from './database.ts';
import { openTable } from './tables.ts';

/** The id of a row without a file: it tells that files were stored, after the last one was removed. */
const BEGINNING = 'beginning';

const COLUMNS = 'key, owner, name, type, size, sha256';

/** It creates the table `seeother_files` when it is first used. */
export function createFileRecords<Transaction extends WriteTransaction = WriteTransaction>(
  database: Database<Transaction>,
): FileRecords<Transaction> {
  const own = openTable(database, null, 'seeother_files', (name) => [
    `create table if not exists ${name} (id text primary key, key text not null, owner text,
      name text not null, type text not null, size bigint not null, sha256 text not null,
      expires_at text)`,
    `create index if not exists ${name}_by_key on ${name} (key)`,
    `create index if not exists ${name}_by_end on ${name} (expires_at)`,
    `create index if not exists ${name}_by_content on ${name} (sha256)`,
  ]);
  const { name, prepare, read } = own;
  const write = <Row>(text: string, values: readonly Value[]) =>
    own.write(({ run }) => run<Row>(text, values));
  const now = () => new Date().toISOString();
  // On SQLite, a transaction that writes already holds the only lock.
  const locked = database.engine === 'postgres' ? 'for update' : '';
  /** The contents that a transaction has locked. */
  const held = new WeakMap<Transaction, Set<string>>();

  return {
    async add({ key, owner, name: fileName }, expiresAt) {
      await write(
        `insert into ${name} (id, ${COLUMNS}, expires_at) values (?, ?, ?, ?, '', 0, '', ?)`,
        [randomUUID(), key, owner, fileName, expiresAt.toISOString()],
      );
    },
    async complete(key, { type, size, sha256 }) {
      const values = [type, size, sha256, key];
      await write(`update ${name} set type = ?, size = ?, sha256 = ? where key = ?`, values);
    },
    async findParked(key, owner) {
      const rows = await read<FileRow>(
        `select ${COLUMNS} from ${name} where key = ? and sha256 <> ''
          and (expires_at is null or expires_at > ?) and (owner is null or owner = ?) limit 1`,
        [key, now(), owner],
      );
      return toRecord(rows[0]);
    },
    async park(key, owner, expiresAt) {
      await write(`update ${name} set owner = ?, expires_at = ? where key = ? and expires_at > ?`, [
        owner,
        expiresAt.toISOString(),
        key,
        now(),
      ]);
    },
    async lock(contents, transaction) {
      if (database.engine === 'sqlite') return;
      const known = held.get(transaction) ?? new Set();
      const more = contents.filter((sha256) => !known.has(sha256));
      if (more.length === 0) return;
      await transaction.run(
        `select pg_advisory_xact_lock(5334306, content) from (select distinct hashtext(sha256) as content
          from unnest(string_to_array(?, ' ')) as sha256 order by content) as contents`,
        [more.join(' ')],
      );
      held.set(transaction, known.union(new Set(more)));
    },
    async keep(key, transaction) {
      await prepare(transaction);
      const run = async <Row>(text: string, values: readonly Value[]) =>
        (await transaction.run<Row>(text, values)).rows[0];
      const own = `from ${name} where key = ? and sha256 <> ''
        and (expires_at is null or expires_at > ?) limit 1`;
      // Until this form has a record of its own, nobody may remove the other one.
      const kept = await run<{ readonly key: string }>(
        `select key from ${name} where (sha256, size) = (select sha256, size ${own})
          and expires_at is null limit 1 ${locked}`,
        [key, now()],
      );
      if (kept === undefined) {
        const record = await run<{ readonly id: string }>(
          `update ${name} set expires_at = null where key = ? and sha256 <> '' and expires_at > ?
            returning id`,
          [key, now()],
        );
        return record === undefined ? null : { id: record.id, isShared: false };
      }
      const id = randomUUID();
      await run(
        `insert into ${name} (id, ${COLUMNS})
          select ?, cast(? as text), owner, name, type, size, sha256 ${own}`,
        [id, kept.key, key, now()],
      );
      return { id, isShared: kept.key !== key };
    },
    async find(id) {
      const rows = await read<FileRow>(
        `select ${COLUMNS} from ${name} where id = ? and key <> '' and expires_at is null`,
        [id],
      );
      return toRecord(rows[0]);
    },
    async remove(id, transaction) {
      await prepare(transaction);
      const text = `update ${name} set expires_at = '' where id = ? and expires_at is null`;
      await transaction.run(text, [id]);
    },
    async parked() {
      await prepare();
      const { rows } = await database.slowRead.run<Readonly<Record<string, Value>>>(
        `select count(*) as files, coalesce(sum(size), 0) as bytes,
          coalesce(sum(case when owner is null then 1 else 0 end), 0) as visitor_files,
          coalesce(sum(case when owner is null then size else 0 end), 0) as visitor_bytes
          from ${name} where expires_at is not null`,
      );
      const [row] = rows;
      return {
        all: { files: Number(row?.['files']), bytes: Number(row?.['bytes']) },
        visitors: {
          files: Number(row?.['visitor_files']),
          bytes: Number(row?.['visitor_bytes']),
        },
      };
    },
    async discard(key) {
      const { rows } = await write<{ readonly id: string }>(
        `update ${name} as one set expires_at = '' where key = ? and expires_at is not null
          and not exists (select 1 from ${name} other
            where other.key = one.key and other.expires_at is null) returning id`,
        [key],
      );
      return rows[0]?.id ?? null;
    },
    async takeExpired(at) {
      // A transaction that keeps one of them now holds its row, so this waits for it.
      await write(`update ${name} set expires_at = '' where expires_at <= ?`, [at.toISOString()]);
      const rows = await read<{
        readonly id: string;
        readonly key: string;
        readonly needed: Value;
      }>(
        `select id, key, (select count(*) from ${name} other where other.key = one.key
          and (other.expires_at is null or other.expires_at <> '')) as needed
          from ${name} one where expires_at = ''`,
        [],
      );
      return rows.map(({ id, key, needed }) => ({ id, key, isShared: Number(needed) > 0 }));
    },
    async forget(id) {
      await write(`delete from ${name} where id = ? and expires_at = ''`, [id]);
    },
    isNew: async () => (await read(`select 1 from ${name} where id = ?`, [BEGINNING])).length === 0,
    async begin() {
      await write(
        `insert into ${name} (id, ${COLUMNS}) values (?, '', null, '', '', 0, '')
          on conflict do nothing`,
        [BEGINNING],
      );
    },
  };
}

type FileRow = Omit<FileRecord, 'size'> & { readonly size: Value };

function toRecord(row: FileRow | undefined): FileRecord | null {
  return row === undefined ? null : { ...row, size: Number(row.size) };
}
