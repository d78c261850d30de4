/**
 * A new database of either engine, gone when the test has ended: SQLite in a folder of its own, or
 * PostgreSQL on the server of the tests. TEST_DATABASE=postgres makes that the engine of all tests
 * that do not name one, and leaves out those of `testOnEngines`, which run on both without it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import type { Database } from '../database/database.ts';
import { type OpenOptions, openDatabase } from '../database/open-database.ts';
import { createItems } from '../items/item.ts';
import type { ItemInput } from '../items/item-rows.ts';
import { createPostgresDatabase } from './postgres/cluster.ts';
import { skipWithoutPrograms } from './postgres/find-programs.ts';

export interface TestDatabase extends Database {
  readonly url: string;
  /** Empty when it is not a file. */
  readonly file: string;
}

/** The engine of tests that do not name one. */
export const ENGINE: Database['engine'] =
  process.env['TEST_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite';

/** To register tests for each: `for (const { engine, skip } of ENGINES) test(name, { skip }, …)`. */
export const ENGINES = [
  { engine: 'sqlite', name: 'SQLite', skip: false },
  { engine: 'postgres', name: 'PostgreSQL', skip: skipWithoutPrograms() },
] as const;

const engines = new WeakMap<TestContext, Database['engine']>();

/** The same test on both engines: `openTestDatabase(t)` opens the one whose turn it is. */
export function testOnEngines(name: string, run: (t: TestContext) => Promise<void>): void {
  if (ENGINE === 'postgres') return;
  for (const { engine, name: engineName, skip } of ENGINES) {
    test(`${name} (${engineName})`, { skip }, (t) => {
      engines.set(t, engine);
      return run(t);
    });
  }
}

/** Ten times the default: a loaded machine answers late, and most tests are not about that. */
export const PATIENT = { timeout: 20_000 };

export async function openTestDatabase(
  t: TestContext,
  engine = engines.get(t) ?? ENGINE,
  options: Partial<OpenOptions> = PATIENT,
): Promise<TestDatabase> {
  const { url, drop } = await createTestDatabase(engine);
  const database = await openDatabase(url, options);
  t.after(async () => {
    await database.close();
    await drop();
  });
  return { ...database, url, file: fileOf(url) };
}

/** Another instance on the same database, until the test has ended. */
export async function openAnother(
  t: TestContext,
  { url }: TestDatabase,
  options: Partial<OpenOptions> = PATIENT,
): Promise<TestDatabase> {
  const database = await openDatabase(url, options);
  // Before the database itself goes.
  t.after(() => database.close());
  return { ...database, url, file: fileOf(url) };
}

/** Where an application can keep its data, with all tables; `drop` takes it away again. */
export async function createTestDatabase(
  engine = ENGINE,
): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  if (engine === 'postgres') return createPostgresDatabase();
  const folder = makeFolder();
  const file = join(folder, 'application.db');
  template ??= makeTemplate();
  writeFileSync(file, await template);
  return { url: `sqlite:${file}`, drop: async () => removeFolder(folder) };
}

/** A file with all tables, which is ten times as fast to write as they are to make. */
let template: Promise<Buffer> | undefined;

async function makeTemplate(): Promise<Buffer> {
  const folder = makeFolder();
  const file = join(folder, 'application.db');
  await (await openDatabase(`sqlite:${file}`)).close();
  const content = readFileSync(file);
  removeFolder(folder);
  return content;
}

/** Empty when the database is not a file. */
export function fileOf(url: string): string {
  return url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : '';
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
