/** Rows E1, E2, E4, E5 and E14 of docs/hostile.md: the sessions of the application’s own store and forms. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { bodyText, createVisitor, get, post, type Visitor } from 'seeother/testing';
import type { Environment } from '../settings/config.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
  register,
  type TestApplication,
} from '../testing/create-test-application.ts';
import { copyDatabase } from '../testing/dump-database.ts';
import { openAnother, openTestDatabase } from '../testing/open-test-database.ts';

const ADA = { username: 'ada', password: PASSWORD };

async function statusWith(application: TestApplication, id: string): Promise<number> {
  const headers = { cookie: `sid=${id}` };
  return (await application.handle(get('/items/new', { headers }))).status;
}

test('E1: the database has the SHA-256 of an id and never the id', async (t) => {
  const application = await createTestApplication(t);
  const id = (await createMember(application)).cookie('sid') ?? '';
  const bytes = await copyDatabase(application.database.url);
  assert.equal(bytes.includes(createHash('sha256').update(id).digest('hex')), true);
  assert.equal(bytes.includes(id), false);
});

test('E2: a log-in creates a new id, and the previous one, planted or real, is invalid', async (t) => {
  const application = await createTestApplication(t);
  await register(application, 'ada');
  let before = 'A'.repeat(43);
  for (let count = 0; count < 2; count++) {
    const visitor = createVisitor(application);
    await visitor.post('/login', ADA, { headers: { cookie: `sid=${before}` } });
    const after = visitor.cookie('sid') ?? '';
    assert.equal(await statusWith(application, before), 303);
    assert.equal(await statusWith(application, after), 200);
    before = after;
  }
  const rows = await application.database.read.selectFrom('sessions').selectAll().execute();
  assert.equal(rows.length, 1);
});

test('E4: a log-out is a POST that deletes the row, clears cookie and cache, and invalidates the id', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const id = member.cookie('sid') ?? '';
  assert.equal((await member.get('/logout')).status, 404);
  assert.equal(await statusWith(application, id), 200);
  const answer = await member.post('/logout');
  assert.deepEqual([answer.status, headerOf(answer, 'Location')], [303, '/login']);
  assert.match(headerOf(answer, 'Set-Cookie') ?? '', /^sid=; Path=\/; Max-Age=0;/);
  assert.equal(headerOf(answer, 'Clear-Site-Data'), '"cache"');
  assert.equal(await statusWith(application, id), 303);
  const rows = await application.database.read.selectFrom('sessions').selectAll().execute();
  assert.deepEqual(rows, []);
});

test('E5: a session has the lifetimes of the configuration, and longer ones with "stay logged in"', async (t) => {
  const HOUR = 3_600_000;
  const start = Date.parse('2026-11-20T18:00:00Z');
  const cases: readonly (readonly [Environment, object, idle: number, absolute: number])[] = [
    [{}, {}, 12, 14 * 24],
    [{ SESSION_IDLE_HOURS: '1', SESSION_ABSOLUTE_DAYS: '2' }, {}, 1, 48],
    [{}, { remember: 'on' }, 14 * 24, 90 * 24],
  ];
  for (const [environment, remember, idle, absolute] of cases) {
    let hours = 0;
    const now = () => new Date(start + hours * HOUR);
    const application = await createTestApplication(t, { environment, now });
    await register(application, 'ada');
    const logIn = async (): Promise<Visitor> => {
      const visitor = createVisitor(application);
      const answer = await visitor.submit('/login', { ...ADA, ...remember });
      const cookies = [answer.headers['Set-Cookie'] ?? []].flat().join();
      assert.ok(cookies.includes(`; Max-Age=${absolute * 3_600};`), cookies);
      return visitor;
    };
    const isIn = async (visitor: Visitor) => (await visitor.get('/items/new')).status === 200;
    const quiet = await logIn();
    hours = idle;
    assert.equal(await isIn(quiet), false);
    const busy = await logIn();
    while (hours + idle * 0.9 < idle + absolute) {
      hours += idle * 0.9;
      assert.equal(await isIn(busy), true, `after ${hours} hours`);
    }
    hours = idle + absolute;
    assert.equal(await isIn(busy), false);
  }
});

test('E14: a session of one instance works on the other, and ends on both at once', async (t) => {
  const database = await openTestDatabase(t);
  const second = await openAnother(t, database);
  const a = await createTestApplication(t, { database });
  const b = await createTestApplication(t, { database: second });
  const member = await createMember(a);
  const headers = { cookie: `sid=${member.cookie('sid')}` };

  const saved = await b.handle(post('/items', { name: 'Drill' }, { headers }));
  assert.equal(saved.status, 303);
  const shown = await a.handle(get(headerOf(saved, 'Location') ?? '', { headers }));
  assert.match(bodyText(shown), /role="status"[^>]*><p>The item was saved\.</);

  // In the second round, A has read everything before, and no data have changed.
  for (let visit = 0; visit < 2; visit++) {
    assert.equal((await a.handle(get('/items/new', { headers }))).status, 200);
  }
  assert.equal((await b.handle(post('/logout', {}, { headers }))).status, 303);
  assert.equal((await a.handle(get('/items/new', { headers }))).status, 303);
  assert.equal((await a.handle(post('/items', { name: 'Drill' }, { headers }))).status, 401);
});
