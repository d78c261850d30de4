import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, hiddenFields, type TypedFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../../testing/create-test-application.ts';

const DRILL = {
  name: 'Drill',
  description: 'Two batteries',
  quantity: '2',
  location: 'Workshop',
  tags: 'tools, lent out',
};

async function openForm(t: TestContext) {
  const application = await createTestApplication(t);
  const { items } = application.models;
  return {
    member: await createMember(application),
    items,
    countItems: async () => (await items.list(1)).itemCount,
  };
}

test('a valid form gets a 303 to the new item, which shows it', async (t) => {
  const { member, items, countItems } = await openForm(t);
  const answer = await member.submit('/items/new', DRILL);
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/items/1');
  assert.equal(headerOf(answer, 'Cache-Control'), 'no-store');
  assert.equal(bodyText(answer), '');
  const shown = await member.follow(answer);
  assert.equal(shown.status, 200);
  assert.match(bodyText(shown), /<h1>Drill /);
  await member.follow(answer);
  assert.equal(await countItems(), 1);
  const item = await items.find(1);
  assert.equal(item?.quantity, 2);
  assert.deepEqual(item?.tags, ['tools', 'lent out']);
  assert.equal(item?.createdBy, 'ada');
});

test('a form that is sent again redirects to the same item', async (t) => {
  const { member, countItems } = await openForm(t);
  const fields = { ...hiddenFields(bodyText(await member.get('/items/new'))), ...DRILL };
  for (let count = 0; count < 3; count++) {
    const answer = await member.post('/items', fields);
    assert.equal(answer.status, 303);
    assert.equal(headerOf(answer, 'Location'), '/items/1');
  }
  assert.equal(await countItems(), 1);
});

test('a form that is sent fifty times concurrently creates one item', async (t) => {
  const { member, countItems } = await openForm(t);
  const fields = { ...hiddenFields(bodyText(await member.get('/items/new'))), ...DRILL };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => member.post('/items', fields)),
  );
  const outcomes = answers.map((one) => `${one.status} ${headerOf(one, 'Location')}`);
  assert.deepEqual(new Set(outcomes), new Set(['303 /items/1']));
  assert.equal(await countItems(), 1);
});

test('a form that is opened again is a new form', async (t) => {
  const { member, countItems } = await openForm(t);
  await member.submit('/items/new', DRILL);
  const answer = await member.submit('/items/new', DRILL);
  assert.equal(headerOf(answer, 'Location'), '/items/2');
  assert.equal(await countItems(), 2);
});

test('a form changed after Back is a new item', async (t) => {
  const { member } = await openForm(t);
  const hidden = hiddenFields(bodyText(await member.get('/items/new')));
  await member.post('/items', { ...hidden, ...DRILL });
  const answer = await member.post('/items', { ...hidden, ...DRILL, name: 'Other drill' });
  assert.equal(headerOf(answer, 'Location'), '/items/2');
});

test('a corrected form keeps its key, and creates one item', async (t) => {
  const { member, countItems } = await openForm(t);
  const refused = await member.submit('/items/new', { ...DRILL, name: '' });
  assert.equal(refused.status, 400);
  const fields = { ...hiddenFields(bodyText(refused)), ...DRILL };
  assert.equal(headerOf(await member.post('/items', fields), 'Location'), '/items/1');
  assert.equal(headerOf(await member.post('/items', fields), 'Location'), '/items/1');
  assert.equal(await countItems(), 1);
});

test('a form without a key creates an item each time; one with an unusable key is refused', async (t) => {
  const { member, countItems } = await openForm(t);
  for (const once of [{}, {}, { _once: '' }, { _once: '' }])
    assert.equal((await member.post('/items', { ...DRILL, ...once })).status, 303);
  assert.equal(await countItems(), 4);
  for (const _once of ['a key', 'x'.repeat(256)]) {
    const answer = await member.post('/items', { ...DRILL, _once });
    assert.equal(answer.status, 400);
    assert.match(bodyText(answer), /The field _once must be/);
    assert.match(bodyText(answer), /Nothing was saved.*Drill/s);
  }
  assert.equal(await countItems(), 4);
});

test('text is trimmed and normalized, and line breaks are LF', async (t) => {
  const { member, items } = await openForm(t);
  await member.post('/items', {
    name: '  Cafe\u0301\u00a0',
    description: 'one\r\n\r\ntwo\rthree',
    quantity: ' 007 ',
    tags: ' a ,, b,a, ',
  });
  const item = await items.find(1);
  assert.equal(item?.name, 'Caf\u00e9');
  assert.equal(item?.description, 'one\n\ntwo\nthree');
  assert.equal(item?.quantity, 7);
  assert.deepEqual(item?.tags, ['a', 'b']);
});

test('an emoji and right-to-left text are stored unchanged', async (t) => {
  const { member, items } = await openForm(t);
  const name = '🔧👩‍🔧 \u202eabc\u202c مفتاح';
  const answer = await member.submit('/items/new', { ...DRILL, name });
  assert.equal((await items.find(1))?.name, name);
  assert.ok(bodyText(await member.follow(answer)).includes(name));
});

test('omitted fields have defaults: quantity 1, otherwise empty', async (t) => {
  const { member, items } = await openForm(t);
  await member.post('/items', { name: 'Drill' });
  const { name, description, quantity, location, tags } = (await items.find(1)) ?? DRILL;
  assert.deepEqual(
    { name, description, quantity, location, tags },
    { name: 'Drill', description: '', quantity: 1, location: '', tags: [] },
  );
});

test('each field accepts a value at its limit and refuses one just beyond', async (t) => {
  const { member } = await openForm(t);
  const list = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`).join();
  const rows: readonly (readonly [TypedFields, TypedFields])[] = [
    [{ name: 'x'.repeat(120) }, { name: 'x'.repeat(121) }],
    [{ name: '🔧'.repeat(120) }, { name: '🔧'.repeat(121) }],
    [{ description: 'x'.repeat(10_000) }, { description: 'x'.repeat(10_001) }],
    [{ quantity: '0' }, { quantity: '-1' }],
    [{ quantity: '1000000' }, { quantity: '1000001' }],
    [{ minimum: '1' }, { minimum: '0' }],
    [{ minimum: '1000000' }, { minimum: '1000001' }],
    [{ location: 'x'.repeat(120) }, { location: 'x'.repeat(121) }],
    [{ tags: list(20) }, { tags: list(21) }],
    [{ tags: 'x'.repeat(40) }, { tags: 'x'.repeat(41) }],
  ];
  for (const [taken, refused] of rows) {
    const label = JSON.stringify(refused).slice(0, 40);
    assert.equal((await member.post('/items', { ...DRILL, ...taken })).status, 303, label);
    assert.equal((await member.post('/items', { ...DRILL, ...refused })).status, 400, label);
  }
});
