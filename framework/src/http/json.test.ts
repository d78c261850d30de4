import assert from 'node:assert/strict';
import test from 'node:test';
import { json } from './json.ts';

test('a value is JSON, with a status', () => {
  const answer = json({ name: 'Ä', until: new Date(0), gone: undefined });
  assert.equal(answer.body, '{"name":"Ä","until":"1970-01-01T00:00:00.000Z"}');
  assert.deepEqual(answer.headers, { 'Content-Type': 'application/json' });
  assert.deepEqual([answer.status, json(null, 201).status, json(null).body], [200, 201, 'null']);
});

test('what JSON would lose is refused, and does not compile', () => {
  // @ts-expect-error Await the promise
  assert.throws(() => json(Promise.resolve(1)), /Cannot write a promise as JSON/);
  // @ts-expect-error a Map or a Set is {}
  assert.throws(() => json(new Map([[1, 2]])), /Object.fromEntries/);
  // @ts-expect-error JSON has no bigint
  assert.throws(() => json({ inner: [1n] }), TypeError);
  assert.throws(() => json(undefined), /Cannot write undefined as JSON/);
  // @ts-expect-error Await the promise
  assert.equal(json({ notes: Promise.resolve(1) }).body, '{"notes":{}}');
  const unknown: unknown = { a: 1 };
  interface Tree {
    readonly name: string;
    readonly branches: readonly Tree[];
  }
  const tree: Tree = { name: 'a', branches: [] };
  assert.equal(
    json({ unknown, tree }).body,
    '{"unknown":{"a":1},"tree":{"name":"a","branches":[]}}',
  );
});
