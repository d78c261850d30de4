import assert from 'node:assert/strict';
import test from 'node:test';
import { trustedHtml } from 'seeother';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  setRole,
} from '../testing/create-test-application.ts';
import { addItem, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { cacheFragments } from './cache-fragments.ts';

const DRILL = { name: 'Drill', description: '', quantity: 1, location: '', tags: ['tools'] };

/** Parts of ten characters, key and title included, and what was read for them. */
function createParts(limit: number, read = async (asked: string): Promise<string> => asked) {
  const asked: string[] = [];
  const parts = cacheFragments({
    read: (one: string) => {
      asked.push(one);
      return read(one);
    },
    render: (content) => ({ title: '', main: trustedHtml(content.padEnd(9, '.')) }),
    toKey: (one) => one,
    limit,
  });
  return { parts, asked };
}

test('a fragment is read and rendered once, until the version changes', async () => {
  const { parts, asked } = createParts(100);
  const first = await parts('v1', 'a');
  assert.deepEqual(first, { title: '', main: trustedHtml('a........') });
  assert.equal(await parts('v1', 'a'), first);
  await parts('v1', 'b');
  assert.deepEqual(asked, ['a', 'b']);
  await parts('v2', 'a');
  await parts('v2', 'b');
  await parts('v2', 'a');
  assert.deepEqual(asked, ['a', 'b', 'a', 'b']);
});

test('when the cache is full, the least recently used fragment is dropped', async () => {
  const { parts, asked } = createParts(30);
  for (const one of ['a', 'b', 'c', 'a', 'd']) await parts('v1', one);
  assert.deepEqual(asked, ['a', 'b', 'c', 'd']);
  for (const one of ['c', 'a', 'd']) await parts('v1', one);
  assert.deepEqual(asked, ['a', 'b', 'c', 'd'], 'more than b has gone');
  await parts('v1', 'b');
  assert.deepEqual(asked.slice(4), ['b']);
});

test('a fragment larger than the cache is shown and not cached, and drops no other', async () => {
  const { parts, asked } = createParts(30, async (one) => one.repeat(40));
  const small = createParts(30);
  for (let time = 0; time < 3; time++) await parts('v1', 'a');
  assert.equal(asked.length, 3);
  await small.parts('v1', 'a');
  await small.parts('v1', 'x'.repeat(40));
  await small.parts('v1', 'a');
  assert.deepEqual(small.asked, ['a', 'x'.repeat(40)]);
});

test('the size counts the fragments in the cache, whatever was added and dropped', async () => {
  const { parts, asked } = createParts(30);
  for (let version = 0; version < 9; version++)
    for (const one of ['a', 'b', 'c', 'd', 'a']) await parts(`v${version}`, one);
  asked.length = 0;
  for (const one of ['a', 'd', 'c']) await parts('v8', one);
  assert.deepEqual(asked, []);
});

test('a fragment that is being read while the version changes is shown and not cached', async () => {
  const waiting: ((content: string) => void)[] = [];
  const { parts, asked } = createParts(
    100,
    () => new Promise<string>((resolve) => waiting.push(resolve)),
  );
  const early = parts('v1', 'a');
  const late = parts('v2', 'a');
  waiting[1]?.('new');
  assert.equal((await late).main.markup, 'new......');
  waiting[0]?.('old');
  assert.equal((await early).main.markup, 'old......');
  assert.equal((await parts('v2', 'a')).main.markup, 'new......');
  assert.equal(asked.length, 2);
});

test('a fragment that cannot be read is requested again', async () => {
  let isAway = true;
  const { parts } = createParts(100, async (one) => {
    if (isAway) throw new Error('away');
    return one;
  });
  await assert.rejects(async () => parts('v1', 'a'), /away/);
  isAway = false;
  assert.equal((await parts('v1', 'a')).main.markup, 'a........');
});

testOnEngines(
  'a list is read once for all members, all readers and all visitors, and shows no user to another',
  async (t) => {
    let lists = 0;
    const database = await openTestDatabase(t);
    const application = await createTestApplication(t, {
      database,
      replace: ({ items }) => ({
        items: {
          ...items,
          list: (page: number) => {
            lists++;
            return items.list(page);
          },
        },
      }),
    });
    const people = [
      await createMember(application, 'ada'),
      await createMember(application, 'bo'),
      await createMember(application, 'rea'),
      createVisitor(application),
    ];
    await setRole(application, 'rea', 'reader');
    await addItem(database, DRILL);
    const pages = [];
    for (const person of people) pages.push(bodyText(await person.get('/items')));
    assert.equal(lists, 3);
    assert.deepEqual(
      pages.map((page) => [...page.matchAll(/\b(?:ada|bo|rea)\b/g)].map(([name]) => name)),
      [['ada'], ['bo'], ['rea'], []],
    );
    const [ofAda, ofBo, ofReader, ofVisitor] = pages.map(
      (page) => /<main.*<\/main>/s.exec(page)?.[0],
    );
    for (const main of [ofAda, ofReader, ofVisitor]) assert.ok(main?.includes('Drill'));
    assert.equal(ofBo, ofAda);
  },
);
