import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { trustedHtml } from 'seeother';
import { bodyText, get } from 'seeother/testing';
import { findFlaws } from './find-flaws.ts';
import type { Page } from './page.ts';
import { createDocuments } from './router.ts';
import { openSearch } from './search.ts';

const toPage = (path: string, title: string, markup: string): Page => ({
  path,
  title,
  body: trustedHtml(markup),
  headings: [],
});
const pages = [
  toPage('/guides/', 'Guides', '<p>Sessions, uploads and forms</p>'),
  toPage(
    '/guides/sessions/',
    'Sessions',
    '<p>A <b>session</b> &lt;ends&gt; after “a while”.</p><pre>loadSession({ store })</pre>',
  ),
  toPage('/guides/forms/', 'Forms', '<h2 id="x">Uploads</h2><p>A form of a session.</p>'),
  toPage('/guides/files/', 'Files', '<p>Uploads may NOT be large.</p>'),
];
const search = await openSearch(pages);
const site = createDocuments({ pages, search });
after(() => search.close());

const find = async (query: string) => (await search.find(query)).map(({ path }) => path);
const show = (query: string) => site.handle(get(`/search?q=${encodeURIComponent(query)}`));

test('a page is found by its title first, then by its headings, then by its text', async () => {
  assert.deepEqual(await find('session'), ['/guides/sessions/', '/guides/forms/']);
  assert.deepEqual(await find('uploads'), ['/guides/forms/', '/guides/files/']);
});

test('all words count, the last one may be unfinished, and any word is better than nothing', async () => {
  assert.deepEqual(await find('form SESS'), ['/guides/forms/']);
  assert.deepEqual(await find('large unicorns'), ['/guides/files/']);
  assert.deepEqual(await find('loadSession'), ['/guides/sessions/']);
  assert.deepEqual(await find('unicorn'), []);
});

test('the result shows title, section and an escaped excerpt with the words marked', async () => {
  const text = bodyText(await show('session'));
  assert.match(text, /<a href="\/guides\/sessions\/">Sessions<\/a>\s*<small>Guides<\/small>/);
  assert.match(text, /A <mark>session<\/mark> &lt;ends&gt; after/);
  assert.match(text, /name="q" type="search" value="session"/);
});

test('a search without a word, or without a match, says how to go on', async () => {
  assert.match(bodyText(await show('')), /Type what you look for/);
  const hopeless = bodyText(await show('<unicorn>'));
  assert.match(hopeless, /No page has a word of “&lt;unicorn&gt;”\.[\s\S]*start page/);
});

const HOSTILE = [
  ['quotes', '" OR "'],
  ['an operator', 'session NOT sessions'],
  ['a star', '*'],
  ['a column', 'title : session'],
  ['brackets', 'NEAR((("session'],
  ['a caret', '^session'],
  ['a NUL', 'ses\0sion'],
  ['SQL', "'; drop table pages; --"],
  ['markup', '<script>alert(1)</script>'],
  ['10,000 characters', 'session '.repeat(1_250)],
  ['a long word', 'x'.repeat(10_000)],
  ['combining marks', `e${'\u0301'.repeat(10_000)}`],
  ['half a surrogate pair', '\ud83d'],
  ['the mark of matches', '\u0002session\u0002'],
] as const;

for (const [name, query] of HOSTILE)
  test(`${name} in a search is text`, async () => {
    const target = `/search?q=${encodeURIComponent(query.toWellFormed())}`;
    const answer = await site.handle(get(target));
    assert.equal(answer.status, 200);
    assert.deepEqual(findFlaws(bodyText(answer)), []);
    await search.find(query);
  });

test('a malformed or repeated query is answered, too', async () => {
  for (const target of ['/search', '/search?q=%ff', '/search?q=%', '/search?q=a&q=b'])
    assert.equal((await site.handle(get(target))).status, 200, target);
});

test('operators are words', async () => {
  assert.deepEqual(await find('uploads NOT large'), ['/guides/files/']);
});
