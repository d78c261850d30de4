/** Every page is valid HTML, error pages included, whoever opens it, and after changes of every kind. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { DatabaseUnavailable } from 'seeother/database';
import {
  bodyText,
  createVisitor,
  hiddenFields,
  type TypedFields,
  type Visitor,
} from 'seeother/testing';
import { crawl } from '../security/probe.ts';
import { createMember } from '../testing/create-test-application.ts';
import { formIn } from '../testing/form-in.ts';
import { uploadFile } from '../testing/upload-file.ts';
import { checkPages, openAll, sendAll } from './check-pages.fixture.ts';

const ITEM = { name: 'Drill', description: 'Two\nlines.', location: 'Cellar', tags: 'tools, red' };

/** A list of several pages, with changes of several kinds. */
async function fill(ada: Visitor): Promise<void> {
  for (let count = 0; count < 30; count++) {
    await ada.post('/items', count === 0 ? { name: 'Nothing else' } : { ...ITEM, quantity: '3' });
  }
  await ada.post('/items/2/edit', { ...ITEM, name: 'Hammer', quantity: '3', version: '1' });
  const changes: readonly (readonly [string, TypedFields])[] = [
    ['/items/2/quantity', { amount: '2', direction: 'take', reason: 'for the fair' }],
    ['/items/3/delete', {}],
    ['/items/4/delete', {}],
    ['/items/4/restore', {}],
    ['/items/select', { row_0: '5', row_1: '6', location: 'Roof', button: 'move' }],
    ['/items/history/batches/1/undo', {}],
    ['/items/rename', { field: 'tag', from: 'red', to: 'tools' }],
    ['/places', { places: 'Shelf 1\nShelf 2', inside: 'Cellar' }],
    ['/places/1/edit', { name: 'Shelf 1', inside: 'Cellar', version: '1' }],
    ['/places/1/edit', { name: 'Attic', version: '1' }],
    ['/items/select', { row_0: '7', row_1: '8', tag: 'red', button: 'untag' }],
    ['/items/7/edit', { ...ITEM, version: '2' }],
  ];
  for (const [path, fields] of changes) await ada.follow(await ada.post(path, fields));
}

/** A preview with rows of each kind, the import while it runs, and its result. */
async function importFile(ada: Visitor): Promise<void> {
  const text = 'number,name,quantity\n2,Renamed,4\n,New,1\n,Refused,many\n';
  const file = new File([text], 'a "b" <c>.csv');
  const preview = await ada.follow(await uploadFile(ada, '/items/import', file));
  const fields = hiddenFields(formIn(bodyText(preview), '/run'));
  await ada.post('/items/imports/1/run', fields);
  await ada.follow(await ada.post('/items/imports/1/run', { ...fields, asked: 'add' }));
  await ada.follow(await ada.post('/items/imports/1/stop'));
  const other = new File(['Farbe "1";Was\nrot;Old\nblau;old\n'], 'other.csv');
  const columns = await ada.follow(await uploadFile(ada, '/items/import', other));
  const chosen = { 'columns.0.use': 'tags', 'columns.1.use': 'name' };
  const known = hiddenFields(formIn(bodyText(columns), '/columns'));
  await ada.post('/items/imports/2/columns', { ...known, 'columns.0.use': 'name' });
  await ada.follow(await ada.post('/items/imports/2/columns', { ...known, ...chosen }));
  await ada.get('/items/import');
}

const NAVIGATION = { headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' } };

test('html-validate finds no error on any page', async (t) => {
  const { open, statuses, errors } = checkPages();
  const application = await open(t);
  const visitor = createVisitor(application);
  await openAll(application, visitor);
  await sendAll(application, visitor);

  const ada = await createMember(application);
  await openAll(application, ada);
  await fill(ada);
  await importFile(ada);
  await ada.follow(await ada.post('/people', { to: 'Grace', role: 'reader' }));
  const grace = await createMember(application, 'grace');
  const bob = await createMember(application, 'bob');
  await ada.follow(await ada.post('/people/2', { action: 'role', role: 'reader' }));
  await ada.follow(await ada.post('/people/3', { action: 'link' }));
  await crawl(ada, ['/items']);
  for (const one of [ada, grace, bob, visitor]) {
    await openAll(application, one);
    for (const path of [
      '/items?q=nowhere',
      '/items?tag=red&q=x&sort=name',
      '/items?page=2',
      '/items/3',
      '/items/3/remove',
      '/items/2/history/1/remove',
      '/items/999',
    ])
      await one.get(path);
    await one.get('/nothing', NAVIGATION);
    await one.get('/%ff');
  }
  const conflict = { ...ITEM, name: 'Saw', version: '1' };
  assert.equal((await ada.post('/items/2/edit', conflict)).status, 409);
  assert.equal((await ada.post('/items', '', { headers: { 'content-type': 'x' } })).status, 415);
  const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
  assert.equal((await ada.post('/items', ITEM, foreign)).status, 403);
  assert.equal((await ada.post('/items', { name: 'x'.repeat(2 ** 20) })).status, 413);
  assert.equal((await visitor.post('/items', ITEM)).status, 401);
  assert.equal((await visitor.get('/register?token=x')).status, 403);
  assert.equal((await visitor.get('/items', { headers: { host: 'other.example' } })).status, 421);
  for (let count = 0; count < 11; count++)
    await visitor.post('/login', { username: 'ada', password: 'wrong' });
  for (const one of [grace, bob, ada]) await sendAll(application, one);
  await ada.follow(await ada.post('/people/3', { action: 'disable' }));
  for (const one of [ada, visitor]) await openAll(application, one);

  for (const problem of [new Error('a bug'), new DatabaseUnavailable('away')]) {
    const fail = () => Promise.reject(problem);
    const failing = await open(t, {
      replace: ({ items, receipts }) => ({
        items: { ...items, list: fail, find: fail },
        receipts: { ...receipts, carryOut: fail },
      }),
    });
    const member = await createMember(failing);
    await openAll(failing, member);
    await member.post('/items', { ...ITEM, _once: 'a page' });
  }
  assert.deepEqual(errors, []);
  const refusals = [400, 401, 403, 404, 409, 413, 415, 421, 429, 500, 503];
  assert.deepEqual(
    [...statuses].sort((one, other) => one - other),
    [200, ...refusals],
  );
});
