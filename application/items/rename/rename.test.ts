/** The page of all tags, and renaming and merging them, through the real router. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../../testing/create-test-application.ts';
import { formIn } from '../../testing/form-in.ts';
import { addItem, openTestDatabase, repeatOnEngines } from '../../testing/open-test-database.ts';
import { EMPTY_ITEM } from '../item-fields.ts';
import { renameTag, withTag } from './rename-tag.ts';

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

repeatOnEngines('a merge is confirmed with the count of the other name first', async (t) => {
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

test('the form suggests the tags that there are', async (t) => {
  const { member } = await openItems(t, [['Office', 'red'], ['Studio']]);
  const form = bodyText(await member.get('/items/rename?what=tag&name=red'));
  const list = /list="names"[\s\S]*(<datalist id="names">.*<\/datalist>)/.exec(form)?.[1];
  assert.equal(list, '<datalist id="names"><option value="red"></option></datalist>');
});

test('the form of an earlier release to rename a location renames nothing, and its address leads to the place', async (t) => {
  const { member, rename, tags } = await openItems(t, [['red', 'red']]);
  assert.equal((await rename('location', 'red', 'blue')).status, 404);
  assert.deepEqual(await tags(), ['red']);
  const asked = await member.get('/items/rename?what=location&name=red');
  assert.equal(headerOf(asked, 'Location'), '/places/at?location=red');
});

test('a name that cannot be is refused with the form again', async (t) => {
  const { rename, member } = await openItems(t, [['Office', 'red']]);
  for (const [field, from, to, message] of [
    ['tag', 'red', '', 'Enter a name'],
    ['tag', 'red', 'red', 'Enter another name'],
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

repeatOnEngines('items beyond the limit of one form are renamed by the next form', async (t) => {
  const rows = [
    ['a', 't'],
    ['a', 't', 'T'],
    ['A', 'T'],
    ['a', 't'],
  ] as const;
  const { database, tags } = await openItems(t, rows);
  const step = (from: string, to: string) =>
    database.write((one) => renameTag(one, { from, to }, 1, 2));
  await createMember(await createTestApplication(t, { database }));
  assert.equal((await step('t', 'T')).hasMore, true);
  assert.equal((await step('t', 'T')).hasMore, false);
  assert.deepEqual(await tags(), ['T', 'T', 'T', 'T']);
});

test('everybody reads the page of tags, and only members have links to rename', async (t) => {
  const rows = Array.from(
    { length: 201 },
    (_, at) => ['', `Tag ${String(at).padStart(3, '0')}`] as const,
  );
  const { application, member } = await openItems(t, rows);
  const visitor = createVisitor(application);
  const first = bodyText(await visitor.get('/items/tags'));
  assert.match(first, /\?after=Tag%20199"|\?after=Tag\+199"/);
  assert.doesNotMatch(first, />Rename</);
  assert.match(bodyText(await visitor.get('/items/tags?after=Tag%20199')), />Tag 200</);
  assert.match(bodyText(await member.get('/items/tags')), />Rename</);
});

test('a rename adds no tag twice', () => {
  const tagged = { ...EMPTY_ITEM, tags: ['Red', 'x', 'blue', 'BLUE'] };
  assert.deepEqual(withTag(tagged, 'red', 'Blue').tags, ['Blue', 'x']);
  assert.equal(withTag(tagged, 'green', 'y'), tagged);
});
