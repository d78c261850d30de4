/** Who reads what was edited out or deleted, and what is left of it once it was removed for ever. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import type { Response } from 'seeother';
import {
  bodyText,
  createVisitor,
  hiddenFields,
  request,
  type TypedFields,
  type Visitor,
} from 'seeother/testing';
import { openDatabase } from '../database/open-database.ts';
import { copyDatabase } from '../maintenance/copy-database.ts';
import { removeExpired } from '../maintenance/remove-expired.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
  setRole,
  type TestApplication,
} from '../testing/create-test-application.ts';
import { dumpDatabase } from '../testing/dump-database.ts';
import { formIn } from '../testing/form-in.ts';
import { openTestDatabase, repeatOnEngines, testOnEngines } from '../testing/open-test-database.ts';
import { uploadFile } from '../testing/upload-file.ts';
import { contentOf, crawl, type Target, targetsOf } from './probe.ts';

/** Stands in every text that was edited out or deleted, and in no other. */
const SECRET = 'zanzibar';
/** A search for this finds the items with the secret. A page that only repeats it does not contain the secret. */
const BEGINNING = 'zanzi';

const FIELDS = ['name', 'description', 'location', 'tags'] as const;

/** Every text of the item names the secret, and the place where it was written. */
function secrets(where: string): TypedFields {
  return {
    quantity: '3',
    ...Object.fromEntries(FIELDS.map((field) => [field, `${SECRET} ${field} ${where}`])),
  };
}

const CLEAN = { name: 'Drill', description: '', quantity: '3', location: 'Cellar', tags: 'tools' };

/** Sends the form, which must be carried out. */
async function send(visitor: Visitor, path: string, fields: TypedFields = {}): Promise<void> {
  const answer = await visitor.post(path, fields);
  assert.equal(answer.status, 303, `${path}: ${bodyText(answer)}`);
  await visitor.follow(answer);
}

/** Changes item 1 in every way, edits the secret out of it, and deletes item 2. */
async function openSite(t: TestContext) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  const ada = await createMember(application);
  const { items } = application.models;
  const edit = async (fields: TypedFields) =>
    send(ada, '/items/1/edit', { ...fields, version: String((await items.find(1))?.version) });
  await send(ada, '/items', secrets('at first'));
  await send(ada, '/items', secrets('deleted'));
  const counted = { 'items.0.number': '1', 'items.0.was': '3', 'items.0.counted': '3' };
  await send(ada, `/items/count?location=${SECRET}+location+at+first`, counted);
  await send(ada, '/items/1/quantity', { amount: '1', button: 'take', reason: SECRET });
  await send(ada, '/items/1/lend', { to: SECRET });
  const lent = (await items.find(1))?.loans[0]?.at ?? '';
  await send(ada, '/items/1/return', { lent });
  const ticked = { row_0: '1' };
  await send(ada, '/items/select', { ...ticked, location: `${SECRET} moved`, button: 'move' });
  await send(ada, '/items/select', { ...ticked, tag: `${SECRET} tagged`, button: 'tag' });
  const { places } = application.models;
  const place = await places.resolve(`${SECRET} moved`);
  const renames = { name: `${SECRET} renamed`, inside: `${SECRET} house`, version: '1' };
  await send(ada, `/places/${place?.id}/edit`, renames);
  await importFile(
    application,
    ada,
    `number,name,asset tag\n1,${SECRET} imported,\n,${SECRET} added,${SECRET} tag\n`,
  );
  await edit(CLEAN);
  await send(ada, '/items/2/delete');
  await send(ada, '/items/3/delete');
  return { application, database, ada };
}

async function importFile({ models }: TestApplication, ada: Visitor, text: string) {
  const file = new File([text], `${SECRET}.csv`, { type: 'text/csv' });
  const preview = headerOf(await uploadFile(ada, '/items/import', file), 'Location') ?? '';
  const form = formIn(bodyText(await ada.get(preview)), '/run');
  await send(ada, `${preview}/run`, { here: 'leave', ...hiddenFields(form), asked: 'update' });
  const id = await models.imports.findWaiting();
  const holder = randomUUID();
  while ((await models.imports.step(id ?? 0, holder)) === 'more');
}

/** Every number that a path can have here. */
const NUMBERS = Array.from({ length: 14 }, (_, index) => String(index + 1));

/** Every address of the application, with every number, and what the queries can find. */
function allTargets({ routes }: TestApplication): readonly Target[] {
  const queries = ['/items', '/items.csv', '/items/filters'].flatMap((path) =>
    ['q', 'tag', 'location'].map((name) => `${path}?${name}=${BEGINNING}`),
  );
  const more = [
    ...queries,
    '/items?q=3',
    '/items?q=no.+2',
    '/items?sort=name',
    '/items/2?q=drill',
    `/places/at?location=${BEGINNING}`,
    `/items/tags?after=${BEGINNING}`,
    '/items/history?before=9',
  ];
  return [...targetsOf(routes, NUMBERS), ...more.map((target) => ({ method: 'GET', target }))];
}

async function tells(answer: Response): Promise<boolean> {
  return new RegExp(SECRET, 'i').test(await contentOf(answer));
}

repeatOnEngines('B12: no answer to a visitor holds what was edited out or deleted', async (t) => {
  const { application, ada } = await openSite(t);
  const targets = allTargets(application);
  assert.ok(targets.length > 500, `${targets.length}`);
  const telling: string[] = [];
  for (const { method, target } of targets) {
    for (const asked of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      const body = asked === 'POST' ? new Uint8Array() : null;
      const answer = await application.handle(request(asked, target, body));
      if (await tells(answer)) telling.push(`${asked} ${target}`);
    }
  }
  const visitor = createVisitor(application);
  for (const path of await crawl(visitor, ['/items', '/items/1', '/items/2']))
    if (await tells(await visitor.get(path))) telling.push(`GET ${path}`);
  assert.deepEqual(telling, []);
  // The pages of an administrator have the values.
  for (const path of ['/items/1/history', '/items/2/history', '/items/history', '/items/2'])
    assert.ok(await tells(await ada.get(path)), path);
});

repeatOnEngines('B12: no page that is cached for a person reaches a visitor', async (t) => {
  const { application, ada } = await openSite(t);
  const reader = await createMember(application, 'rea');
  await setRole(application, 'rea', 'reader');
  for (const path of ['/items/1', '/items/2', '/items', '/items/history', '/items/1/history']) {
    const tags = new Set<string>();
    for (const person of [reader, ada]) {
      const tag = headerOf(await person.get(path), 'ETag');
      if (tag !== undefined) tags.add(tag);
    }
    const visitor = createVisitor(application);
    assert.equal(await tells(await visitor.get(path)), false, path);
    for (const tag of tags) {
      const answer = await visitor.get(path, { headers: { 'if-none-match': tag } });
      assert.notEqual(answer.status, 304, path);
    }
  }
  // A page that was rendered for a visitor first does not hide the history from a person.
  assert.ok(await tells(await reader.get('/items/1')));
});

repeatOnEngines('B12: the history and its batches lead a visitor to the log-in', async (t) => {
  const { application } = await openSite(t);
  const visitor = createVisitor(application);
  const paths = ['/items/history', '/items/history/batches/1', '/items/1/history'];
  for (const path of [...paths, '/items/2/history', '/items/99/history']) {
    const answer = await visitor.get(path);
    assert.equal(answer.status, 303, path);
    assert.equal(headerOf(answer, 'Location'), `/login?next=${encodeURIComponent(path)}`);
  }
  const gone = bodyText(await visitor.get('/items/2'));
  assert.match(gone, /<h1>Item 2 was deleted<\/h1>\n<p>ada deleted it on <time/);
  assert.doesNotMatch(gone, /history/);
  assert.doesNotMatch(bodyText(await visitor.get('/items')), /\/items\/history/);
});

/** Where the texts of the secret are in the tables. */
async function placesOf({ url }: { readonly url: string }): Promise<readonly string[]> {
  const tables = Object.entries(await dumpDatabase(url));
  return tables.flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row)
        .filter(([, value]) => new RegExp(SECRET, 'i').test(String(value)))
        .map(([column]) => `${table}.${column}`),
    ),
  );
}

/** Opens the pages of all old values of the item, and sends every form on them. */
async function removeOldValues({ models }: TestApplication, ada: Visitor): Promise<void> {
  const { events } = await models.history.ofItem(1, 100);
  for (const { id } of events) {
    const path = `/items/1/history/${id}/remove`;
    for (;;) {
      const forms = bodyText(await ada.get(path)).match(/<form[^>]*remove"[\s\S]*?<\/form>/g);
      if (forms === null) break;
      await send(ada, path, hiddenFields(forms[0]));
    }
  }
}

/** Leaves a message and two drafts with the secret in three sessions, and a preview that is not confirmed. */
async function leaveCopies(application: TestApplication, ada: Visitor): Promise<void> {
  const name = `${SECRET} name at first`;
  const row = { number: '1', name, was: '3', counted: '2' };
  const drafts = {
    '/items/1/edit': { ...secrets('draft'), name, version: '1' },
    '/items/count': Object.fromEntries(
      Object.entries(row).map(([field, text]) => [`items.0.${field}`, text]),
    ),
  };
  for (const [path, draft] of Object.entries(drafts)) {
    const visitor = createVisitor(application);
    const asked = hiddenFields(bodyText(await visitor.post(path, draft)));
    const account = { username: 'ada', password: PASSWORD };
    assert.equal((await visitor.post('/login', { ...asked, ...account })).status, 303);
  }
  const other = await createMember(application);
  await other.post('/items/1/lend?location=zanzibar+moved', { to: 'Bo' });
  assert.equal((await other.post('/items/2/restore', { _once: 'a' })).status, 303);
  await other.post(`/items/2/delete?location=${SECRET}+location+deleted`, { _once: 'b' });
  const text = `number,name\n1,${SECRET} name at first\n,${SECRET} name deleted\n`;
  const file = new File([text], 'things.csv', { type: 'text/csv' });
  assert.equal((await uploadFile(ada, '/items/import', file)).status, 303);
}

testOnEngines(
  'B13: what is removed for ever is in no table, on no page and in no file',
  async (t) => {
    const { application, database, ada } = await openSite(t);
    await leaveCopies(application, ada);
    const before = new Set(await placesOf(database));
    for (const place of [
      ...['item_events.changes', 'item_events.snapshot', 'item_events.item_name'],
      ...['item_events.reason', 'batches.about', 'imports.preview', 'import_pieces.work'],
      ...['import_rows.rows', 'item_sources.source'],
      ...['counts.about', 'counts.key', 'count_lines.name'],
      ...['sessions.draft', 'sessions.flashes', 'receipts.path', 'seeother_values.value'],
    ])
      assert.ok(before.has(place), `${place} of ${[...before]}`);
    for (const number of [2, 3]) {
      const form = formIn(bodyText(await ada.get(`/items/${number}/remove`)), 'remove');
      await send(ada, `/items/${number}/remove`, hiddenFields(form));
    }
    await removeOldValues(application, ada);
    assert.deepEqual(await placesOf(database), []);
    assert.equal(new RegExp(SECRET, 'i').test(application.security.join()), false);
    // The pages are the same on both engines.
    if (database.file === '') return;
    for (const { method, target } of allTargets(application)) {
      if (method !== 'GET' || target.includes(BEGINNING)) continue;
      assert.equal(await tells(await ada.get(target)), false, target);
    }
    // SQLite keeps freed pages in its file until they are overwritten, and old words in its index.
    const copy = `${database.file}-copy`;
    const target = await openDatabase(`sqlite:${copy}`);
    await copyDatabase(database, target);
    await target.close();
    const content = readFileSync(copy).toString('latin1');
    assert.match(content, /Drill/);
    assert.equal(new RegExp(SECRET, 'i').test(content), false, 'the file');
  },
);

testOnEngines('B13: 30 days after a deletion, no value of the item is left', async (t) => {
  const { application, database, ada } = await openSite(t);
  await removeOldValues(application, ada);
  assert.notDeepEqual(await placesOf(database), []);
  for (const days of [0, 31, 62]) {
    const now = new Date(Date.now() + days * 86_400_000);
    await database.write((transaction) => removeExpired(transaction, now));
  }
  assert.deepEqual(await placesOf(database), []);
});
