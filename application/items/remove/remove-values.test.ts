/** Administrators remove items and old values for ever. security/old-values.test.ts looks for copies of the value. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { bodyText, createVisitor, hiddenFields, type TypedFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  setRole,
} from '../../testing/create-test-application.ts';
import { dumpDatabase } from '../../testing/dump-database.ts';
import { formIn } from '../../testing/form-in.ts';
import { listEvents } from '../../testing/list-events.ts';
import {
  addItem,
  openAnother,
  openTestDatabase,
  repeatOnEngines,
  testOnEngines,
} from '../../testing/open-test-database.ts';
import { uploadFile } from '../../testing/upload-file.ts';
import { lockItem, updateItems } from '../stored-item.ts';

const THING = {
  ...{ name: 'Thing', description: 'secret', quantity: 2, location: 'Hut', tags: ['old'] },
  ...{ serial: 'SN-7', code: '4006381333931' },
};
const CLEAN = {
  ...{ name: 'Thing', description: 'clean', quantity: '2', location: 'Hut', tags: 'old' },
  ...{ serial: 'SN-7', code: '4006381333931' },
};

async function openItem(t: TestContext) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  await addItem(database, THING);
  const { history, items } = application.models;
  const ada = await createMember(application);
  const edit = async (fields: TypedFields) => {
    const version = String((await items.find(1))?.version);
    const answer = await ada.post('/items/1/edit', { ...CLEAN, ...fields, version });
    assert.equal(answer.status, 303);
  };
  const remove = (event: number, value: string) =>
    ada.post(`/items/1/history/${event}/remove`, { value });
  const kinds = async () => (await history.ofItem(1, 100)).events.map(({ kind }) => kind);
  return { application, database, history, items, ada, edit, remove, kinds };
}

repeatOnEngines('an old value is removed from all events, and cannot be restored', async (t) => {
  const { ada, edit, history, items, kinds, database } = await openItem(t);
  await edit({});
  await ada.post('/items/1/history/1/undo');
  await edit({ description: 'last', quantity: '3' });
  const page = bodyText(await ada.get('/items/1/history'));
  const [link = ''] = page.match(/\/items\/1\/history\/3\/remove/) ?? [];
  const shown = bodyText(await ada.get(link));
  assert.match(shown, /This can’t be undone\./);
  assert.match(shown, /<p class="description">secret<\/p>/);
  const form = formIn(shown, 'remove');
  const sent = await ada.post(link, hiddenFields(form));
  assert.equal(headerOf(sent, 'Location'), '/items/1/history');
  // A late copy of the form, which was carried out before.
  const again = await ada.post(link, hiddenFields(form));
  assert.equal(headerOf(again, 'Location'), '/items/1/history');
  assert.deepEqual(await kinds(), ['value removed', 'changed', 'changed', 'changed']);
  const after = bodyText(await ada.follow(sent));
  assert.match(after, /You removed an old description for ever\./);
  assert.match(after, /<strong>ada<\/strong> removed an old description for ever<\/span><\/p>/);
  assert.match(after, /Description: <del><em>removed<\/em><\/del> → <ins>clean<\/ins>/);
  assert.doesNotMatch(after, /secret|history\/3\/remove|history\/[123]\/undo/);
  for (const event of [1, 2, 3]) {
    const refused = await ada.post(`/items/1/history/${event}/undo`);
    assert.equal(refused.status, 409);
    const text = bodyText(refused);
    assert.match(text, event === 1 ? /It was undone before/ : /was removed for ever/);
  }
  assert.equal((await items.find(1))?.description, 'last');
  const versions = (await history.ofItem(1, 100)).events.map(({ version }) => version);
  assert.deepEqual(versions, [5, 4, 3, 2]);
  assert.equal((await items.find(1))?.version, 5);
  assert.doesNotMatch(JSON.stringify(await listEvents(database)), /secret/);
  // What a removal does not touch can still be undone, and the item can be edited, deleted and restored.
  await ada.post('/items/1/quantity', { amount: '1', button: 'take' });
  await ada.post('/items/1/history/5/undo');
  await edit({ description: 'other' });
  await ada.post('/items/1/delete');
  await ada.post('/items/1/restore');
  assert.equal((await items.find(1))?.description, 'other');
});

repeatOnEngines('each kind of old value is removed, and only that one', async (t) => {
  const { ada, edit, remove, items, database } = await openItem(t);
  await ada.post('/items/1/quantity', { amount: '1', button: 'take', reason: 'fair' });
  await ada.post('/items/1/lend', { to: 'borrower' });
  await ada.post('/items/1/return', { lent: (await items.find(1))?.loans[0]?.at ?? '' });
  await edit({ name: 'Lamp', location: 'Attic', tags: 'new', serial: '', code: '' });
  const gone: [number, string, RegExp][] = [
    [1, 'reason', /fair/],
    [3, 'loans', /borrower/],
    [4, 'name', /Thing/],
    [4, 'description', /secret/],
    [4, 'location', /Hut/],
    [4, 'tags', /old"/],
    [4, 'serial', /SN-7/],
    [4, 'code', /4006381333931/],
  ];
  for (const [event, value, text] of gone) {
    assert.match(JSON.stringify(await listEvents(database)), text);
    assert.equal((await remove(event, value)).status, 303, value);
    assert.doesNotMatch(JSON.stringify(await listEvents(database)), text);
    assert.equal((await ada.get('/items/1/history')).status, 200, value);
    assert.equal((await remove(event, value)).status, 409, value);
  }
  const history = bodyText(await ada.get('/items/1/history'));
  for (const text of [
    'an old name',
    'old tags',
    'an old serial number',
    'the name of a borrower',
    'a reason',
  ])
    assert.ok(history.includes(`removed ${text} for ever`), text);
  assert.match(history, /lent it<\/span>/);
  assert.match(history, /marked it as returned<\/span>/);
  assert.match(bodyText(await ada.get('/items/history')), /lent <a href="\/items\/1">No\. 1<\/a>/);
  assert.match(history, /<ins>Lamp<\/ins>/);
});

test('a value that the item has now is not removed, nor one of a deleted item', async (t) => {
  const { edit, remove, ada, kinds } = await openItem(t);
  await edit({});
  await edit({ description: 'secret' });
  const current = await remove(1, 'description');
  assert.equal(current.status, 409);
  assert.match(bodyText(current), /The item still has this value\. Change it first/);
  await ada.post('/items/1/delete');
  const deleted = await remove(1, 'description');
  assert.equal(deleted.status, 409);
  assert.match(bodyText(deleted), /Remove the item for ever with its history, or restore it first/);
  assert.equal((await remove(9, 'description')).status, 404);
  assert.equal((await ada.post('/items/9/remove')).status, 404);
  assert.equal((await remove(1, 'quantity')).status, 400);
  assert.equal((await ada.get('/items/1/history/9/remove')).status, 404);
  assert.deepEqual(await kinds(), ['deleted', 'changed', 'changed']);
});

repeatOnEngines('a deleted item is removed for ever with its history', async (t) => {
  const { application, ada, edit, items, kinds, database } = await openItem(t);
  await edit({});
  assert.equal((await ada.post('/items/1/remove')).status, 409);
  assert.equal((await ada.get('/items/1/remove')).status, 404);
  await ada.post('/items/1/delete');
  const gone = bodyText(await ada.get('/items/1'));
  assert.match(gone, /<a href="\/items\/1\/remove">Remove it for ever…<\/a>/);
  const shown = bodyText(await ada.get('/items/1/remove'));
  assert.match(shown, /<h1>Remove Thing for ever\?<\/h1>/);
  const form = hiddenFields(formIn(shown, 'remove'));
  for (let count = 0; count < 3; count++) {
    const sent = await ada.post('/items/1/remove', form);
    assert.equal(headerOf(sent, 'Location'), '/items/bin');
  }
  assert.match(bodyText(await ada.get('/items/bin')), /Item 1 was removed for ever\./);
  assert.deepEqual(await kinds(), ['removed', 'deleted', 'changed']);
  assert.doesNotMatch(JSON.stringify(await listEvents(database)), /Thing|secret|clean|Hut/);
  const page = await ada.get('/items/1');
  assert.equal(page.status, 404);
  assert.match(bodyText(page), /<h1>Item 1 was removed for ever<\/h1>\n<p>ada removed it on/);
  const history = bodyText(await ada.get('/items/1/history'));
  assert.match(history, /<h1>History of No\. 1 /);
  assert.match(history, /removed it for ever/);
  assert.doesNotMatch(history, /<form[^>]*(undo|restore|remove)/);
  for (const path of ['/items/1/restore', '/items/1/remove', '/items/1/edit'])
    assert.notEqual((await ada.post(path, { ...CLEAN, version: '2' })).status, 303, path);
  for (const event of [1, 2, 3])
    assert.equal((await ada.post(`/items/1/history/${event}/undo`)).status, 409, `${event}`);
  assert.equal(await items.find(1), null);
  assert.equal(await addItem(database, THING), 2);
  const lines = application.security.filter((line) => line.includes('item removed for ever'));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /"account":"ada".*"POST \/items\/1\/remove".*"detail":"item 1"/);
  assert.doesNotMatch(application.security.join('\n'), /secret|Thing/);
});

testOnEngines('of a removal and a restore at once, only one is carried out', async (t) => {
  const { application, ada, database, items } = await openItem(t);
  const other = await createTestApplication(t, { database: await openAnother(t, database) });
  const bo = await createMember(other, 'bo');
  await setRole(application, 'bo', 'administrator');
  for (let round = 0; round < 8; round++) {
    const number = await addItem(database, THING);
    await ada.post(`/items/${number}/delete`);
    const [restored, removed] = await Promise.all([
      bo.post(`/items/${number}/restore`),
      ada.post(`/items/${number}/remove`),
    ]);
    const isThere = (await items.find(number)) !== null;
    const statuses = [restored.status, removed.status];
    assert.deepEqual(statuses, isThere ? [303, 409] : [404, 303], `round ${round}`);
  }
});

testOnEngines(
  'a removed word that comes back is found inside words, on every instance',
  async (t) => {
    const { application, ada, database, items } = await openItem(t);
    const other = await createTestApplication(t, { database: await openAnother(t, database) });
    const instances = [application, other].map(({ models }) => models.items);
    const add = async (instance: typeof items, description: string) =>
      database.write((transaction) =>
        instance.create(transaction, { ...THING, description }, null),
      );
    const secret = `${'word '.repeat(100)}Akkuschrauber`;
    const removeAll = async (numbers: readonly number[]) => {
      for (const number of numbers) {
        await ada.post(`/items/${number}/delete`);
        assert.equal((await ada.post(`/items/${number}/remove`)).status, 303);
      }
      const { rows } = await database.door.read.run(
        "select word from item_vocabulary where word like '%SCHRAUBER%' or word like '%schrauber%'",
      );
      assert.deepEqual(rows, []);
    };
    for (const instance of instances) {
      const numbers = [];
      for (const each of instances) numbers.push(await add(each, secret));
      await removeAll(numbers);
      const number = await add(instance, secret);
      for (const each of instances) {
        const found = await each.list(1, { search: 'schraub' });
        assert.deepEqual(
          found.items.map((item) => item.number),
          [number],
        );
        const slip = await each.list(1, { search: 'akkuschraubr' });
        assert.equal(slip.suggestion, 'Akkuschrauber');
      }
      await removeAll([number]);
    }
  },
);

testOnEngines('a word that is removed while another form writes it stays', async (t) => {
  const { ada, database, items } = await openItem(t);
  const number = await addItem(database, { ...THING, description: 'Akkuschrauber' });
  await ada.post(`/items/${number}/delete`);
  const written = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  // An edit that has not written its event yet.
  const editing = database.write(async (transaction) => {
    const before = await lockItem(transaction, 1);
    assert.ok(before);
    const after = { ...before, description: 'Akkuschrauber', version: 2 };
    const change = { author: 1, at: new Date().toISOString() };
    await updateItems(transaction, [{ before, after }], change);
    written.resolve();
    await end.promise;
  });
  await written.promise;
  const removing = ada.post(`/items/${number}/remove`);
  // It has to wait for the other transaction.
  await Promise.race([removing, setTimeout(300)]);
  end.resolve();
  await editing;
  assert.equal((await removing).status, 303);
  assert.equal((await items.list(1, { search: 'schraub' })).itemCount, 1);
});

repeatOnEngines('the preview of an import with a long value is removed too', async (t) => {
  const { application, ada, edit, remove, items, database } = await openItem(t);
  const { imports } = application.models;
  const secret = `😀 "hidden"\n${'😀 hidden, '.repeat(200)}`.trim();
  await edit({ description: secret });
  const file = new File(['number,name,description\n1,Thing,clean\n'], 'things.csv');
  const preview = headerOf(await uploadFile(ada, '/items/import', file), 'Location') ?? '';
  const count = async () => {
    const all = await database.read.selectFrom('imports').select('preview').execute();
    return all.filter((row) => row.preview.includes('hidden')).length;
  };
  assert.equal(await count(), 1);
  const run = hiddenFields(formIn(bodyText(await ada.get(preview)), '/run'));
  assert.equal((await ada.post(`${preview}/run`, run)).status, 303);
  while ((await imports.step(1, 'test')) === 'more');
  assert.equal((await items.find(1))?.description, 'clean');
  assert.equal(await count(), 1);
  assert.equal((await remove(2, 'description')).status, 303);
  assert.doesNotMatch(JSON.stringify(await dumpDatabase(database.url)), /hidden/i);
});

repeatOnEngines(
  'an import whose files have a removed value in their names is removed',
  async (t) => {
    const { application, edit, remove, database } = await openItem(t);
    const { imports } = application.models;
    await edit({});
    const file = {
      ...{ name: 'things.csv', sha256: 'a' },
      chunks: async function* () {
        yield Buffer.from('name\nSaw\n');
      },
    };
    const photo = { type: 'image/jpeg', line: 2, first_line: null, item_number: null };
    const paths = ['secret/1.jpg', '1.jpg', '2.jpg'].entries();
    for (const [at, path] of paths) {
      const name = at === 1 ? 'secret.jpg' : '1.jpg';
      const read = await imports.read(file, 1, { chooseUses: ({ uses }) => uses });
      await database.write(async (transaction) => {
        await imports.publish(transaction, read, 1);
        const row = { ...photo, import_id: read.id, position: at, path, name };
        await transaction.insertInto('import_photos').values(row).execute();
      });
    }
    assert.equal((await imports.list(1)).length, 3);
    assert.equal((await remove(1, 'description')).status, 303);
    assert.equal((await imports.list(1)).length, 1);
    assert.doesNotMatch(JSON.stringify(await dumpDatabase(database.url)), /secret/i);
  },
);

repeatOnEngines(
  'a batch leaves a change whose value was removed, and has no words any more',
  async (t) => {
    const { ada, edit, remove, items, database } = await openItem(t);
    await addItem(database, THING);
    await ada.post('/items/select', { row_0: '1', row_1: '2', location: 'Vault', button: 'move' });
    await edit({ location: 'Attic' });
    const last = (await listEvents(database)).at(0)?.id ?? 0;
    assert.equal((await remove(last, 'location')).status, 303);
    const page = bodyText(await ada.get('/items/history/batches/1'));
    assert.match(page, /<h1 id="batch-1">Moved 2 items<\/h1>/);
    assert.match(page, /Can’t be undone: what was there before was removed for ever\./);
    assert.equal((await ada.post('/items/history/batches/1/undo')).status, 303);
    assert.equal((await items.find(1))?.location, 'Attic');
    assert.equal((await items.find(2))?.location, 'Hut');
  },
);

test('a form that was open while a value was removed is saved, or shows the conflict', async (t) => {
  const { ada, edit, remove, items } = await openItem(t);
  await edit({});
  await remove(1, 'description');
  const sent = { ...CLEAN, description: 'newer' };
  assert.equal((await ada.post('/items/1/edit', { ...sent, version: '2' })).status, 303);
  assert.equal((await items.find(1))?.description, 'newer');
  const conflict = await ada.post('/items/1/edit', { ...sent, name: 'Saw', version: '1' });
  assert.equal(conflict.status, 409);
  assert.match(bodyText(conflict), /was changed meanwhile/);
  assert.doesNotMatch(bodyText(conflict), /secret/);
});

test('only an administrator removes for ever, with a form of this site', async (t) => {
  const { application, ada, edit, kinds } = await openItem(t);
  await edit({});
  const bo = await createMember(application, 'bo');
  const value = { value: 'description' };
  const paths = ['/items/1/remove', '/items/1/history/1/remove'];
  const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
  const check = async () => {
    for (const path of paths) {
      const visitor = createVisitor(application);
      assert.equal((await visitor.get(path)).status, 303, path);
      assert.equal((await visitor.post(path, value)).status, 401, path);
      for (const role of ['reader', 'member'] as const) {
        await setRole(application, 'bo', role);
        assert.equal((await bo.get(path)).status, 403, path);
        const refused = await bo.post(path, value);
        assert.equal(refused.status, 403, path);
        assert.match(bodyText(refused), /<h1>Only administrators can do this<\/h1>/);
      }
      assert.equal((await ada.post(path, value, foreign)).status, 403, path);
    }
    assert.doesNotMatch(bodyText(await bo.get('/items/1/history')), /\/remove/);
    assert.doesNotMatch(bodyText(await bo.get('/items/1')), /\/remove/);
  };
  await check();
  assert.deepEqual(await kinds(), ['changed']);
  await ada.post('/items/1/delete');
  await check();
  assert.deepEqual(await kinds(), ['deleted', 'changed']);
});
