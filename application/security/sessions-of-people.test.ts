/**
 * Rows E5, E9 to E11, E13 and E14 of docs/hostile.md: lifetimes, messages, caches and instances.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import type { Response } from 'seeother';
import { bodyText, createVisitor, get, hiddenFields, post } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../testing/create-test-application.ts';
import { addItem, openAnother, openTestDatabase } from '../testing/open-test-database.ts';

const ADA = { username: 'ada', password: PASSWORD };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test('E5: a session ends after 12 idle hours, and after 14 days in any case', async (t) => {
  let time = Date.parse('2026-11-20T18:00:00Z');
  const application = await createTestApplication(t, { now: () => new Date(time) });
  const isIn = async (member: Awaited<ReturnType<typeof createMember>>) =>
    (await member.get('/items/new')).status === 200;

  const quiet = await createMember(application);
  time += 12 * HOUR - 1;
  assert.equal(await isIn(quiet), true);
  time += 12 * HOUR;
  assert.equal(await isIn(quiet), false);

  const start = time;
  const busy = await createMember(application);
  while (time < start + 14 * DAY - 6 * HOUR) {
    time += 6 * HOUR;
    assert.equal(await isIn(busy), true);
  }
  time = start + 14 * DAY - 1;
  assert.equal(await isIn(busy), true);
  time += 1;
  assert.equal(await isIn(busy), false);
});

test('E5: with "stay logged in", a session ends after 14 idle days, and after 90 days in any case', async (t) => {
  let time = Date.parse('2026-11-20T18:00:00Z');
  const start = time;
  const application = await createTestApplication(t, { now: () => new Date(time) });
  await application.models.accounts.register(ADA, false);
  const visitor = createVisitor(application);
  await visitor.submit('/login', { ...ADA, remember: 'on' });
  for (let days = 13; days < 90; days += 13) {
    time = start + days * DAY;
    assert.equal((await visitor.get('/items/new')).status, 200, `day ${days}`);
  }
  time = start + 90 * DAY;
  assert.equal((await visitor.get('/items/new')).status, 303);
});

test('E9: no cookie exceeds 4,096 bytes, and a flash is always shown as text', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application, 'a'.repeat(40));
  const key = createHash('sha256')
    .update(member.cookie('sid') ?? '')
    .digest('hex');
  const message = `<script>alert(1)</script>&"'`.repeat(15);
  await application.models.sessions.update(key, (session) => ({
    ...session,
    flashes: [{ path: '/items', message }],
  }));
  const planted = { cookie: `sid=${member.cookie('sid')}; flash=<b>planted</b>` };
  const shown = await member.get(
    '/items?flash=<b>planted</b>'.replaceAll(/[<>]/g, encodeURIComponent),
    {
      headers: planted,
    },
  );
  assert.match(bodyText(shown), /role="status">&lt;script&gt;alert\(1\)&lt;\/script&gt;&amp;/);
  assert.doesNotMatch(bodyText(shown), /<script|planted/);

  const form = await member.get('/items/new');
  const fields = { ...hiddenFields(bodyText(form)), name: 'n'.repeat(120), quantity: '1' };
  const answers = [
    shown,
    form,
    await member.post('/items', fields),
    await member.post('/login', {
      username: 'a'.repeat(40),
      password: PASSWORD,
      next: '/items?'.padEnd(2_000, 'x'),
    }),
    await member.post('/logout'),
  ];
  const cookies = answers.flatMap(({ headers }) => headers['Set-Cookie'] ?? []);
  assert.equal(cookies.length, 4);
  for (const cookie of cookies) {
    assert.match(cookie, /^(sid|device|awaited)=/);
    assert.ok(Buffer.byteLength(cookie) <= 4_096);
  }
});

test('E10: a session is looked up only by the hash of its id', async (t) => {
  // The time of a comparison reveals only parts of a hash, which an attacker cannot choose, and
  // nothing about the id.
  const asked: string[] = [];
  const application = await createTestApplication(t, {
    replace: ({ sessions }) => ({
      sessions: {
        ...sessions,
        find: (key) => {
          asked.push(key);
          return sessions.find(key);
        },
      },
    }),
  });
  const member = await createMember(application);
  const id = member.cookie('sid') ?? '';
  const almost = `${id.slice(0, 42)}${id.endsWith('A') ? 'E' : 'A'}`;
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  for (const token of [id, almost]) {
    asked.length = 0;
    await application.handle(get('/items', { headers: { cookie: `sid=${token}` } }));
    assert.deepEqual(asked, [hash(token)]);
  }
  const stolenHash = { headers: { cookie: `sid=${hash(id)}` } };
  assert.equal((await application.handle(get('/items/new', stolenHash))).status, 303);
});

test('E11: no cache stores a private page, and no stored response has a cookie', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const saved = await member.submit('/items/new', { name: 'Drill' });
  const dead = { headers: { cookie: `sid=${'A'.repeat(43)}` } };
  const tag = headerOf(await application.handle(get('/items')), 'ETag') ?? '';
  const answers: readonly Response[] = [
    saved,
    await member.follow(saved),
    ...(await Promise.all(['/account', '/login', '/items/9'].map((path) => member.get(path)))),
    await application.handle(get('/items', dead)),
    await application.handle(get('/items', { headers: { ...dead.headers, 'if-none-match': tag } })),
    await application.handle(post('/login', ADA)),
  ];
  // The pages that all users see, and the item form, are stored by the browser, which revalidates
  // them and never uses the page of another user.
  const kept = ['/items', '/items/1', '/items/new'].map((path) => member.get(path));
  for (const answer of [...(await Promise.all(kept)), await member.post('/items', { name: '' })]) {
    assert.equal(headerOf(answer, 'Cache-Control'), 'private, no-cache');
    assert.match(headerOf(answer, 'Vary') ?? '', /^Cookie\b/);
    assert.equal(headerOf(answer, 'Set-Cookie'), undefined);
  }
  for (const answer of [...answers, await member.post('/logout')])
    assert.equal(headerOf(answer, 'Cache-Control'), 'no-store');
  for (const init of [dead, { headers: { cookie: `sid=${member.cookie('sid')}` } }]) {
    const sheet = await application.handle(get('/styles.css', init));
    assert.equal(headerOf(sheet, 'Cache-Control'), 'no-cache');
    assert.equal(headerOf(sheet, 'Set-Cookie'), undefined);
  }
});

test('E11: no user gets the page of another user, and an entity tag reveals nothing', async (t) => {
  const application = await createTestApplication(t);
  await createMember(application, 'ada');
  await addItem(application.database, {
    name: 'Drill',
    description: '',
    quantity: 1,
    location: '',
    tags: [],
  });
  const people = [
    createVisitor(application),
    await createMember(application, 'ada'),
    await createMember(application, 'bo'),
  ];
  const tags = await Promise.all(
    people.map(async (one) => headerOf(await one.get('/items'), 'ETag') ?? ''),
  );
  assert.equal(new Set(tags).size, people.length);
  for (const [index, person] of people.entries()) {
    const others = tags.filter((_, other) => other !== index).join(', ');
    const answer = await person.get('/items', { headers: { 'if-none-match': others } });
    assert.equal(answer.status, 200);
    assert.equal(
      /as<\/span> <strong>(\w+)/.exec(bodyText(answer))?.[1],
      [undefined, 'ada', 'bo'][index],
    );
    // A hash without secrets: it is the same in every session of the user.
    assert.match(tags[index] ?? '', /^W\/"[\w-]{22}"$/);
  }
});

test('E13: a session id in a URL or a form is ignored, and none is ever put there', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const id = member.cookie('sid') ?? '';
  for (const path of [
    `/items/new?sid=${id}`,
    `/items/new?__Host-sid=${id}`,
    `/items/new#sid=${id}`,
  ]) {
    const answer = await createVisitor(application).get(path);
    assert.notEqual(answer.status, 200, path);
  }
  assert.equal((await application.handle(get(`/items/new;sid=${id}`))).status, 404);
  const sent = await application.handle(post('/items', { name: 'Drill', sid: id }));
  assert.equal(sent.status, 401);

  const stranger = createVisitor(application);
  const { headers, body } = await stranger.post(`/login?sid=${id}`, { ...ADA, sid: id });
  assert.notEqual(stranger.cookie('sid'), id);
  const own = stranger.cookie('sid') ?? '';
  assert.deepEqual([headers['Location'], body], ['/items', null]);
  const saved = await stranger.submit('/items/new', { name: 'Drill' });
  const answers = [
    saved,
    await stranger.follow(saved),
    await stranger.get('/items'),
    await stranger.post('/logout'),
  ];
  for (const answer of answers) assert.equal(JSON.stringify(answer).includes(own), false);
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
  assert.match(bodyText(shown), /role="status">The item was saved\.</);

  // In the second round, A has read everything before, and no data have changed.
  for (let visit = 0; visit < 2; visit++) {
    assert.equal((await a.handle(get('/items/new', { headers }))).status, 200);
  }
  assert.equal((await b.handle(post('/logout', {}, { headers }))).status, 303);
  assert.equal((await a.handle(get('/items/new', { headers }))).status, 303);
  assert.equal((await a.handle(post('/items', { name: 'Drill' }, { headers }))).status, 401);
});
