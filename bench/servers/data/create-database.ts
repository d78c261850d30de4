/** Creates the database that every contender gets a copy of: the sample items and one user. */
import { DatabaseSync } from 'node:sqlite';
import { SAMPLE_ITEMS } from './sample-items.ts';
import { SCHEMA } from './schema.ts';
import { openStore } from './store.ts';

export const USERNAME = 'ada';

export function createDatabase(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`pragma journal_mode = wal; ${SCHEMA}`);
  database.prepare('insert into accounts (username) values (?)').run(USERNAME);
  const store = openStore(file);
  const user = store.findUser(USERNAME);
  if (user === null) throw new Error('Cannot fill the database: its user is not there.');
  for (const item of SAMPLE_ITEMS) store.createItem(item, user);
  // Whoever closes last empties the write-ahead log: the file alone is the whole database.
  store.close();
  database.close();
}
