import assert from 'node:assert/strict';
import test from 'node:test';
import { text } from '../http/response.ts';
import { get } from '../testing/make-request.ts';
import { createLinks } from './links.ts';
import { createRouter } from './router.ts';

const router = createRouter()
  .get('/', () => text('start'))
  .get('/items', () => text('list'))
  .post('/items', () => text('create', 201))
  .get('/items/:number<int>', ({ params }) => text(`${params.number}`))
  .get('/tags/:tag/items', ({ params }) => text(params.tag))
  .get('/files/*path', ({ params }) => text(params.path))
  .post('/items/:number<int>/delete', ({ params }) => text(`${params.number}`));
const { href, action } = createLinks<typeof router>();

test('a link to a pattern without parameters is the pattern', () => {
  assert.equal(href('/'), '/');
  assert.equal(href('/items'), '/items');
  assert.equal(action('/items'), '/items');
});

test('with the router, a link to a pattern that it does not serve is an error at every call', () => {
  const links = createLinks<'GET /item' | 'GET /items' | 'POST /'>({ router: () => router });
  assert.equal(links.href('/items'), '/items');
  for (let turn = 0; turn < 2; turn++) {
    assert.throws(() => links.href('/item'), /^TypeError: Cannot link to \/item: no GET route has/);
    assert.throws(() => links.action('/'), /^TypeError: Cannot link to \/: no POST route has/);
  }
});

test('parameters stand in the places of their names', () => {
  assert.equal(href('/items/:number<int>', { number: 7 }), '/items/7');
  assert.equal(action('/items/:number<int>/delete', { number: 7 }), '/items/7/delete');
});

test('a value is encoded, and arrives at the handler as it was', async () => {
  for (const tag of [
    'a b',
    'a/b',
    '50%',
    '%2F',
    'é',
    '?x',
    '#x',
    'a&b',
    '"<>',
    '\u{1f527}',
    '..a',
  ]) {
    const path = href('/tags/:tag/items', { tag });
    assert.match(path, /^\/tags\/[\x21-\x7e]+\/items$/);
    assert.equal((await router.handle(get(path))).body, tag);
  }
});

test('a wildcard matches several segments', async () => {
  const path = href('/files/*path', { path: 'a b/c/100%' });
  assert.equal(path, '/files/a%20b/c/100%25');
  assert.equal((await router.handle(get(path))).body, 'a b/c/100%');
});

test('the query is appended without undefined values', () => {
  assert.equal(
    href('/items', {}, { page: 2, q: 'a b&c', tag: undefined }),
    '/items?page=2&q=a+b%26c',
  );
  assert.equal(href('/items', {}, { tag: undefined }), '/items');
});

test('half of a character in a value is refused by the name of the parameter', () => {
  assert.throws(
    () => href('/tags/:tag/items', { tag: 'a\ud83d' }),
    /"tag" has half of a character/,
  );
});

test('a value that the pattern would not match is refused', () => {
  assert.throws(
    () => href('/items/:number<int>', { number: -7 }),
    /^TypeError: Cannot link to \/items\/:number<int> with {"number":-7}: "\/items\/-7" does not match the pattern/,
  );
  for (const number of [0, 1.5, 1e21, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => href('/items/:number<int>', { number }), /does not match/, `${number}`);
  for (const tag of ['', 'a\nb', '\0'])
    assert.throws(() => href('/tags/:tag/items', { tag }), /does not match/);
});

test('a value that a browser would resolve as another path is refused', () => {
  for (const tag of ['.', '..']) {
    assert.throws(() => href('/tags/:tag/items', { tag }), /a browser would resolve/);
  }
  assert.throws(() => href('/files/*path', { path: '../../etc' }), /a browser would resolve/);
});
