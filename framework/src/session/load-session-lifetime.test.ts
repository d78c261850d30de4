import assert from 'node:assert/strict';
import test from 'node:test';
import { text, withSession } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { createVisitor } from '../testing/visitor.ts';
import type { Lifetime } from './lifetime.ts';
import { loadSession } from './load-session.ts';
import { createMemorySessionStore } from './memory-session-store.ts';
import type { Session } from './session.ts';
import { startSession } from './session-change.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ADA = { id: 1, name: 'ada' };

interface Lifetimes {
  readonly lifetime?: Lifetime;
  readonly rememberedLifetime?: Lifetime;
}

/** A site whose clock only `wait` moves, and whose store records its calls. */
function createSite(lifetimes: Lifetimes = {}) {
  const store = createMemorySessionStore();
  const touches: Date[] = [];
  const deletions: string[] = [];
  let time = Date.parse('2026-11-20T18:00:00Z');
  const noting = {
    ...store,
    update: async (key: string, change: (session: Session) => Session) => {
      const session = await store.update(key, change);
      if (session !== null) touches.push(session.seenAt);
      return session;
    },
    delete: (key: string) => {
      deletions.push(key);
      return store.delete(key);
    },
  };
  const router = createRouter()
    .use(loadSession({ ...lifetimes, store: noting, now: () => new Date(time) }))
    .get('/who', ({ session }) => text(session?.user.name ?? 'nobody'))
    .post('/login', () => withSession(text('in'), startSession(ADA)))
    .post('/remember', () => withSession(text('in'), startSession(ADA, { remembered: true })));
  const visitor = createVisitor(router);
  return {
    visitor,
    touches,
    deletions,
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
    who: async () => (await visitor.get('/who')).body,
  };
}

test('a session ends after 12 hours without a request', async () => {
  const { visitor, wait, who } = createSite();
  await visitor.post('/login');
  wait(12 * HOUR - 1);
  assert.equal(await who(), 'ada');
  wait(12 * HOUR - 1);
  assert.equal(await who(), 'ada');
  wait(12 * HOUR);
  assert.equal(await who(), 'nobody');
});

test('a session ends after 14 days in any case', async () => {
  const { visitor, wait, who } = createSite();
  await visitor.post('/login');
  for (let hours = 0; hours < 14 * 24 - 8; hours += 8) {
    wait(8 * HOUR);
    assert.equal(await who(), 'ada');
  }
  wait(8 * HOUR - 1);
  assert.equal(await who(), 'ada');
  wait(1);
  assert.equal(await who(), 'nobody');
});

test('a remembered session ends after 14 idle days, and after 90 days in any case', async () => {
  const { visitor, wait, who } = createSite();
  const answer = await visitor.post('/remember');
  assert.match(String(answer.headers['Set-Cookie']), /; Max-Age=7776000;/);
  for (let days = 0; days < 78; days += 13) {
    wait(13 * DAY);
    assert.equal(await who(), 'ada');
  }
  wait(12 * DAY);
  assert.equal(await who(), 'nobody');

  await visitor.post('/remember');
  wait(14 * DAY);
  assert.equal(await who(), 'nobody');
});

test('both lifetimes can be set', async () => {
  const { visitor, wait, who } = createSite({
    lifetime: { idle: 60_000, absolute: 120_000 },
    rememberedLifetime: { idle: 600_000, absolute: 1_200_000 },
  });
  const answer = await visitor.post('/login');
  assert.match(String(answer.headers['Set-Cookie']), /; Max-Age=120;/);
  wait(60_000);
  assert.equal(await who(), 'nobody');

  const remembered = await visitor.post('/remember');
  assert.match(String(remembered.headers['Set-Cookie']), /; Max-Age=1200;/);
  wait(599_999);
  assert.equal(await who(), 'ada');
});

test('a clock that is ahead for a while ends no session: row and cookie stay', async () => {
  const { visitor, wait, who, deletions } = createSite();
  await visitor.post('/login');
  wait(13 * HOUR);
  assert.equal(await who(), 'nobody');
  assert.deepEqual(deletions, []);
  wait(-13 * HOUR);
  assert.equal(await who(), 'ada');
});

test('a visit is stored once a minute, not for every request', async () => {
  const { visitor, wait, who, touches } = createSite();
  await visitor.post('/login');
  for (let count = 0; count < 6; count++) {
    wait(20_000);
    await who();
  }
  assert.deepEqual(
    touches.map((time) => time.toISOString()),
    ['2026-11-20T18:01:00.000Z', '2026-11-20T18:02:00.000Z'],
  );
});

test('a clock that jumps back neither ends a session nor extends it forever', async () => {
  const { visitor, wait, who } = createSite();
  await visitor.post('/login');
  wait(-10 * MINUTE);
  assert.equal(await who(), 'ada');
  wait(10 * MINUTE + 12 * HOUR);
  assert.equal(await who(), 'nobody');
});
