import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { StartError } from '../settings/start-error.ts';
import { createTestFolder, openTestDatabase } from '../testing/open-test-database.ts';
import { openDatabase } from './open-database.ts';

const OPEN_DATABASE = pathToFileURL(join(import.meta.dirname, 'open-database.ts')).href;

/**
 * Opens and closes the database in a process of its own; `before` runs when the code is loaded, and
 * `limits` are commands of the shell that starts it.
 */
async function openElsewhere(file: string, before = '', limits = ''): Promise<string> {
  const code = `
    import { openDatabase } from ${JSON.stringify(OPEN_DATABASE)};
    ${before}
    try {
      await (await openDatabase('sqlite:' + ${JSON.stringify(file)})).close();
      process.stdout.write('opened');
    } catch (error) {
      process.stdout.write(error.name + ': ' + error.message);
    }`;
  const args = ['--input-type=module', '--eval', code];
  const child =
    limits === ''
      ? spawn(process.execPath, args)
      : spawn('/bin/sh', ['-c', `${limits}; exec "$@"`, 'sh', process.execPath, ...args]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await once(child, 'close');
  return output;
}

async function assertRefused(file: string, why: RegExp): Promise<void> {
  await assert.rejects(openDatabase(`sqlite:${file}`), (error) => {
    assert.ok(error instanceof StartError, `not a StartError: ${error}`);
    assert.ok(error.message.startsWith(`Cannot open the database ${file}: `), error.message);
    assert.match(error.message, /^\P{Cc}+$/u, 'the refusal is not one line');
    assert.match(error.message, why);
    return true;
  });
}

test('WAL mode and foreign keys are on, and SQLite itself syncs only its checkpoints', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const ask = async (pragma: string) =>
    database.write(async (transaction) => {
      const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(pragma)}`.execute(
        transaction,
      );
      return Object.values(rows[0] ?? {})[0];
    });
  assert.equal(await ask('journal_mode'), 'wal');
  assert.equal(await ask('synchronous'), 1);
  assert.equal(await ask('wal_autocheckpoint'), 0);
  assert.equal(await ask('foreign_keys'), 1);
});

test('processes that open a new database concurrently all succeed', async (t) => {
  const file = join(createTestFolder(t), 'application.db');
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => openElsewhere(file)));
  assert.deepEqual(outcomes, ['opened', 'opened', 'opened', 'opened']);
});

test('a file that is not a database is refused and left unchanged', async (t) => {
  const file = join(createTestFolder(t), 'letter.txt');
  const letter = 'Dear Ada, '.repeat(500);
  writeFileSync(file, letter);
  await assertRefused(file, /is not a SQLite database\. Set DATABASE_URL to another path\.$/);
  assert.equal(readFileSync(file, 'utf8'), letter);
});

test('a folder instead of the file is refused', async (t) => {
  const folder = join(createTestFolder(t), 'application.db');
  mkdirSync(folder);
  await assertRefused(folder, /cannot be opened or made\. .*set DATABASE_URL to another path\.$/);
});

test('a file instead of a folder is refused', async (t) => {
  const file = join(createTestFolder(t), 'file');
  writeFileSync(file, '');
  const why = /a part of the path is a file where a folder is needed\./;
  await assertRefused(join(file, 'application.db'), why);
  await assertRefused(join(file, 'deeper', 'application.db'), why);
});

test('a read-only folder is refused', async (t) => {
  const folder = createTestFolder(t);
  mkdirSync(join(folder, 'closed'), { mode: 0o555 });
  // Root may write anywhere, so it runs this as the user nobody.
  const before = 'if (process.getuid() === 0) process.seteuid(65534);';
  const outcome = await openElsewhere(join(folder, 'closed', 'deeper', 'application.db'), before);
  assert.match(outcome, /^StartError: Cannot open the database .+: the folder may not be written/);
});

test('a process without free file descriptors is told to raise its limit', {
  skip: process.platform === 'win32' && 'Windows has no such limit.',
}, async (t) => {
  const file = join(createTestFolder(t), 'application.db');
  await openElsewhere(file);
  // Its modules are loaded already; then others take all descriptors but some.
  for (const left of [0, 2, 4]) {
    const before = `
      const { closeSync, openSync } = process.getBuiltinModule('node:fs');
      await import('seeother/sqlite');
      const all = [];
      try { for (;;) all.push(openSync('/dev/null', 'r')); } catch {}
      for (const descriptor of all.slice(0, ${left})) closeSync(descriptor);`;
    const outcome = await openElsewhere(file, before, 'ulimit -n 200');
    assert.match(
      outcome,
      /^StartError: Cannot open the database .+: this process cannot open more files and connect/,
    );
  }
});

test('a damaged database is refused with advice to restore it', async (t) => {
  const file = join(createTestFolder(t), 'application.db');
  await (await openDatabase(`sqlite:${file}`)).close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(3_000, 0xab), 0, 3_000, 100);
  closeSync(descriptor);
  await assertRefused(file, /it is damaged\. Restore it from a backup\.$/);
});

test('a database that is locked for writing can be opened', async (t) => {
  const { file } = await openTestDatabase(t, 'sqlite');
  const other = new DatabaseSync(file);
  t.after(() => other.close());
  other.exec('begin immediate');
  await (await openDatabase(`sqlite:${file}`, { timeout: 50 })).close();
});

test('a locked database without tables is refused with an explanation', async (t) => {
  const file = join(createTestFolder(t), 'application.db');
  const other = new DatabaseSync(file);
  t.after(() => other.close());
  other.exec('pragma journal_mode = wal; begin immediate');
  await assertRefused(file, /another program holds it locked\./);
});

test('writes run one after another, in the order of their calls', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const events: string[] = [];
  const write = (name: string, value: number) =>
    database.write(async (transaction) => {
      events.push(`${name} begins`);
      await transaction.insertInto('counters').values({ name, value }).execute();
      await new Promise((resolve) => setImmediate(resolve));
      events.push(`${name} ends`);
      return value;
    });
  const results = await Promise.all([write('one', 1), write('two', 2), write('three', 3)]);
  assert.deepEqual(results, [1, 2, 3]);
  assert.deepEqual(
    events,
    ['one', 'two', 'three'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});

test('reads run beside a write, and see the state before it', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const readAll = () => database.read.selectFrom('counters').select('name').execute();
  const seen = await database.write(async (transaction) => {
    await transaction.insertInto('counters').values({ name: 'items', value: 1 }).execute();
    return readAll();
  });
  assert.deepEqual(seen, []);
  assert.equal((await readAll()).length, 1);
});

test('opening SQLite does not load the PostgreSQL driver', async (t) => {
  const file = join(createTestFolder(t), 'application.db');
  const sayWhatIsLoaded = `process.on('exit', () => {
    const { cache } = process.getBuiltinModule('node:module').createRequire(${JSON.stringify(file)});
    process.stdout.write(Object.keys(cache).some((path) => /node_modules.pg/.test(path)) ? ' with it' : ' without');
  });`;
  assert.equal(await openElsewhere(file, sayWhatIsLoaded), 'opened without');
});
