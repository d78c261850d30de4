import assert from 'node:assert/strict';
import test from 'node:test';
import { createRequest } from './request.ts';
import { Slot } from './slot.ts';

const first = new Slot<string | null>(null);
const second = new Slot(7);

test('a slot has its first value until another one is set, in each request', () => {
  const one = createRequest({ method: 'GET', target: '/' });
  const other = createRequest({ method: 'GET', target: '/' });
  first.set(one, 'text');
  assert.deepEqual([first.of(one), second.of(one)], ['text', 7]);
  assert.deepEqual([first.of(other), second.of(other)], [null, 7]);
  first.set(one, null);
  assert.equal(first.of(one), null);
});

test('a slot that is made after the request has its first value too', () => {
  const request = createRequest({ method: 'GET', target: '/' });
  const late = new Slot('late');
  assert.equal(late.of(request), 'late');
  late.set(request, 'set');
  assert.equal(late.of(request), 'set');
});
