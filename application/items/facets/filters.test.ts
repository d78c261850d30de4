/** The page of filters, and the suggestions of the forms: what exists, and how often. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { DatabaseUnavailable } from 'seeother/database';
import { bodyText, createVisitor } from 'seeother/testing';
import { addOwnField } from '../../own-fields/write-definitions.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
  type TestOptions,
} from '../../testing/create-test-application.ts';
import { addItem, testOnEngines } from '../../testing/open-test-database.ts';
import type { NewItem } from '../item-rows.ts';
import { countNodes, isIn, type LocationNode, toLocationTree } from './location-tree.ts';

const THING: NewItem = { name: 'Thing', description: '', quantity: 1, location: '', tags: [] };

async function openItems(
  t: TestContext,
  things: readonly Partial<NewItem>[],
  options: TestOptions = {},
) {
  const application = await createTestApplication(t, options);
  for (const thing of things) await addItem(application.database, { ...THING, ...thing });
  return application;
}

const THINGS: readonly Partial<NewItem>[] = [
  { location: 'Office', tags: ['tools', 'Red'] },
  { location: 'office, Drawer 2', tags: ['tools'] },
  { location: 'Office, drawer 2, box', tags: ['TOOLS', 'a & b'] },
  { location: 'Office2' },
  { location: 'Attic, left' },
  {},
];

/** Name, address and count of each link with a count. */
function facetsIn(markup: string) {
  const links = markup.matchAll(
    /<a href="([^"]*)"( aria-current="true")?>([^<]*)<\/a> <span class="count">([^<]*)<\/span>/g,
  );
  return [...links].map(([, path = '', current, name, count]) =>
    [name, path.replaceAll('&amp;', '&'), count, current === undefined ? '' : 'chosen'].join(' | '),
  );
}

test('the page of filters lists locations and tags with their counts, and keeps the rest of the query', async (t) => {
  const visitor = createVisitor(await openItems(t, THINGS));
  const get = async (query: string) => bodyText(await visitor.get(`/items/filters${query}`));
  assert.deepEqual(facetsIn(await get('')), [
    'Attic | /items?location=Attic | 1 | ',
    'left | /items?location=Attic%2C+left | 1 | ',
    'Office | /items?location=Office | 3 | ',
    'Drawer 2 | /items?location=office%2C+Drawer+2 | 2 | ',
    'box | /items?location=Office%2C+drawer+2%2C+box | 1 | ',
    'Office2 | /items?location=Office2 | 1 | ',
    'a &amp; b | /items?tag=a+%26+b | 1 | ',
    'Red | /items?tag=Red | 1 | ',
    'tools | /items?tag=tools | 3 | ',
  ]);
  const chosen = await get('?q=thing&location=OFFICE&tag=red&sort=name');
  assert.ok(
    facetsIn(chosen).includes(
      'Office | /items?q=thing&tag=red&location=Office&sort=name | 3 | chosen',
    ),
  );
  assert.match(chosen, /<a href="\/items\?q=thing&amp;tag=red&amp;sort=name">Any location<\/a>/);
  assert.match(chosen, /<a href="\/items\?q=thing&amp;location=OFFICE&amp;sort=name">Any tag<\/a>/);
  const list = bodyText(await visitor.get('/items?tag=red&sort=name'));
  assert.match(list, /href="\/items\/filters\?tag=red&amp;sort=name"/);
});

test('each filter of the page finds as many items as it says', async (t) => {
  const visitor = createVisitor(await openItems(t, THINGS));
  const markup = bodyText(await visitor.get('/items/filters'));
  for (const line of facetsIn(markup)) {
    const [, path = '', count] = line.split(' | ');
    const found = bodyText(await visitor.get(path)).match(/<th scope="row">/g) ?? [];
    assert.equal(String(found.length), count, path);
  }
});

test('the page of filters says that there are no locations and tags, and is a 304 until there are', async (t) => {
  const application = await openItems(t, [{}]);
  const visitor = createVisitor(application);
  const first = await visitor.get('/items/filters');
  assert.match(bodyText(first), /No item has a location\.[\s\S]*No item has a tag\./);
  const headers = { 'if-none-match': headerOf(first, 'ETag') ?? '' };
  assert.equal((await visitor.get('/items/filters', { headers })).status, 304);
  await addItem(application.database, { ...THING, location: 'Shed' });
  const second = await visitor.get('/items/filters', { headers });
  assert.deepEqual([second.status, facetsIn(bodyText(second)).length], [200, 1]);
});

test('of many locations, those inside others are shown only around the current filter', () => {
  const names = Array.from({ length: 90 }, (_, at) => `Room ${at % 9}, shelf ${at}`);
  const places = toLocationTree(names.map((name) => ({ name, items: 2 })));
  assert.deepEqual(
    [places.length, countNodes(places), places[0]?.items, places[0]?.inside.length],
    [9, 99, 20, 10],
  );
  const [room] = places as [LocationNode];
  assert.deepEqual(
    ['room 0', 'ROOM 0, SHELF 9', 'Room 0, shelf', 'Room 01', 'Room'].map((one) => isIn(one, room)),
    [true, true, true, false, false],
  );
  const odd = [',', ', ,', 'a,,b', 'a ,b', 'a,', `${'x,'.repeat(59)}x`];
  const tree = toLocationTree(odd.map((name) => ({ name, items: 1 })));
  assert.ok(countNodes(tree) < 20);
});

test('the forms suggest the locations and tags that most items have', async (t) => {
  const application = await openItems(t, THINGS);
  const member = await createMember(application);
  const options = async (path: string, id: string) => {
    const markup = bodyText(await member.get(path));
    const list = new RegExp(`<datalist id="${id}">(.*?)</datalist>`).exec(markup)?.[1] ?? '';
    assert.ok(markup.includes(`list="${id}"`), id);
    return [...list.matchAll(/value="([^"]*)"/g)].map(([, value]) => value);
  };
  assert.deepEqual(await options('/items/new', 'locations'), [
    'Attic, left',
    'Office',
    'Office, drawer 2, box',
    'Office2',
    'office, Drawer 2',
  ]);
  assert.deepEqual(await options('/items/new', 'known-tags'), ['tools', 'Red', 'a &amp; b']);
  // One more than the item has.
  assert.deepEqual(await options('/items/1/edit', 'known-tags'), ['tools, Red, a &amp; b']);
  assert.deepEqual(await options('/items/new?like=2', 'known-tags'), [
    'tools, Red',
    'tools, a &amp; b',
  ]);
  await addItem(application.database, { ...THING, location: 'Shed' });
  assert.ok((await options('/items/new', 'locations')).includes('Shed'));
});

testOnEngines('the forms suggest the names that fields for people have, each once', async (t) => {
  const application = await openItems(t, THINGS);
  const { database } = application;
  const member = await createMember(application);
  const [keeper, driver] = await database.write(async (one) => [
    await addOwnField(one, { kind: 'person', label: 'Keeper' }),
    await addOwnField(one, { kind: 'person', label: 'Driver' }),
  ]);
  for (const own of [
    { [keeper]: 'Grace' },
    { [keeper]: 'Bo', [driver]: 'Grace' },
    { [keeper]: 'Bo' },
  ])
    await addItem(database, { ...THING, own });
  await addItem(database, { ...THING, own: { [driver]: 'Ada' } });
  const names =
    '<option value="Bo"></option><option value="Grace"></option><option value="Ada"></option>';
  for (const path of ['/items/new', '/items/1/edit', '/fields/set?ticked=1']) {
    const markup = bodyText(await member.get(path));
    assert.ok(markup.includes('list="own-people"'), path);
    assert.ok(markup.includes(`<datalist id="own-people">${names}</datalist>`), path);
  }
});

test('a form is shown without suggestions when these cannot be read', async (t) => {
  const application = await openItems(t, THINGS, {
    replace: ({ facetList }) => ({
      facetList: { ...facetList, mostUsed: () => Promise.reject(new DatabaseUnavailable('slow')) },
    }),
  });
  const member = await createMember(application);
  const answer = await member.get('/items/new');
  assert.equal(answer.status, 200);
  assert.match(bodyText(answer), /<datalist id="locations"><\/datalist>/);
});
