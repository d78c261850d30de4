/** A new database in a folder of its own; both are gone when the test has ended. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { createItems, type ItemInput } from '../models/item.ts';

export interface TestDatabase extends Database {
  readonly file: string;
}

export async function openTestDatabase(t: TestContext): Promise<TestDatabase> {
  const folder = makeFolder();
  const file = join(folder, 'application.db');
  const database = await openDatabase(`sqlite:${file}`);
  t.after(async () => {
    await database.close();
    removeFolder(folder);
  });
  return { ...database, file };
}

export function createTestFolder(t: TestContext): string {
  const folder = makeFolder();
  t.after(() => removeFolder(folder));
  return folder;
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'seeother-'));
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** An account without the cost of a password: nobody can log in with it. */
export async function addAccount(database: Database, id: number, username: string): Promise<void> {
  const row = {
    id,
    username,
    username_key: username.toLowerCase(),
    password_hash: 'none',
    created_at: new Date().toISOString(),
  };
  await database.write((transaction) => transaction.insertInto('accounts').values(row).execute());
}

/** An item without a form; resolves to its number. */
export function addItem(
  database: Database,
  input: ItemInput,
  author: number | null = null,
): Promise<number> {
  return database.write((transaction) => createItems(database).create(transaction, input, author));
}
