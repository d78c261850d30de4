/**
 * Rows P1 to P5 of docs/hostile.md: guessing passwords, flooding the log-in and finding out
 * usernames.
 */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import test, { type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Response } from 'seeother';
import { bodyText, createVisitor, get, post } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
  register,
  type TestApplication,
} from '../testing/create-test-application.ts';

const ADA = { username: 'ada', password: PASSWORD };
const OWASP = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

/**
 * Records the parameters of every password hash and how many run at a time. None ends before
 * `start`.
 */
function watchHashes(t: TestContext, start: Promise<void> = Promise.resolve()) {
  const seen = { most: 0, parameters: [] as object[] };
  let running = 0;
  const original = crypto.argon2;
  t.mock.method(crypto, 'argon2', ((algorithm, parameters, callback) => {
    running++;
    seen.most = Math.max(seen.most, running);
    const { message: _message, nonce, ...rest } = parameters;
    seen.parameters.push({ algorithm, saltLength: Buffer.from(nonce as Buffer).length, ...rest });
    start.then(() =>
      original(algorithm, parameters, (error, hash) => {
        running--;
        callback(error, hash);
      }),
    );
  }) satisfies typeof crypto.argon2);
  return seen;
}

async function openSite(t: TestContext): Promise<TestApplication> {
  const application = await createTestApplication(t, { realPasswords: true });
  await register(application, 'ada');
  return application;
}

test('P1: a password is stored as Argon2id with 19 MiB, two passes, one lane and its own salt', async (t) => {
  const application = await createTestApplication(t, {
    environment: { REGISTRATION: 'open' },
    realPasswords: true,
  });
  for (const username of ['ada', 'bob']) {
    const visitor = createVisitor(application);
    assert.equal((await visitor.submit('/register', { ...ADA, username })).status, 303);
  }
  await createVisitor(application).post('/login', ADA);
  const rows = await application.database.read.selectFrom('accounts').selectAll().execute();
  const parts = rows.map(({ password_hash }) => password_hash.split('$'));
  for (const [, algorithm, version, parameters, salt, hash] of parts) {
    assert.deepEqual([algorithm, version, parameters], ['argon2id', 'v=19', 'm=19456,t=2,p=1']);
    assert.equal(Buffer.from(salt ?? '', 'base64').length, 16);
    assert.equal(Buffer.from(hash ?? '', 'base64').length, 32);
  }
  assert.notEqual(parts[0]?.[4], parts[1]?.[4]);
});

test('P2: of a flood of log-ins, two hashes run at a time, fifty wait, and the rest is refused', {
  timeout: 60_000,
}, async (t) => {
  const application = await createTestApplication(t);
  await register(application, 'ada');
  const [flood, full] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hashes = watchHashes(t, flood.promise);
  const refused: Response[] = [];
  const tries = Array.from({ length: 70 }, async (_, at) => {
    const fields = { ...ADA, username: `user-${at}` };
    const answer = await application.handle(
      post('/login', fields, { address: `198.51.100.${at}` }),
    );
    if (answer.status === 503) refused.push(answer);
    if (refused.length === 18) full.resolve();
    return answer.status;
  });
  // Answered while all hashes are blocked: other requests do not wait for the flood.
  assert.equal((await application.handle(get('/items'))).status, 200);
  await full.promise;
  // Both that run have read their account, and would end at once if they were let go earlier.
  while (hashes.most < 2) await setImmediate();
  flood.resolve();
  const statuses = await Promise.all(tries);
  assert.equal(hashes.most, 2);
  assert.equal(hashes.parameters.length, 52);
  assert.equal(statuses.filter((status) => status === 401).length, 52);
  assert.equal(refused.length, 18);
  for (const answer of refused) assert.equal(headerOf(answer, 'Retry-After'), '5');
});

test('P3: an unknown user and a wrong password get identical responses, with or without a device', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const device = `device=${member.cookie('device')}`;
  const answerOf = async (username: string, cookie: string | null, address: string) => {
    const headers: Record<string, string> = cookie === null ? {} : { cookie };
    const fields = { username, password: 'a wrong guess' };
    const { status, ...answer } = await application.handle(
      post('/login', fields, { headers, address }),
    );
    const body = bodyText({ status, ...answer }).replaceAll(username, 'NAME');
    return { status, headers: answer.headers, body };
  };
  const refused = [
    await answerOf('ada', null, '192.0.2.1'),
    await answerOf('nobody', null, '192.0.2.1'),
    await answerOf('ada', device, '192.0.2.1'),
    await answerOf('nobody', device, '192.0.2.1'),
  ];
  assert.equal(refused[0]?.status, 401);
  for (const answer of refused) assert.deepEqual(answer, refused[0]);

  const locked: unknown[] = [];
  for (const username of ['ada', 'nobody']) {
    for (let at = 0; at < 10; at++) await answerOf(username, null, `198.51.100.${at}`);
    const { status, headers, body } = await answerOf(username, null, '203.0.113.1');
    assert.equal(status, 429);
    // Less than three minutes: on a busy machine, the test itself takes some of them.
    const seconds = Number(headers['Retry-After']);
    assert.ok(seconds > 60 && seconds <= 180, `Retry-After: ${seconds}`);
    locked.push({ body, headers: { ...headers, 'Retry-After': 'SECONDS' } });
  }
  assert.deepEqual(locked[1], locked[0]);
});

test('P4: an unknown user takes one hash with the same parameters as a wrong password', async (t) => {
  const application = await openSite(t);
  const costOf = async (username: string) => {
    const hashes = watchHashes(t);
    await application.handle(post('/login', { username, password: 'a wrong guess' }));
    t.mock.restoreAll();
    return hashes.parameters;
  };
  const known = await costOf('ada');
  assert.deepEqual(known, [{ algorithm: 'argon2id', saltLength: 16, ...OWASP }]);
  assert.deepEqual(await costOf('nobody'), known);
});

test('P5: an account and an address have ten attempts in three minutes, and no user is locked out', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const tryFrom = async (address: string, username = 'ada') => {
    const answer = await createVisitor(application).post(
      '/login',
      { username, password: 'a wrong guess' },
      { address },
    );
    return answer;
  };
  for (let at = 0; at < 10; at++) assert.equal((await tryFrom(`198.51.100.${at}`)).status, 401);
  const eleventh = await tryFrom('198.51.100.99');
  assert.equal(eleventh.status, 429);
  const seconds = Number(headerOf(eleventh, 'Retry-After'));
  assert.ok(seconds > 0 && seconds <= 180, `Retry-After is ${seconds}`);
  // The attacked user, in a known device, from any address.
  const victim = await member.post('/login', ADA, { address: '203.0.113.5' });
  assert.equal(victim.status, 303);

  for (let at = 0; at < 10; at++) await tryFrom('192.0.2.66', `user-${at}`);
  assert.equal((await tryFrom('192.0.2.66', 'user-99')).status, 429);

  const other = await createTestApplication(t, { database: application.database });
  const again = await createVisitor(other).post('/login', ADA, { address: '203.0.113.5' });
  assert.equal(again.status, 429, 'another instance counts the same tries');

  const past = new Date(Date.now() - 181_000).toISOString();
  await application.database.write((transaction) =>
    transaction.updateTable('failed_log_ins').set({ at: past }).execute(),
  );
  const later = await createVisitor(application).post('/login', ADA, { address: '203.0.113.5' });
  assert.equal(later.status, 303);
});
