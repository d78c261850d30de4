/** Rows J10 and J12 to J15 of docs/hostile.md: limits on expensive requests, so that one client cannot use up all. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { createRequest, type Response } from 'seeother';
import { bodyText, createVisitor, type RequestInit, type Visitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
  type TestApplication,
} from '../testing/create-test-application.ts';
import { fillItems } from '../testing/fill-items.ts';

const OWN: RequestInit = { address: '192.0.2.1' };
const other = (at: number): RequestInit => ({ address: `198.51.100.${at}` });

function statusesOf(answers: readonly Response[]): readonly number[] {
  return answers.map(({ status }) => status).toSorted();
}

/** Starts a download, and reads only its first piece. */
async function startExport(visitor: Visitor) {
  const answer = await visitor.get('/items.csv');
  const { body } = answer;
  if (body === null || typeof body !== 'object' || !(Symbol.asyncIterator in body))
    return { answer, stop: async () => {} };
  const chunks = body[Symbol.asyncIterator]();
  await chunks.next();
  return { answer, stop: async () => void (await chunks.return?.()) };
}

test('J12: slow downloads of two visitors leave the export to all others', async (t) => {
  const application = await createTestApplication(t);
  await fillItems(application.database, 1_000);
  const member = await createMember(application);
  const first = createVisitor(application, OWN);
  const started = await Promise.all([1, 2].map(() => startExport(first)));
  const refused = await first.get('/items.csv');
  assert.equal(refused.status, 429);
  assert.equal(headerOf(refused, 'Retry-After'), '5');
  for (let count = 0; count < 2; count++)
    started.push(await startExport(createVisitor(application, other(1))));
  const full = await createVisitor(application, other(2)).get('/items.csv');
  assert.equal(full.status, 503);
  assert.equal(headerOf(full, 'Retry-After'), '5');
  const own = await startExport(member);
  assert.equal(own.answer.status, 200);
  await own.stop();
  await started[0]?.stop();
  assert.equal((await first.get('/items.csv')).status, 200);
  for (const { stop } of started) await stop();
});

/** How many searches run, and a way to end them: each waits until then. */
async function createSearches(t: TestContext) {
  const end = Promise.withResolvers<void>();
  let running = 0;
  const application = await createTestApplication(t, {
    replace: ({ items }) => ({
      items: {
        ...items,
        async list(requestedPage, query) {
          running++;
          await end.promise;
          return items.list(requestedPage, query);
        },
      },
    }),
  });
  return { application, running: () => running, end: end.resolve };
}

test('J10: one address gets four searches at once, and takes none from other visitors and members', async (t) => {
  const { application, running, end } = await createSearches(t);
  const member = await createMember(application);
  const visitor = createVisitor(application, OWN);
  const sent = Array.from({ length: 30 }, (_, at) => visitor.get(`/items?q=word${at}`));
  for (let at = 0; at < 24; at++)
    sent.push(createVisitor(application, other(at % 8)).get(`/items?q=other${at}`));
  for (let at = 0; at < 4; at++) sent.push(member.get(`/items?q=own${at}`));
  for (const path of ['/items/1?q=word', '/places', '/items/tags', '/items/held'])
    sent.push(visitor.get(path));
  while (running() < 24 + 4) await new Promise(setImmediate);
  end();
  const answers = await Promise.all(sent);
  assert.deepEqual(statusesOf(answers.slice(0, 30)), [
    ...Array(4).fill(200),
    ...Array(26).fill(429),
  ]);
  // Eight of the 32 places are reserved for members.
  assert.deepEqual(statusesOf(answers.slice(30, 54)), [
    ...Array(20).fill(200),
    ...Array(4).fill(503),
  ]);
  assert.deepEqual(statusesOf(answers.slice(54, 58)), Array(4).fill(200));
  assert.deepEqual(statusesOf(answers.slice(58)), Array(4).fill(429));
  for (const { status, headers } of answers)
    if (status !== 200) assert.equal(headers['Retry-After'], '5');
});

/** The start of an upload, which goes on when `end` is called. */
function startUpload(application: TestApplication, cookie: string) {
  const rest = Promise.withResolvers<void>();
  let isRead = false;
  async function* body() {
    isRead = true;
    yield Buffer.from(
      '--x\r\nContent-Disposition: form-data; name="_once"\r\n\r\nkey\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\r\n',
    );
    await rest.promise;
    yield Buffer.from('Chair\r\n--x--\r\n');
  }
  const headers = {
    ...{ host: 'localhost', accept: 'text/html', 'sec-fetch-site': 'same-origin', cookie },
    'content-type': 'multipart/form-data; boundary=x',
  };
  const target = '/items/import';
  const answer = application.handle(
    createRequest({ method: 'POST', target, headers, body: body() }),
  );
  return { answer, isRead: () => isRead, end: rest.resolve };
}

test('J13: an account uploads two files at once, and a further one is parked and not imported', async (t) => {
  const application = await createTestApplication(t);
  const cookies = [];
  for (const name of ['ada', 'bob', 'cleo', 'dan'])
    cookies.push(`sid=${(await createMember(application, name)).cookie('sid')}`);
  const [ada = '', bob = '', cleo = '', dan = ''] = cookies;
  const running = [];
  for (const cookie of [ada, ada, bob, bob, cleo, cleo])
    running.push(startUpload(application, cookie));
  while (!running.every(({ isRead }) => isRead())) await new Promise(setImmediate);
  for (const [cookie, status] of [
    [ada, 429],
    [dan, 503],
  ] as const) {
    const refused = startUpload(application, cookie);
    refused.end();
    const answer = await refused.answer;
    assert.equal(answer.status, status);
    assert.equal(headerOf(answer, 'Retry-After'), '5');
    assert.match(
      bodyText(answer),
      /name="file" value="[0-9a-f]{64} \d+ a\.csv">\n<button>Try again</,
    );
  }
  for (const { end } of running) end();
  for (const { answer } of running) assert.notEqual((await answer).status, 429);
  const next = startUpload(application, dan);
  next.end();
  assert.notEqual((await next.answer).status, 503);
});

test('J14: three undos of many changes run at once, two of an account', async (t) => {
  const end = Promise.withResolvers<void>();
  let running = 0;
  const application = await createTestApplication(t, {
    replace: ({ batches }) => ({
      batches: {
        ...batches,
        async find(id) {
          running++;
          await end.promise;
          return batches.find(id);
        },
      },
    }),
  });
  const undo = (visitor: Visitor, batch: number) =>
    visitor.post(`/items/history/batches/${batch}/undo`, { _once: `undo-${batch}` });
  const [ada, bob] = [await createMember(application), await createMember(application, 'bob')];
  const cleo = await createMember(application, 'cleo');
  const sent = [undo(ada, 1), undo(ada, 2), undo(bob, 3)];
  while (running < 3) await new Promise(setImmediate);
  for (const [visitor, status] of [
    [ada, 429],
    [cleo, 503],
  ] as const) {
    const refused = await undo(visitor, 4);
    assert.equal(refused.status, status);
    assert.equal(headerOf(refused, 'Retry-After'), '5');
    // With the key of the form, so it counts once.
    assert.match(bodyText(refused), /name="_once" value="undo-4">\n<button>Try again</);
  }
  end.resolve();
  // There are no such changes.
  assert.deepEqual(statusesOf(await Promise.all(sent)), [404, 404, 404]);
  assert.equal((await undo(cleo, 4)).status, 404);
});

test('J15: where everybody can register, one network makes twenty accounts in an hour', async (t) => {
  let now = new Date('2026-11-20T12:00:00Z');
  const application = await createTestApplication(t, {
    environment: { REGISTRATION: 'open' },
    now: () => now,
  });
  const register = (name: string, init: RequestInit, fields = {}, visitor?: Visitor) =>
    (visitor ?? createVisitor(application)).post(
      '/register',
      { username: name, password: PASSWORD, passwordagain: PASSWORD, ...fields },
      init,
    );
  const first = createVisitor(application);
  assert.equal((await register('user-0', OWN, {}, first)).status, 303);
  for (let at = 0; at < 5; at++)
    assert.equal((await register(`user-${at}`, OWN, { password: 'short' })).status, 400);
  const answers = [];
  for (let at = 1; at < 25; at++) answers.push(await register(`user-${at}`, OWN));
  assert.deepEqual(statusesOf(answers), [...Array(19).fill(303), ...Array(5).fill(429)]);
  const refused = await register('one-more', OWN);
  const wait = Number(headerOf(refused, 'Retry-After'));
  assert.ok(wait > 3_540 && wait <= 3_600, `${wait}`);
  assert.doesNotMatch(bodyText(refused), /correct horse/);
  // Whoever has an account gets no others by a log-out.
  assert.equal((await register('one-more', OWN, {}, first)).status, 409);
  await first.post('/logout');
  assert.equal((await register('one-more', OWN, {}, first)).status, 429);
  assert.equal((await register('one-more', other(1))).status, 303);
  now = new Date('2026-11-20T13:00:01Z');
  assert.equal((await register('and-more', OWN)).status, 303);
});

test('J15: registrations with an invitation have no limit', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  for (let at = 0; at < 25; at++) {
    const path = await application.models.accounts.invite('member');
    const fields = { username: `user-${at}`, password: PASSWORD, passwordagain: PASSWORD };
    const answer = await createVisitor(application).post(path, fields, OWN);
    assert.equal(answer.status, 303);
  }
});
