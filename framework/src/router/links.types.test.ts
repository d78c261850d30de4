import assert from 'node:assert/strict';
import test from 'node:test';
import { seeOther, text } from '../http/response.ts';
import { createLinks } from './links.ts';
import { createRouter } from './router.ts';

// Each line that must not compile says so, and the test shows what would have happened had it run.

const router = createRouter()
  .get('/items', () => text('list'))
  .get('/items/:number<int>', ({ params }) => text(`${params.number}`))
  .get('/tags/:tag/items', ({ params }) => text(params.tag))
  .post('/items/:number/delete', ({ params }) => text(params.number));
const { href, action } = createLinks<typeof router>();

test('a parameter that is missing does not compile', () => {
  // @ts-expect-error the number is missing
  assert.throws(() => href('/items/:number<int>'), /"number" is missing/);
  // @ts-expect-error the number is missing
  assert.throws(() => href('/items/:number<int>', {}), /"number" is missing/);
});

test('a parameter of another type does not compile', () => {
  // @ts-expect-error the number is text
  assert.throws(() => href('/items/:number<int>', { number: '7' }), /does not match/);
  // @ts-expect-error the text is a number
  assert.throws(() => href('/tags/:tag/items', { tag: 7 }), /does not match/);
});

test('a parameter too many does not compile', () => {
  // @ts-expect-error the pattern has no other parameter
  assert.equal(href('/items/:number<int>', { number: 7, other: 1 }), '/items/7');
});

test('a pattern that no route serves with GET does not compile as a link', () => {
  // @ts-expect-error it is served with POST only
  assert.equal(href('/items/:number/delete', { number: '7' }), '/items/7/delete');
  // @ts-expect-error no route has it
  assert.equal(href('/nowhere'), '/nowhere');
});

test('a pattern that no route serves with POST does not compile as an action', () => {
  // @ts-expect-error it is served with GET only
  assert.equal(action('/tags/:tag/items', { tag: 'a' }), '/tags/a/items');
});

test('text does not compile as the target of a redirect, a link does', () => {
  const fromRequest: string = '//evil.test';
  // @ts-expect-error text alone may lead anywhere
  assert.throws(() => seeOther(fromRequest), TypeError);
  assert.equal(seeOther(href('/items')).headers['Location'], '/items');
});
