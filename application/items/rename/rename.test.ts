/** The pages of all locations and tags, and renaming and merging them, through the real router. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../../testing/create-test-application.ts';
import { formIn } from '../../testing/form-in.ts';
import { addItem, openTestDatabase, testOnEngines } from '../../testing/open-test-database.ts';
import { EMPTY_ITEM } from '../item-fields.ts';
import { renameFacet, renameLocation, renameTag } from './rename-facet.ts';

type Row = readonly [location: string, ...tags: readonly string[]];

async function openItems(t: TestContext, rows: readonly Row[]) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  for (const [index, [location, ...tags]] of rows.entries()) {
    await addItem(database, { name: `Thing ${index + 1}`, location, tags });
  }
  const member = await createMember(application);
  const { items } = application.models;
  const all = async () => (await items.list(1, { order: 'oldest' })).items;
  return {
    ...{ application, database, member, items },
    locations: async () => (await all()).map(({ location }) => location),
    tags: async () => (await all()).map(({ tags }) => tags.join('+')),
    rename: (field: string, from: string, to: string, merge = '') =>
      member.post('/items/rename', { field, from, to, merge }),
  };
}

testOnEngines(
  'a location is renamed with what is inside it, and one button undoes it',
  async (t) => {
    const rows = [['Office'], ['office, drawer 2'], ['Office, Bär'], ['Office2'], ['']] as const;
    const { member, rename, locations, items } = await openItems(t, rows);
    const answer = await rename('location', 'Office', 'Studio');
    assert.equal(headerOf(answer, 'Location'), '/items/locations');
    const renamed = ['Studio', 'Studio, drawer 2', 'Studio, Bär', 'Office2', ''];
    assert.deepEqual(await locations(), renamed);
    assert.equal((await items.list(1, { location: 'studio' })).itemCount, 3);
    assert.equal((await items.list(1, { search: 'studio' })).itemCount, 3);
    const shown = bodyText(await member.follow(answer));
    assert.match(shown, /Renamed the location “Office” to “Studio” on 3 items\./);
    assert.match(shown, />Studio<\/a><\/th>\s*<td class="number">1 \+ 2 inside<\/td>/);
    const undo = hiddenFields(formIn(shown, '/items/history/batches/1/undo'));
    assert.equal((await member.post('/items/history/batches/1/undo', undo)).status, 303);
    assert.deepEqual(await locations(), rows.flat());
  },
);

testOnEngines('a merge is confirmed with the count of the other name first', async (t) => {
  const rows = [
    ['', 'Tools', 'red'],
    ['', 'tools', 'Tool'],
    ['', 'tool'],
  ] as const;
  const { rename, tags, member } = await openItems(t, rows);
  const asked = await rename('tag', 'Tool', 'TOOLS');
  assert.equal(asked.status, 400);
  assert.match(bodyText(asked), /There is a tag “Tools” already, with 2 items/);
  const form = hiddenFields(formIn(bodyText(asked), '/items/rename'));
  const answer = await member.post('/items/rename', { ...form, to: 'TOOLS' });
  assert.equal(answer.status, 303);
  assert.deepEqual(await tags(), ['Tools+red', 'tools', 'Tools']);
  const page = bodyText(await member.follow(answer));
  assert.match(page, /on 2 items/);
  assert.doesNotMatch(page, />tool</);
});

testOnEngines('a location that only others are inside is listed and renamed too', async (t) => {
  const rows = [
    ['Office, drawer 1'],
    ['office, drawer 2, left'],
    ['Office 2'],
    ['Cellar'],
  ] as const;
  const { member, rename, locations } = await openItems(t, rows);
  const names = async (after = '') =>
    [
      ...bodyText(await member.get(`/items/locations${after}`)).matchAll(
        /<a class="word" href="[^"]*">([^<]*)<\/a><\/th>\s*<td class="number">([^<]*)</g,
      ),
    ].map(([, name, count]) => `${name}: ${count}`);
  assert.deepEqual(await names(), [
    'Cellar: 1',
    'Office: 2 inside',
    'Office, drawer 1: 1',
    'office, drawer 2: 1 inside',
    'office, drawer 2, left: 1',
    'Office 2: 1',
  ]);
  assert.deepEqual(await names('?after=Office%2C+drawer+1'), [
    'office, drawer 2: 1 inside',
    'office, drawer 2, left: 1',
    'Office 2: 1',
  ]);
  const form = bodyText(await member.get('/items/rename?what=location&name=Office'));
  assert.match(form, /2 items are inside it\./);
  const asked = await rename('location', 'Office', 'cellar');
  assert.equal(asked.status, 400);
  assert.match(bodyText(asked), /“Cellar” already, with 1 item\. “Office” becomes part of it/);
  const answer = await rename('location', 'Office', 'cellar', 'Cellar');
  assert.match(bodyText(await member.follow(answer)), /on 2 items/);
  assert.deepEqual(await locations(), [
    'Cellar, drawer 1',
    'Cellar, drawer 2, left',
    'Office 2',
    'Cellar',
  ]);
  const undo = '/items/history/batches/1/undo';
  const back = hiddenFields(formIn(bodyText(await member.get('/items/history/batches/1')), undo));
  assert.equal((await member.post(undo, back)).status, 303);
  assert.deepEqual(await locations(), rows.flat());
});

test('the form suggests the names that there are, of the same kind', async (t) => {
  const { member } = await openItems(t, [['Office', 'red'], ['Studio']]);
  const list = async (query: string) =>
    /list="names"[\s\S]*(<datalist id="names">.*<\/datalist>)/.exec(
      bodyText(await member.get(`/items/rename?${query}`)),
    )?.[1];
  const names = '<option value="Office"></option><option value="Studio"></option>';
  assert.equal(await list('what=location&name=Office'), `<datalist id="names">${names}</datalist>`);
  const tag = '<datalist id="names"><option value="red"></option></datalist>';
  assert.equal(await list('what=tag&name=red'), tag);
});

test('spellings that differ in case are one row, and renaming to one of them replaces the others', async (t) => {
  const rows = [['office'], ['Office'], ['Office']] as const;
  const { rename, locations, member } = await openItems(t, rows);
  const page = bodyText(await member.get('/items/locations'));
  assert.match(page, />Office<\/a><\/th>\s*<td class="number">3<\/td>/);
  assert.equal((await rename('location', 'office', 'Office')).status, 303);
  assert.deepEqual(await locations(), ['Office', 'Office', 'Office']);
});

test('a name that cannot be is refused with the form again', async (t) => {
  const { rename, member } = await openItems(t, [['Office', 'red']]);
  for (const [field, from, to, message] of [
    ['location', 'Office', '', 'Enter a name'],
    ['location', 'Office', 'Office', 'Enter another name'],
    ['location', 'Office', 'office, left', 'cannot be inside itself'],
    ['tag', 'red', 'a, b', 'must not have a comma'],
    ['tag', 'red', 'x'.repeat(41), 'must be 40 characters or less'],
  ] as const) {
    const answer = await rename(field, from, to);
    assert.equal(answer.status, 400, to);
    assert.ok(bodyText(answer).includes(message), message);
  }
  assert.equal((await member.get('/items/rename?what=tag&name=gone')).status, 404);
  assert.equal((await member.get('/items/rename')).status, 404);
});

testOnEngines('items beyond the limit of one form are renamed by the next form', async (t) => {
  const { database, locations } = await openItems(t, [['A'], ['A, 1'], ['A, 2']]);
  await createMember(await createTestApplication(t, { database }));
  const step = () =>
    database.write((one) => renameFacet(one, { field: 'location', from: 'A', to: 'B' }, 1, 2));
  assert.equal((await step()).hasMore, true);
  assert.deepEqual(await locations(), ['B', 'B, 1', 'A, 2']);
  assert.equal((await step()).hasMore, false);
  assert.deepEqual(await locations(), ['B', 'B, 1', 'B, 2']);
});

testOnEngines('another spelling reaches the items beyond the limit of one form', async (t) => {
  const rows = [
    ['a', 't'],
    ['a, 1', 't', 'T'],
    ['A', 'T'],
    ['a, 2', 't'],
  ] as const;
  const { database, locations, tags } = await openItems(t, rows);
  const step = (field: 'location' | 'tag', from: string, to: string) =>
    database.write((one) => renameFacet(one, { field, from, to }, 1, 2));
  assert.equal((await step('location', 'a', 'A')).hasMore, true);
  assert.equal((await step('location', 'a', 'A')).hasMore, false);
  assert.deepEqual(await locations(), ['A', 'A, 1', 'A', 'A, 2']);
  assert.equal((await step('tag', 't', 'T')).hasMore, true);
  assert.equal((await step('tag', 't', 'T')).hasMore, false);
  assert.deepEqual(await tags(), ['T', 'T', 'T', 'T']);
});

test('everybody reads the pages of names, and only members have links to rename', async (t) => {
  const rows = Array.from(
    { length: 201 },
    (_, at) => [`Place ${String(at).padStart(3, '0')}`] as const,
  );
  const { application, member } = await openItems(t, rows);
  const visitor = createVisitor(application);
  const first = bodyText(await visitor.get('/items/locations'));
  assert.match(first, /\?after=Place%20199"|\?after=Place\+199"/);
  assert.match(bodyText(await visitor.get('/items/locations?after=Place%20199')), />Place 200</);
  assert.match(bodyText(await visitor.get('/items/tags')), /No item has a tag yet/);
  assert.match(bodyText(await member.get('/items/locations')), />Rename</);
  assert.match(bodyText(await visitor.get('/items')), /href="\/items\/locations"/);
});

test('a rename leaves a location that would be too long, and adds no tag twice', () => {
  const inside = { ...EMPTY_ITEM, location: `A,${'x'.repeat(110)}` };
  assert.equal(renameLocation(inside, 'a', 'A long name'), null);
  assert.equal(renameLocation(inside, 'B', 'C'), inside);
  const tagged = { ...EMPTY_ITEM, tags: ['Red', 'x', 'blue', 'BLUE'] };
  assert.deepEqual(renameTag(tagged, 'red', 'Blue').tags, ['Blue', 'x']);
  assert.equal(renameTag(tagged, 'green', 'y'), tagged);
});
