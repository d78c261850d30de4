/**
 * Opens a database for a test and deletes it afterwards. With TEST_DATABASE=postgres, tests without
 * a fixed engine use PostgreSQL, and tests of `testOnEngines` are skipped, because they run on both
 * engines without it.
 */
import { randomUUID } from 'node:crypto';
import test, { after, type TestContext } from 'node:test';
import type { Insertable } from 'kysely';
import { nextNumber } from '../database/counter.ts';
import type { Database } from '../database/kysely.ts';
import { type OpenOptions, openDatabase } from '../database/open-database.ts';
import type { Schema } from '../database/schema.ts';
import { createItems } from '../items/item.ts';
import type { NewItem } from '../items/item-rows.ts';
import {
  createTestDatabase,
  ENGINE,
  fileOf,
  makeFolder,
  removeFolder,
} from './create-test-database.ts';
import { EMPTY } from './postgres/cluster.ts';
import { skipWithoutPrograms } from './postgres/find-programs.ts';

export interface TestDatabase extends Database {
  readonly url: string;
  /** Empty if the database is not a file. */
  readonly file: string;
}

/** To register tests for each: `for (const { engine, skip } of ENGINES) test(name, { skip }, …)`. */
export const ENGINES = [
  { engine: 'sqlite', name: 'SQLite', skip: false },
  { engine: 'postgres', name: 'PostgreSQL', skip: skipWithoutPrograms() },
] as const;

const engines = new WeakMap<Releasing, Database['engine']>();

/** Set by the phase of a release that has nothing but repeats. */
const REPEATS = process.env['TEST_REPEATS'] !== undefined;

/** As ENGINES, for the tests that repeat on PostgreSQL: SQLite in `npm test`, and PostgreSQL in that phase. */
export const REPEATED = ENGINES.filter(({ engine }) => (engine === 'postgres') === REPEATS);

/**
 * Registers the test for both engines: `openTestDatabase(t)` opens the engine of the running one.
 */
export function testOnEngines(name: string, run: (t: TestContext) => Promise<void>): void {
  if (!REPEATS) register(name, run, ENGINES);
}

/**
 * As `testOnEngines`, for what another test proves of PostgreSQL: that each statement runs there, and counts once.
 * `npm test` has it on SQLite, and `npm run test:release` on PostgreSQL.
 */
export function repeatOnEngines(name: string, run: (t: TestContext) => Promise<void>): void {
  register(name, run, REPEATED);
}

function register(
  name: string,
  run: (t: TestContext) => Promise<void>,
  on: readonly (typeof ENGINES)[number][],
): void {
  if (ENGINE === 'postgres') return;
  for (const { engine, name: engineName, skip } of on) {
    test(`${name} (${engineName})`, { skip }, (t) => {
      engines.set(t, engine);
      return run(t);
    });
  }
}

/** Ten times the default, because a busy machine is slow. */
export const PATIENT = { timeout: 20_000 };

/** What a test or a part of it has: functions that are called at its end. */
type Releasing = Pick<TestContext, 'after'>;

/**
 * Open PostgreSQL databases that their tests have emptied. To open one again would start five processes
 * of the server and migrate, which takes longer than most tests. A test with options of its own has a new one.
 */
const idle: OpenedDatabase[] = [];
after(() => Promise.all(idle.map((database) => database.close())));

export async function openTestDatabase(
  t: Releasing,
  engine = engines.get(t) ?? ENGINE,
  options: Partial<OpenOptions> = PATIENT,
): Promise<TestDatabase> {
  const isShared = engine === 'postgres' && options === PATIENT;
  const known = isShared ? idle.pop() : undefined;
  const database = known ?? (await openNew(engine, options));
  t.after(async () => {
    if (isShared && (await isEmptied(database))) idle.push(database);
    else await database.drop();
  });
  return database;
}

interface OpenedDatabase extends TestDatabase {
  readonly drop: () => Promise<void>;
}

async function openNew(
  engine: Database['engine'],
  options: Partial<OpenOptions>,
): Promise<OpenedDatabase> {
  const { url, drop } = await createTestDatabase(engine);
  const database = await openDatabase(url, options);
  return {
    ...database,
    url,
    file: fileOf(url),
    async drop() {
      await database.close();
      await drop();
    },
  };
}

/** Whether the database is as new. A test that has broken its connections may have left one that is not. */
function isEmptied({ door }: Database): Promise<boolean> {
  return door
    .write((connection) => connection.run(EMPTY))
    .then(
      () => true,
      () => false,
    );
}

/** Opens the same database again, until the end of the test. */
export async function openAnother(
  t: TestContext,
  { url }: TestDatabase,
  options: Partial<OpenOptions> = PATIENT,
): Promise<TestDatabase> {
  const database = await openDatabase(url, options);
  // Must close before the database is deleted.
  t.after(() => database.close());
  return { ...database, url, file: fileOf(url) };
}

export function createTestFolder(t: Releasing): string {
  const folder = makeFolder();
  t.after(() => removeFolder(folder));
  return folder;
}

/** Adds an account without a form. By default it is a member who cannot log in. */
export async function addAccount(
  database: Database,
  id: number | 'next',
  username: string,
  columns: NewRow = {},
): Promise<void> {
  await database.write(async (transaction) => {
    const row = {
      id: id === 'next' ? await nextNumber(transaction, 'accounts') : id,
      ...{ username, username_key: username.toLowerCase(), handle: randomUUID() },
      ...{ password_hash: 'none', role: 'member', created_at: new Date().toISOString() },
    };
    await transaction
      .insertInto('accounts')
      .values({ ...row, ...columns })
      .execute();
  });
}

type NewRow = Partial<Insertable<Schema['accounts']>>;

/** Adds an item without a form; resolves to its number. */
export function addItem(
  database: Database,
  input: NewItem,
  author: number | null = null,
): Promise<number> {
  return database.write((transaction) => createItems(database).create(transaction, input, author));
}
