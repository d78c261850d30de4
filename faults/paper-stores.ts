/** The database and the files of paper-site.ts: SQLite or PostgreSQL, a folder or a bucket. */
import { createStores } from 'seeother/database';
import { createFolder } from 'seeother/files';
import { openPostgres, parsePostgresUrl } from 'seeother/postgres';
import { createS3Store } from 'seeother/s3';
import { openSqlite } from 'seeother/sqlite';

/** Of the server of a fault, which checks none. */
const KEYS = { accessKeyId: 'test', secretAccessKey: 'test' };

/** `database` is a file, or the address of PostgreSQL; `place` a folder, or the address of a bucket. */
export async function openPapers(database: string, place: string) {
  const options = {
    async migrate({ run }: { readonly run: (sql: string) => Promise<unknown> }) {
      await run('create table if not exists papers (title text, at integer, name text, file text)');
      await run('create table if not exists plans (title text, at integer, file text)');
    },
  };
  const opened = database.startsWith('postgres:')
    ? await openPostgres(parsePostgresUrl(database), options)
    : await openSqlite(database, options);
  const fileStore = place.startsWith('s3:') ? createS3Store(place, KEYS) : createFolder(place);
  return { database: opened, stores: createStores(opened, { fileStore }) };
}
