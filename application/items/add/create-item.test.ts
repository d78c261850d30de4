import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, hiddenFields, type TypedFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../../testing/create-test-application.ts';
import { testOnEngines } from '../../testing/open-test-database.ts';

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

testOnEngines('a form that is sent fifty times concurrently creates one item', async (t) => {
  const { member, countItems } = await openForm(t);
  const fields = { ...hiddenFields(bodyText(await member.get('/items/new'))), ...DRILL };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => member.post('/items', fields)),
  );
  const outcomes = answers.map((one) => `${one.status} ${headerOf(one, 'Location')}`);
  assert.deepEqual(new Set(outcomes), new Set(['303 /items/1']));
  assert.equal(await countItems(), 1);
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
    [{ serial: 'x'.repeat(120) }, { serial: 'x'.repeat(121) }],
    [{ code: 'x'.repeat(120) }, { code: 'x'.repeat(121) }],
    [{ tags: list(20) }, { tags: list(21) }],
    [{ tags: 'x'.repeat(40) }, { tags: 'x'.repeat(41) }],
  ];
  for (const [taken, refused] of rows) {
    const label = JSON.stringify(refused).slice(0, 40);
    assert.equal((await member.post('/items', { ...DRILL, ...taken })).status, 303, label);
    assert.equal((await member.post('/items', { ...DRILL, ...refused })).status, 400, label);
  }
});
