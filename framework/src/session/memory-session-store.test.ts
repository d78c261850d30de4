import assert from 'node:assert/strict';
import test from 'node:test';
import { createMemorySessionStore } from './memory-session-store.ts';
import type { Session, SessionUser } from './session.ts';
import { describeSessionStore } from './session-store.contract.ts';
import { createToken, toTokenKey } from './token.ts';

const ADA = { id: 1, name: 'ada' };

describeSessionStore('the memory store', () => createMemorySessionStore<SessionUser>(), [
  ADA,
  { id: 2, name: 'bo' },
]);

describeSessionStore('the memory store, with ids as text', createMemorySessionStore, [
  { id: 'ada', name: 'Ada' },
  { id: 'bo', name: 'Bo' },
]);

test('the memory store: removes expired sessions when a new one is created', async () => {
  const store = createMemorySessionStore();
  const endingAt = (endsAt: number): Session => ({
    key: toTokenKey(createToken()),
    user: ADA,
    startedAt: new Date(0),
    seenAt: new Date(0),
    endsAt: new Date(endsAt),
    remembered: false,
    agent: '',
    address: '',
    flashes: [],
    draft: null,
    superseded: false,
  });
  const [ended, alive, next] = [endingAt(1_000), endingAt(1_001), endingAt(2_000)];
  await store.create(ended, null);
  await store.create(alive, null);
  assert.notEqual(await store.find(ended.key), null);
  await store.create({ ...next, startedAt: new Date(1_000) }, null);
  assert.equal(await store.find(ended.key), null);
  assert.notEqual(await store.find(alive.key), null);
});
