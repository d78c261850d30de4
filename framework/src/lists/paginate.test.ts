import assert from 'node:assert/strict';
import test from 'node:test';
import { localPath } from '../http/href.ts';
import { createRequest, type Request } from '../http/request.ts';
import { languageSlot } from '../http/request-language.ts';
import { german } from '../language/german.ts';
import { get } from '../testing/make-request.ts';
import { pageLinks } from './page-links.ts';
import { paginate } from './paginate.ts';

const letters = 'abcdefghijklm'.split('');

/** Thirteen letters, five on a page. */
const byNumber = (target: string, isCounted = false) =>
  paginate(get(target), {
    size: 5,
    read: ({ limit, offset }) => letters.slice(offset, offset + limit),
    ...(isCounted ? { count: async () => letters.length } : {}),
  });

interface Note {
  readonly title: string;
  readonly id: number;
}

/** Sorted by title and then by id; two on a page. */
const byKey = (request: Request, notes: readonly Note[]) =>
  paginate(request, {
    size: 2,
    key: { title: 'text', id: 'int' },
    async read({ limit, position, isBackwards }) {
      const isAfter = (one: Note, other: Note) =>
        one.title === other.title ? one.id > other.id : one.title > other.title;
      const sorted = notes.toSorted((one, other) => (isAfter(one, other) ? 1 : -1));
      if (position === null) return sorted.slice(0, limit);
      if (!isBackwards) return sorted.filter((one) => isAfter(one, position)).slice(0, limit);
      return sorted
        .filter((one) => isAfter(position, one))
        .toReversed()
        .slice(0, limit);
    },
  });

test('a page by number has its rows, and links that keep the rest of the query', async () => {
  const second = await byNumber('/letters?q=a%26b&page=2&tag=x&tag=y');
  assert.deepEqual(second.rows, letters.slice(5, 10));
  assert.deepEqual([second.page, second.pageCount, second.count], [2, null, null]);
  assert.equal(second.prev, '/letters?q=a%26b&tag=x&tag=y');
  assert.equal(second.first, second.prev);
  assert.equal(second.next, '/letters?q=a%26b&page=3&tag=x&tag=y');
  assert.equal(second.last, null);
  assert.equal(
    second.nav?.markup,
    `<nav class="pages" aria-label="Pages">
<ul>
<li><a rel="prev" href="/letters?q=a%26b&amp;tag=x&amp;tag=y">Previous</a></li>
<li><span aria-current="page">Page 2</span></li>
<li><a rel="next" href="/letters?q=a%26b&amp;page=3&amp;tag=x&amp;tag=y">Next</a></li>
</ul>
</nav>`,
  );
  const third = await byNumber('/letters?page=3');
  assert.deepEqual([third.rows, third.next], [letters.slice(10), null]);
  assert.match(third.nav?.markup ?? '', /<a href="\/letters">First<\/a><\/li>\n<li><a rel="prev"/);
});

test('with a count there is a last page, and a number beyond it is that page', async () => {
  const first = await byNumber('/letters', true);
  assert.deepEqual([first.page, first.pageCount, first.count], [1, 3, 13]);
  assert.deepEqual([first.first, first.prev], [null, null]);
  assert.deepEqual([first.next, first.last], ['/letters?page=2', '/letters?page=3']);
  assert.match(first.nav?.markup ?? '', /Page 1 of 3<[\s\S]*<a href="\/letters\?page=3">Last</);
  assert.deepEqual((await byNumber('/letters?page=99', true)).rows, letters.slice(10));
});

test('an address that names no page shows the first one', async () => {
  const first = await byNumber('/letters');
  for (const page of ['', '0', '-1', '01', '1e1', '2.5', '1000000000', '9'.repeat(400), 'x', '4'])
    assert.deepEqual((await byNumber(`/letters?page=${page}`)).rows, first.rows, page);
  assert.deepEqual((await byNumber('/letters?page=x&page=2')).rows, first.rows);

  const notes = letters.map((title, id) => ({ title, id }));
  const { rows } = await byKey(get('/notes'), notes);
  for (const name of ['after', 'before']) {
    const found = await byKey(get(`/notes?${name}=["zz",1]`), notes.slice(0, 1));
    assert.deepEqual([found.rows, found.prev], [rows.slice(0, 1), null]);
  }
});

test('a key that is not of its kind reaches no database', async () => {
  const positionOf = async (text: string) => {
    let read: object | null = null;
    await paginate(get(`/?${new URLSearchParams({ after: text })}`), {
      size: 2,
      key: { title: 'text', id: 'int' },
      read({ position }) {
        read ??= position;
        return [];
      },
    });
    return read;
  };
  assert.deepEqual(await positionOf('["",-7]'), { title: '', id: -7 });
  for (const id of ['"x"', '1.5', '"1e1"', '"0x2"', '"01"', '-0.5', '1e300', 'null', '{}', '[1]'])
    assert.equal(await positionOf(`["c",${id}]`), null, id);
  for (const text of [
    '',
    'c',
    '7',
    '[]',
    '["c"]',
    '["c",1,2]',
    '["\\u0000",1]',
    '{"length":2}',
    '[[],1]',
  ])
    assert.equal(await positionOf(text), null, text);
});

test('pages by key show each entry once while others come and go, there and back', async () => {
  let notes: readonly Note[] = ['b', 'b', 'd', 'd', 'd', 'f', 'h'].map((title, id) => ({
    title,
    id,
  }));
  const show = ({ rows }: { readonly rows: readonly Note[] }) =>
    rows.map(({ title, id }) => `${title}${id}`).join(' ');
  const first = await byKey(get('/notes?q=x'), notes);
  assert.equal(show(first), 'b0 b1');
  assert.deepEqual([first.first, first.prev, first.page], [null, null, null]);
  assert.doesNotMatch(first.nav?.markup ?? '', /aria-current|rel="prev"|First/);
  notes = [...notes.slice(1), { title: 'a', id: 9 }, { title: 'd', id: 8 }];
  const second = await byKey(get(first.next ?? ''), notes);
  assert.equal(second.first, '/notes?q=x');
  assert.equal(show(second), 'd2 d3');
  const third = await byKey(get(second.next ?? ''), notes);
  assert.equal(show(third), 'd4 d8');
  const last = await byKey(get(third.next ?? ''), notes);
  assert.equal(show(last), 'f5 h6');
  assert.deepEqual([last.next, last.last], [null, null]);
  assert.equal(show(await byKey(get(last.prev ?? ''), notes)), 'd4 d8');
  const back = await byKey(get(second.prev ?? ''), notes);
  assert.equal(show(back), 'a9 b1');
  assert.deepEqual([back.prev, back.next], [null, '/notes?q=x&after=%5B%22b%22%2C1%5D']);
  // Less than a page stands before it.
  notes = notes.slice(1);
  assert.equal(show(await byKey(get(second.prev ?? ''), notes)), 'a9 d2');
});

test('a key of one value is its text', async () => {
  const list = (target: string) =>
    paginate(get(target), {
      size: 2,
      key: { name: 'text' },
      read: ({ limit, position }) =>
        ['', 'a&b', 'ü', '☃']
          .filter((name) => name > (position?.name ?? ''))
          .slice(0, limit)
          .map((name) => ({ name })),
    });
  const first = await list('/');
  assert.equal(first.next, '/?after=%C3%BC');
  assert.deepEqual((await list(first.next ?? '')).rows, [{ name: '☃' }]);
});

test('a list of one page has no links', async () => {
  const { nav, rows } = await paginate(get('/'), { size: 20, read: () => letters });
  assert.deepEqual([nav, rows], [null, letters]);
  const none = await paginate(get('/?page=3'), { size: 20, read: () => [], count: () => 0 });
  assert.deepEqual([none.nav, none.rows, none.pageCount], [null, [], 1]);
});

test('addresses and words may be of your own, and others are in the language of the request', async () => {
  const request = get('/letters?page=2&utm=x');
  languageSlot.set(request, german);
  const { nav } = await paginate(request, {
    size: 5,
    read: () => letters,
    href: ({ page }) => localPath(page === undefined ? '/all' : `/all/${page}`),
    words: { previousPage: 'Zurück' },
  });
  assert.match(
    nav?.markup ?? '',
    /href="\/all">Zurück<[\s\S]*>Seite 2<[\s\S]*href="\/all\/3">Nächste</,
  );
  const { first, prev, next, last } = pageLinks({
    ...{ page: 4, pageCount: 9, href: (page) => localPath(`/${page}`) },
  });
  assert.deepEqual([first, prev, next, last], ['/1', '/3', '/5', '/9']);
});

test('no address makes a link to another site', async () => {
  for (const target of ['//evil.example/x', '/\\evil.example', '*', 'http://evil.example//x'])
    for (const { next } of [
      await paginate(createRequest({ method: 'GET', target }), { size: 1, read: () => letters }),
    ])
      assert.match(next ?? '', /^\/[^/\\]*\?page=2$/, target);
});

test('mistakes without types are sentences', async () => {
  const untyped = paginate as (request: Request, options: object) => Promise<unknown>;
  for (const [options, message] of [
    [{ read: () => [] }, /Cannot call paginate without size: pass a whole number from 1/],
    [{ size: 0, read: () => [] }, /Cannot pass 0 to paginate as size: pass a whole number from 1/],
    [{ size: 20 }, /without read/],
    [{ size: 20, read: () => [], total: 3 }, /"total" to paginate/],
  ] as const)
    await assert.rejects(untyped(get('/'), options), message);
});
