import assert from 'node:assert/strict';
import test from 'node:test';
import { SAMPLE_ITEMS } from '../data/sample-items.ts';
import type { Item, ItemPage } from '../data/store.ts';
import type { Answer } from '../harness/visit.ts';
import { listPage } from '../views/list-page.ts';
import { WORKS } from './works.ts';

const workOf = (name: string) => {
  const work = WORKS.find((one) => one.name === name);
  assert.ok(work);
  return work;
};

const user = { id: 1, username: 'ada' };
const items: readonly Item[] = SAMPLE_ITEMS.slice(0, 20).map((item, at) => ({
  ...item,
  number: at + 1,
}));
const locations = [{ name: 'Office', count: 50, address: '/items?location=Office' }];
const tags = [{ name: 'tools', count: 50, address: '/items?tag=tools' }];
const list: ItemPage = { items, page: 1, pageCount: 10, itemCount: 200, locations, tags };
const toAnswer = (body: string): Answer => ({ status: 200, headers: {}, body });
const reference = toAnswer(listPage(user, list));

test('a list that says the same in other words of HTML is right', () => {
  const body = reference.body
    .replace('<tbody>', '<tbody >\n\n')
    .replaceAll('&#39;', '&#x27;')
    .replaceAll('→', '&#8594;');
  workOf('list').check(toAnswer(body), reference);
});

for (const [what, body] of [
  ['a row less', listPage(user, { ...list, items: items.slice(1) })],
  ['another order', listPage(user, { ...list, items: items.toReversed() })],
  ['no tags', listPage(user, { ...list, items: items.map((item) => ({ ...item, tags: [] })) })],
  ['nobody logged in', listPage(null, list)],
  ['another count', listPage(user, { ...list, itemCount: 20 })],
  ['no links to other pages', listPage(user, { ...list, pageCount: 1 })],
  [
    'another count of a tag',
    reference.body.replace('tools</a> <span class="count">50', 'tools</a> <span class="count">5'),
  ],
  ['text that is not escaped', reference.body.replaceAll('&lt;', '<').replaceAll('&gt;', '>')],
  ['half of the page around it', reference.body.replace(/<head>.*<\/header>/s, '')],
] as const) {
  test(`a list with ${what} is refused`, () => {
    assert.throws(() => workOf('list').check(toAnswer(body), reference), {
      name: 'AssertionError',
    });
  });
}

test('a 200 is no 304, and neither is a 304 with a body', () => {
  const answer: Answer = { status: 304, headers: {}, body: '' };
  workOf('list-304').check(answer, reference);
  assert.throws(() => workOf('list-304').check({ ...answer, status: 200 }, reference));
  assert.throws(() => workOf('styles-304').check({ ...answer, body: 'x' }, reference));
});

test('the guarded route carries security headers, and the style sheet its whole text', () => {
  const headers = { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' };
  const answer: Answer = { status: 200, headers, body: 'Item 42' };
  workOf('guarded').check(answer, answer);
  const bare = { ...answer, headers: { 'content-type': 'text/plain' } };
  workOf('route').check(bare, answer);
  assert.throws(() => workOf('guarded').check(bare, answer));
  const css: Answer = { status: 200, headers: { 'content-type': 'text/css' }, body: 'a{}' };
  assert.throws(() => workOf('styles').check({ ...css, body: '' }, css));
});
