import assert from 'node:assert/strict';
import test from 'node:test';
import { createRequest } from './request.ts';

test('a request made from method and target only has http, the loopback address and no body', () => {
  const { headers, body, scheme, address, malformed } = createRequest({
    method: 'GET',
    target: '/',
  });
  assert.deepEqual(
    { headers, body, scheme, address, malformed },
    { headers: {}, body: null, scheme: 'http', address: '127.0.0.1', malformed: null },
  );
});

test('a request shows its target as sent beside the path and the query read from it', () => {
  const { target, path, search } = createRequest({ method: 'GET', target: '/a%20b?q=a%20b' });
  assert.deepEqual(
    { target, path, search },
    { target: '/a%20b?q=a%20b', path: '/a b', search: 'q=a%20b' },
  );
});

test('the query is decoded, with all values of a repeated name', () => {
  const { query } = createRequest({ method: 'GET', target: '/items?tag=a+b&tag=%F0%9F%8E%89&q=' });
  assert.deepEqual(query.getAll('tag'), ['a b', '🎉']);
  assert.equal(query.get('q'), '');
  assert.equal(query.get('page'), null);
});

test('the query is parsed once', () => {
  const request = createRequest({ method: 'GET', target: '/items?q=1' });
  assert.equal(request.query, request.query);
});

test('the asterisk is an address for OPTIONS alone (RFC 9112 section 3.2.4)', () => {
  assert.equal(createRequest({ method: 'OPTIONS', target: '*' }).malformed, null);
  for (const method of ['GET', 'HEAD', 'POST', 'options'])
    assert.equal(createRequest({ method, target: '*' }).malformed, 'onlyForOptions', method);
});

test('a target in absolute form, as a proxy sends it, becomes the path and the query', () => {
  const headers = { host: 'things.example' };
  const targetOf = (target: string) => createRequest({ method: 'GET', target, headers }).target;
  assert.equal(targetOf('http://things.example/items/new?a=%20'), '/items/new?a=%20');
  assert.equal(targetOf('http://things.example?a=1'), '/?a=1');
  assert.equal(
    targetOf('/items?next=http://things.example/'),
    '/items?next=http://things.example/',
  );
});
