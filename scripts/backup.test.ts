/** Runs the backup as a process, and restores its result. */
import assert from 'node:assert/strict';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bodyText, createVisitor, encodeFields, hiddenFields } from 'seeother/testing';
import {
  addItem,
  createTestFolder,
  openTestDatabase,
} from '../application/testing/open-test-database.ts';
import { reachInstance } from '../application/testing/reach-instance.ts';
import { runScript } from '../application/testing/run-script.ts';
import { startInProcess } from '../application/testing/start-in-process.ts';
import { encodeForm, uploadFile } from '../application/testing/upload-file.ts';

const PAGE = 4_096;
const PASSWORD = 'correct horse battery';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Creates items until stopped; `paths` are the acknowledged ones. */
async function startWriting(url: string) {
  const post = (path: string, fields: Record<string, string>, cookie: string) =>
    fetch(url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...FORM, cookie },
      body: encodeFields(fields),
    });
  const account = { username: 'ada', password: 'correct horse battery' };
  const registered = await post('/register', account, '');
  const cookie = registered.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const paths: string[] = [];
  let writing = true;
  const write = async () => {
    for (let count = 0; writing; count++) {
      const description = 'x'.repeat(5_000);
      const answer = await post('/items', { name: `Thing ${count}`, description }, cookie);
      const path = answer.headers.get('location');
      if (path !== null) paths.push(path);
    }
  };
  const written = Promise.all([write(), write(), write()]);
  const stop = async () => {
    writing = false;
    await written;
  };
  return { paths, stop, cookie };
}

async function start(t: TestContext, file?: string) {
  const place = file === undefined ? {} : { DATABASE_URL: `sqlite:${file}` };
  const site = await startInProcess({ SAMPLE_ITEMS: '0', ...place });
  t.after(() => site.stop());
  return site;
}

test('a backup while writes go on is restored with every item acknowledged before it began', async (t) => {
  const site = await start(t);
  const folder = createTestFolder(t);
  const file = join(folder, 'backup.db');
  const writer = await startWriting(site.url);
  while (writer.paths.length < 60) await new Promise((resolve) => setImmediate(resolve));
  const before = [...writer.paths];
  const made = await runScript('backup', [file], {
    DATABASE_URL: site.databaseUrl,
  });
  const after = writer.paths.length;
  await writer.stop();
  assert.equal(made.errors, '');
  assert.equal(made.code, 0);
  const words =
    /^Backed up [\d,]+ items and 1 account to \S+backup\.db \([\d.]+ MB\); the copy was checked and is intact\.\n$/;
  assert.match(made.output, words);
  assert.ok(after > before.length, 'nothing was written meanwhile');
  assert.deepEqual(readdirSync(folder), ['backup.db']);
  if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);

  const restored = join(createTestFolder(t), 'application.db');
  copyFileSync(file, restored);
  const next = await start(t, restored);
  for (const path of before) {
    const answer = await fetch(next.url + path, { headers: { cookie: writer.cookie } });
    assert.equal(answer.status, 200, path);
    assert.match(await answer.text(), /Logged in as<\/span> <strong>ada</);
  }
  const database = new DatabaseSync(restored, { readOnly: true });
  const numbers = database.prepare('select number from items order by number').all();
  database.close();
  assert.deepEqual(
    numbers.map(({ number }) => number),
    numbers.map((_, index) => index + 1),
    'what the backup holds has no gap',
  );
});

test('a backup has the files that wait in a form, and a restore gives them back', async (t) => {
  const site = await start(t);
  const ada = createVisitor(reachInstance(() => site.url));
  await ada.submit('/register', { username: 'ada', password: PASSWORD, repeat: PASSWORD });
  const notText = new File(['a\0b'], 'drills.csv', { type: 'text/csv' });
  const refused = bodyText(await uploadFile(ada, '/items/import', notText));
  assert.match(refused, /drills\.csv, 3 bytes/);
  const file = join(createTestFolder(t), 'backup.db');
  const made = await runScript('backup', [file], { DATABASE_URL: site.databaseUrl });
  assert.match(made.output, /^Backed up 0 items and 1 account and 1 file to /);
  await site.stop();

  const restored = createTestFolder(t);
  copyFileSync(file, join(restored, 'application.db'));
  renameSync(`${file}.files`, join(restored, 'files'));
  const next = await start(t, join(restored, 'application.db'));
  const visitor = createVisitor(
    reachInstance(() => next.url),
    { headers: { cookie: `sid=${ada.cookie('sid')}` } },
  );
  const form = hiddenFields(refused.slice(refused.indexOf('multipart')));
  const { body, type } = await encodeForm(form);
  const headers = { 'content-type': type, cookie: `sid=${ada.cookie('sid')}` };
  const again = bodyText(await visitor.post('/items/import', body, { headers }));
  assert.match(again, /This is not a table/, 'its bytes were read again');
});

test('a backup of many pages is one step, because a write between two steps would restart it', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const item = { name: 'Drill', description: '', quantity: 1, location: '', tags: [] };
  for (let count = 0; count < 500; count++)
    await addItem(database, { ...item, description: 'x'.repeat(PAGE) });
  const writing = join(import.meta.dirname, 'write-between-steps.ts');
  const target = join(createTestFolder(t), 'backup.db');
  const { code, errors } = await runScript('backup', [target], {
    DATABASE_URL: `sqlite:${database.file}`,
    NODE_OPTIONS: `--import=${pathToFileURL(writing)}`,
  });
  assert.equal(errors, '');
  assert.equal(code, 0);
});

test('a failed backup is one line and exit code 1, and leaves nothing', async (t) => {
  const database = await openTestDatabase(t);
  const folder = createTestFolder(t);
  const place = { DATABASE_URL: `sqlite:${database.file}` };
  const target = join(folder, 'backup.db');
  const taken = join(folder, 'taken.db');
  writeFileSync(taken, 'mine');
  const letter = join(folder, 'letter.txt');
  writeFileSync(letter, 'Dear Ada, '.repeat(500));
  const missing = join(folder, 'missing.db');
  const refusals = [
    [[], place, /^Cannot back up: name one new file\. Use /],
    [[target, 'other'], place, /^Cannot back up: name one new file/],
    [[taken], place, /taken\.db: there is a file already/],
    [[join(folder, 'no', 'b.db')], place, /Give a writable path/],
    [[target], { DATABASE_URL: `sqlite:${missing}` }, /missing\.db: there is no such file/],
    [[target], { DATABASE_URL: `sqlite:${letter}` }, /file is not a database/],
    [[target], { DATABASE_URL: 'postgres://ada:hunter2@db.example/things' }, /Use pg_dump/],
  ] as const;
  for (const [args, environment, words] of refusals) {
    const { code, output, errors } = await runScript('backup', args, environment);
    assert.equal(code, 1, String(words));
    assert.equal(output, '');
    assert.match(errors, /^[^\n]+\n$/, 'standard error has not exactly one line');
    assert.match(errors, words);
    assert.doesNotMatch(errors, /hunter2/);
  }
  assert.deepEqual(readdirSync(folder).sort(), ['letter.txt', 'taken.db']);
  assert.equal(existsSync(missing), false);
});

test('a copy of a damaged database is refused', async (t) => {
  const database = await openTestDatabase(t);
  const item = {
    name: 'Drill',
    description: 'x'.repeat(9_000),
    quantity: 1,
    location: '',
    tags: [],
  };
  for (let count = 0; count < 50; count++) await addItem(database, item);
  const folder = createTestFolder(t);
  const whole = join(folder, 'whole.db');
  const place = { DATABASE_URL: `sqlite:${database.file}` };
  assert.equal((await runScript('backup', [whole], place)).code, 0);
  const damaged = join(folder, 'damaged.db');
  copyFileSync(whole, damaged);
  // The damaged pages are among those of the long texts, which each take three pages.
  const middle = PAGE * Math.floor(statSync(damaged).size / PAGE / 2);
  const descriptor = openSync(damaged, 'r+');
  writeSync(descriptor, Buffer.alloc(3 * PAGE), 0, 3 * PAGE, middle);
  closeSync(descriptor);
  const target = join(folder, 'backup.db');
  const { code, errors } = await runScript('backup', [target], {
    DATABASE_URL: `sqlite:${damaged}`,
  });
  assert.equal(code, 1);
  assert.match(errors, /^Cannot use the copy: it is damaged, as the database may be: [^\n]+\n$/);
  assert.equal(existsSync(target), false);
});
