/** The list by its address: what it shows, and where its links lead. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { QueueFull } from 'seeother/middleware';
import { bodyText, createVisitor } from 'seeother/testing';
import { createTestApplication, headerOf } from '../../testing/create-test-application.ts';
import { addItem } from '../../testing/open-test-database.ts';
import type { NewItem } from '../item-rows.ts';

const THING: NewItem = { name: 'Thing', description: '', quantity: 1, location: '', tags: [] };

async function openList(t: TestContext, things: readonly Partial<NewItem>[]) {
  const application = await createTestApplication(t);
  for (const thing of things) await addItem(application.database, { ...THING, ...thing });
  const visitor = createVisitor(application);
  return async (query: string) => {
    const answer = await visitor.get(`/items${query}`);
    assert.equal(answer.status, 200, query);
    const markup = bodyText(answer).replaceAll('&amp;', '&');
    const names = [...markup.matchAll(/<th scope="row"><a [^>]*>([^<]*)<\/a>/g)];
    const hrefs = [...markup.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g)];
    return {
      markup,
      names: names.map(([, name = '']) => name),
      /** The address of the link with that text. */
      href: (text: string) =>
        hrefs.find(([, , inner = '']) => inner.replaceAll(/<[^>]*>/g, '') === text)?.[1],
    };
  };
}

const THREE: readonly Partial<NewItem>[] = [
  { name: 'Drill', quantity: 7, location: 'Cellar', tags: ['tools', 'red'] },
  { name: 'apple', quantity: 20, location: 'Kitchen & bar' },
  { name: 'Saw', quantity: 1, location: 'Cellar', tags: ['tools'] },
];

test('the address determines the list', async (t) => {
  const list = await openList(t, THREE);
  const expected = {
    '': ['Saw', 'apple', 'Drill'],
    '?q=dri': ['Drill'],
    '?q=cellar+tools': ['Saw', 'Drill'],
    '?tag=tools': ['Saw', 'Drill'],
    '?tag=tools&q=red': ['Drill'],
    '?location=Kitchen+%26+bar': ['apple'],
    '?sort=name': ['apple', 'Drill', 'Saw'],
    '?sort=-quantity': ['apple', 'Drill', 'Saw'],
    '?sort=oldest&tag=tools': ['Drill', 'Saw'],
  };
  for (const [query, names] of Object.entries(expected))
    assert.deepEqual((await list(query)).names, names, query);
});

test('unknown sort orders and invalid values are ignored', async (t) => {
  const list = await openList(t, THREE);
  const all = ['Saw', 'apple', 'Drill'];
  for (const query of [
    '?q=',
    '?q=+++',
    '?tag=&location=&sort=&page=',
    '?sort=NAME',
    '?sort=number%3B--',
    '?sort=__proto__',
    '?sort=constructor',
    '?page=-1',
    '?nothing=else',
    '?q=%00',
    '?tag=%00',
    '?location=%00',
  ])
    assert.deepEqual((await list(query)).names, all, query);
  assert.deepEqual((await list('?tag=too%00ls')).names, ['Saw', 'Drill']);
  assert.deepEqual((await list('?q=saw&q=drill')).names, ['Saw'], 'the first one counts');
});

test('the form shows the query, and the heading the number of items', async (t) => {
  const list = await openList(t, THREE);
  const all = await list('');
  assert.match(all.markup, /<h1>Items <span class="count visually-hidden">3 items<\/span><\/h1>/);
  assert.doesNotMatch(all.markup, /role="status"|class="filters"/);
  const { markup } = await list('?q=+"cellar"+&tag=tools&sort=name');
  assert.match(markup, /name="q" value="&quot;cellar&quot;"/);
  assert.match(markup, /name="tag" form="search" value="tools"/);
  assert.match(markup, /<option value="name" selected>/);
  assert.match(markup, /<p class="visually-hidden" role="status">2 items match\.<\/p>/);
  assert.match(markup, /<title>&quot;cellar&quot;, tools – Items – Seeother<\/title>/);
  assert.match((await list('?q=saw')).markup, /1 item matches\./);
});

test('a search without matches differs from an empty list', async (t) => {
  const list = await openList(t, THREE);
  for (const query of ['?q=xylophone', '?q=%3F%21', '?tag=tool', '?location=cell']) {
    const { names, markup } = await list(query);
    assert.deepEqual(names, []);
    assert.match(markup, /Nothing matches\. <a href="\/items">Show all items<\/a>/);
    assert.match(markup, /Filters and order/);
  }
  const { markup } = await list('?q=cellr+saw&sort=name');
  const link = '<a href="/items?q=Cellar+saw&sort=name"><strong>Cellar saw</strong></a>';
  assert.ok(markup.includes(`Nothing matches. Did you mean ${link}?`), markup);
  const empty = await openList(t, []);
  assert.match((await empty('')).markup, /Nothing here yet\./);
  assert.doesNotMatch((await empty('')).markup, /Filters and order/);
  assert.match((await empty('?q=x')).markup, /Nothing matches\./);
});

test('the number of an item leads to it, and shows it above other items with that word', async (t) => {
  const application = await createTestApplication(t);
  for (const name of ['Chair', 'Lamp 2', 'Desk', '2 drills', '23 m cable'])
    await addItem(application.database, { ...THING, name });
  const visitor = createVisitor(application);
  const get = (query: string) => visitor.get(`/items?${query}`);
  for (const query of ['q=%232', 'q=+%232+&sort=name&page=7&tag=', 'q=No.+2', 'q=no.2']) {
    const answer = await get(query);
    assert.deepEqual([answer.status, headerOf(answer, 'Location')], [303, '/items/2'], query);
    assert.equal(headerOf(answer, 'ETag'), undefined);
  }
  for (const query of [
    'q=%232&tag=red',
    'q=%232&show=low',
    'q=%2302',
    'q=%232+lamp',
    'q=2',
    'q=%239',
  ])
    assert.equal((await get(query)).status, 200, query);

  const plain = bodyText(await get('q=23'));
  assert.doesNotMatch(plain, /Item 23/);
  assert.match(plain, /23 m cable/);
  for (let number = 6; number <= 23; number++)
    await addItem(application.database, { ...THING, name: `Box <${number}>` });
  const both = bodyText(await get('q=23'));
  assert.match(both, /Item 23: <a href="\/items\/23">Box &lt;23&gt;<\/a>[\s\S]*23 m cable/);
  assert.match(bodyText(await get('q=4')), /Item 4: <a href="\/items\/4">2 drills<\/a>/);
  assert.doesNotMatch(bodyText(await get('q=4')), /Nothing matches|single letter/);
  assert.doesNotMatch(bodyText(await get('q=4&tag=red')), /Item 4/);
  assert.match(
    bodyText(await get('q=%2399')),
    /There is no item 99\. <a href="\/items\/99">See why/,
  );
  assert.match(bodyText(await get('q=99')), /Nothing matches\./);
});

test('beside the list, the commonest locations and tags keep the other filters', async (t) => {
  const list = await openList(t, [...THREE, { location: 'Cellar, left', tags: ['Tools'] }]);
  const { href, markup } = await list('?q=drill&tag=tools&location=cellar&page=2');
  assert.match(
    markup,
    /location=Cellar" aria-current="true">Cellar<\/a> <span class="count">3<\/span><ul>\s*<li><a [^>]*>left</,
    'what is inside the chosen location',
  );
  assert.match(markup, /aria-current="true">tools<\/a> <span class="count">3</);
  assert.equal(href('Kitchen & bar'), '/items?q=drill&tag=tools&location=Kitchen+%26+bar');
  assert.equal(href('All locations and tags'), '/items/filters?q=drill&tag=tools&location=cellar');
  assert.doesNotMatch((await (await openList(t, [{}]))('')).markup, /All locations and tags/);
});

test('each filter has a link to remove it, and one link removes all', async (t) => {
  const list = await openList(t, THREE);
  const { href } = await list('?q=drill&tag=tools&location=Cellar&sort=name');
  assert.equal(href('Remove Search: drill'), '/items?tag=tools&location=Cellar&sort=name');
  assert.equal(href('Remove Tag: tools'), '/items?q=drill&location=Cellar&sort=name');
  assert.equal(href('Remove Location: Cellar'), '/items?q=drill&tag=tools&sort=name');
  assert.equal(href('Remove all filters'), '/items?sort=name');
  assert.equal((await list('?tag=tools')).href('Remove all filters'), undefined);
});

test('a table heading sorts, and reverses the order when it is already sorted by it', async (t) => {
  const list = await openList(t, THREE);
  const newest = await list('?tag=tools&page=1');
  assert.equal(newest.href('Name'), '/items?tag=tools&sort=name');
  assert.doesNotMatch(newest.markup, /aria-sort/);
  const byName = await list('?sort=name');
  assert.equal(byName.href('Name'), '/items?sort=-name');
  assert.equal(byName.href('Quantity'), '/items?sort=quantity');
  assert.match(
    byName.markup,
    /<th scope="col" class="name" aria-sort="ascending"><a [^>]* title="Name, Z to A">Name</,
  );
  const most = await list('?sort=-quantity');
  assert.equal(most.href('Quantity'), '/items?sort=quantity');
  assert.match(most.markup, /aria-sort="descending"><a [^>]*>Quantity</);
  assert.equal([...most.markup.matchAll(/aria-sort/g)].length, 1);
});

test('a row has one link; the tags of an item lead to items with the same, its location to its place', async (t) => {
  const list = await openList(t, THREE);
  const [row = ''] = /<tr>\n<th scope="row">.*?<\/tr>/s.exec((await list('')).markup) ?? [];
  assert.equal(row.split('<a ').length - 1, 1);
  const item = await list('/2');
  assert.equal(item.href('Kitchen & bar'), '/places/at?location=Kitchen+%26+bar');
  assert.equal((await list('/1')).href('red'), '/items?tag=red');
});

test('links between pages keep search, filters and order', async (t) => {
  const things = Array.from({ length: 90 }, (_, index) => ({ name: `Thing ${index + 1}` }));
  const list = await openList(t, things);
  const third = await list('?q=thing&page=3');
  assert.match(third.markup, /<span aria-current="page">Page 3 of 5<\/span>/);
  assert.equal(third.href('First'), '/items?q=thing&page=1');
  assert.equal(third.href('← Previous'), '/items?q=thing&page=2');
  assert.equal(third.href('Next →'), '/items?q=thing&page=4');
  assert.equal(third.href('Last'), '/items?q=thing&page=5');
  assert.equal(third.names[0], 'Thing 50');
  const sorted = await list('?sort=name&page=2');
  assert.equal(sorted.href('← Previous'), '/items?sort=name&page=1');
  assert.equal(sorted.href('Next →'), '/items?sort=name&page=3');
  assert.equal(sorted.href('First'), undefined);
  assert.match(sorted.markup, /<title>Items, page 2 of 5 – Seeother<\/title>/);
  const beyond = await list('?q=thing&page=900719925474099');
  assert.equal(beyond.names.length, 10);
});

test('a list that does not have all matches says so, with their number if it is known', async (t) => {
  const itemCounts: Readonly<Record<string, number>> = { saw: 1_000, '': 42_857 };
  const application = await createTestApplication(t, {
    replace: ({ items }) => ({
      items: {
        ...items,
        async list(page, { search = '' } = {}) {
          const all = await items.list(page);
          const itemCount = itemCounts[search] ?? 0;
          return { ...all, pageCount: search === '' ? 500 : 50, itemCount, isTruncated: true };
        },
      },
    }),
  });
  const { get } = createVisitor(application);
  assert.match(
    bodyText(await get('/items?q=saw')),
    /More than 1,000 items match\. The list has the newest 1,000: add a word or a filter to see others\./,
  );
  assert.match(
    bodyText(await get('/items?location=Office')),
    />42,857 items match\. The list has the newest 10,000: add a word or a filter to see others\./,
  );
});

test('the list says when it leaves words out of a search', async (t) => {
  const list = await openList(t, THREE);
  const hint = /Words of a single letter or digit, and all words after the first 6, are left out/;
  assert.match((await list('?q=saw+x')).markup, hint);
  assert.match((await list('?q=x')).markup, hint);
  assert.doesNotMatch((await list('?q=saw')).markup, hint);
  assert.doesNotMatch((await list('?tag=x')).markup, hint);
});

test('with too many searches, a search is a 503 with Retry-After, and the list is still served', async (t) => {
  const application = await createTestApplication(t, {
    replace: ({ items }) => ({
      items: {
        ...items,
        list: (page, query = {}) => (query.search === '' ? items.list(page, query) : refuse()),
      },
    }),
  });
  const refuse = () => Promise.reject(new QueueFull('Too many searches are waiting.'));
  const visitor = createVisitor(application);
  const answer = await visitor.get('/items?q=saw');
  assert.equal(answer.status, 503);
  assert.equal(headerOf(answer, 'Retry-After'), '5');
  assert.equal(headerOf(answer, 'ETag'), undefined);
  assert.match(bodyText(answer), /Too many people are searching.*Try again in a minute/s);
  const headers = { accept: 'application/json' };
  const plain = await visitor.get('/items?q=saw', { headers });
  assert.equal(headerOf(plain, 'Content-Type'), 'text/plain; charset=utf-8');
  assert.equal((await visitor.get('/items')).status, 200);
  assert.deepEqual(application.reports, [], 'nothing is wrong');
});
