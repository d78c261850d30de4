import assert from 'node:assert/strict';
// files: import { mkdtempSync, rmSync } from 'node:fs';
// files: import { tmpdir } from 'node:os';
// files: import { join } from 'node:path';
import test, { after } from 'node:test';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import { migrate } from '../database.ts';
import { openTestDatabase } from '../open-database.ts';
import { createRouter } from '../router.ts';
import { THING_ROUTES } from './links.ts';
import { countThings } from './store.ts';

// files: const folder = mkdtempSync(join(tmpdir(), 'files-'));
// files: process.env.FILES_FOLDER = folder;
// files: after(() => rmSync(folder, { recursive: true }));
const database = await openTestDatabase(migrate);
const router = createRouter(database, { log: false });
const visitor = createVisitor(router);
// accounts: const password = 'correct horse battery';
// accounts: await visitor.submit('/register', { username: 'Ada', password, passwordagain: password });

/** A form that is valid. */
const SAMPLE = { name: 'First', price: '12.50', bought: '2026-11-23' };
// files: const CHOSEN = { file: null };

after(() => database.close());

const show = async (path: string) => bodyText(await visitor.get(path));
// unless files:
const named = (text: string) => ({ ...SAMPLE, FIRST_FIELD: text });
// files: const named = (text: string) => ({ ...SAMPLE, ...CHOSEN, FIRST_FIELD: text });

/** Resolves to the path of a new «thing». */
async function add(text: string): Promise<string> {
  const answer = await visitor.submit('/things/new', named(text));
  assert.equal(answer.status, 303, bodyText(answer));
  return String(answer.headers['Location']);
}

/** Presses the button on the page whose form is sent to the path. */
async function press(path: string, to: string) {
  const forms = (await show(path)).split('<form').filter((one) => one.includes(`action="${to}"`));
  return visitor.post(to, hiddenFields(`<form${forms[0] ?? ''}`));
}

test('a form that is sent twice adds one, and the message is shown once', async () => {
  const page = await visitor.get('/things/new');
  const send = () => visitor.submit(page, named('Twice'));
  const [first, second] = await Promise.all([send(), send()]);
  assert.deepEqual([first.status, second.status], [303, 303]);
  assert.equal(second.headers['Location'], first.headers['Location']);
  assert.equal(await countThings(database.read, 'Twice'), 1);
  assert.match(bodyText(await visitor.follow(first)), /The «thing» was added\./);
  assert.doesNotMatch(bodyText(await visitor.follow(first)), /The «thing» was added\./);
});

test('a form that is not valid is shown again with its error', async () => {
  const answer = await visitor.submit('/things/new', named(' '));
  assert.equal(answer.status, 400);
  assert.match(bodyText(answer), /There is a problem/);
  assert.equal(await countThings(database.read, ''), 1);
});

test('the list finds and sorts, and its file has the same rows; text is escaped', async () => {
  for (const name of ['Zebra <b>', 'Zebra 100%']) await add(name);
  const list = await show('/things?q=zebra');
  assert.match(list, /Zebra 100%[\s\S]*Zebra &lt;b&gt;/);
  assert.match(await show('/things?q=zebra&sort=-FIRST_FIELD'), /Zebra &lt;b&gt;[\s\S]*Zebra 100%/);
  assert.doesNotMatch(await show('/things?q=100%25'), /Twice|Zebra &lt;b&gt;/);
  const file = await visitor.get('/things?q=zebra&as=csv');
  assert.match(String(file.headers['Content-Type']), /^text\/csv/);
  assert.match(bodyText(file), /\nZebra 100%.*\r\nZebra <b>/);
});

test('each has a page, and what does not exist is 404', async () => {
  assert.match(await show(await add('Alone')), /<h1>Alone<\/h1>/);
  for (const id of ['999999', '9007199254740991', 'x'])
    assert.equal((await visitor.get(`/things/${id}`)).status, 404);
});

test('one is changed, and every field keeps its value', async () => {
  const path = await add('Old');
  const page = await show(path);
  assert.equal((await visitor.submit(`${path}/edit`, named('New'))).status, 303);
  const changed = await visitor.get(path);
  assert.match(bodyText(changed), /The «thing» was changed\./);
  const values = (body: string) => body.match(/<dd>.*<\/dd>/g)?.slice(1);
  assert.deepEqual(values(bodyText(changed)), values(page));
});

test('of two changes of the same page the second shows both values, and can be saved', async () => {
  const path = await add('Rope');
  const form = await visitor.get(`${path}/edit`);
  await visitor.submit(`${path}/edit`, named('Long rope'));
  const late = await visitor.submit(form, named('Short rope'));
  assert.equal(late.status, 409);
  assert.match(bodyText(late), /value="Short rope"[\s\S]*Stored now: Long rope/);
  assert.equal((await visitor.submit(late, named('Short rope'))).status, 303);
  assert.match(await show(path), /<h1>Short rope<\/h1>/);
});

test('one is deleted by a button, twice, and comes back by Undo', async () => {
  const path = await add('Gone');
  const form = hiddenFields(await show(path));
  const answers = [
    await visitor.post(`${path}/delete`, form),
    await visitor.post(`${path}/delete`, form),
  ];
  const [list = ''] = answers.map(({ headers }) => String(headers['Location']));
  assert.deepEqual(new Set(answers.map(({ headers }) => headers['Location'])), new Set([list]));
  assert.match(await show(list), /The «thing» was deleted\.[\s\S]*Undo/);
  assert.equal(await countThings(database.read, 'Gone'), 0);
  assert.equal((await visitor.get(path)).status, 404);
  assert.equal((await press(list, `${path}/restore`)).headers['Location'], path);
  assert.equal(await countThings(database.read, 'Gone'), 1);
  for (const deleted of ['', 'x', '-1', '9007199254740991'])
    assert.doesNotMatch(await show(`/things?deleted=${deleted}`), /Undo/);
});

test('a change of one that was deleted meanwhile is not lost', async () => {
  const path = await add('Lamp');
  const form = await visitor.get(`${path}/edit`);
  await press(path, `${path}/delete`);
  const late = await visitor.submit(form, named('Lamp 2'));
  assert.equal(late.status, 409);
  assert.match(bodyText(late), /was deleted after you opened this page[\s\S]*value="Lamp 2"/);
  await visitor.submit(late, named('Lamp 2'));
  assert.match(await show(path), /<h1>Lamp 2<\/h1>/);
});

// accounts: test('a visitor who is not logged in changes nothing, and is led to the log-in', async () => {
// accounts:   const stranger = createVisitor(router);
// accounts:   const { headers } = await stranger.get('/things/new');
// accounts:   assert.match(String(headers['Location']), /^\/login\?next=/);
// accounts:   const path = await add('Kept');
// accounts:   const typed = { ...SAMPLE, FIRST_FIELD: 'Stranger' };
// accounts:   for (const to of ['/things/new', `${path}/edit`, `${path}/delete`, `${path}/restore`])
// accounts:     assert.equal((await stranger.post(to, typed)).status, 401);
// accounts:   assert.match(await show(path), /<h1>Kept<\/h1>/);
// accounts:   assert.equal(await countThings(database.read, 'Stranger'), 0);
// accounts: });
// accounts:
// files: test('a file stays with a refused form, is a download, and ends when it is removed', async () => {
// files:   const refused = await visitor.submit('/things/new', named(' '));
// files:   assert.match(bodyText(refused), /first\.txt, 6 bytes/);
// files:   const texts = { ...SAMPLE, FIRST_FIELD: 'With a file' };
// files:   const path = String((await visitor.submit(refused, texts)).headers['Location']);
// files:   assert.match(await show('/things?q=with+a+file'), /first\.txt/);
// files:   const file = `${path}/files/FIRST_FILE`;
// files:   const { headers } = await visitor.get(file);
// files:   assert.match(String(headers['Content-Disposition']), /^attachment; filename="first\.txt"/);
// files:   assert.equal(headers['X-Content-Type-Options'], 'nosniff');
// files:   assert.equal((await visitor.get(`${path}/files/FIRST_FIELD`)).status, 404);
// files:   await visitor.submit(`${path}/edit`, texts);
// files:   assert.equal((await visitor.get(file)).status, 200);
// files:   const { headers: deleted } = await press(path, `${path}/delete`);
// files:   assert.equal((await visitor.get(file)).status, 404);
// files:   await press(String(deleted['Location']), `${path}/restore`);
// files:   assert.equal((await visitor.get(file)).status, 200);
// removable:   await visitor.submit(`${path}/edit`, { ...texts, REMOVE_BOX: 'on' });
// removable:   assert.equal((await visitor.get(file)).status, 404);
// files: });
// files:
test('every link leads to a route', () => {
  const served: readonly string[] = router.routes.map(({ name }) => name);
  assert.deepEqual(
    THING_ROUTES.filter((route) => !served.includes(route)),
    [],
  );
});
