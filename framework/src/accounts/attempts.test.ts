import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { HttpError } from '../http/http-error.ts';
import { english } from '../language/english.ts';
import { french } from '../language/french.ts';
import { german } from '../language/german.ts';
import { post } from '../testing/make-request.ts';
import { openTestDatabase } from '../testing/test-folder.ts';
import { type Attempted, createAttempts } from './attempts.ts';
import { createDevices } from './devices.ts';
import { createHashQueue } from './hash-queue.ts';
import { createPasswords } from './passwords.ts';
import { createClock } from './throttle.contract.ts';
import { type AttemptKind, createThrottle } from './throttle.ts';

async function openAttempts(t: TestContext) {
  const { database } = await openTestDatabase(t);
  const clock = createClock();
  const reported: string[] = [];
  const origins: string[] = [];
  const queue = createHashQueue();
  const attempts = createAttempts({
    throttle: createThrottle(database, { now: clock.now }),
    queue: (origin, work) => {
      origins.push(origin);
      return queue(origin, work);
    },
    report: (event, { kind, account }) => void reported.push(`${event} ${kind} ${account}`),
  });
  return { attempts, reported, origins, clock, database };
}

function from(address: string, kind: AttemptKind = 'log-in', device: string | null = null) {
  const request = post('/login', {}, { address });
  return { kind, account: 'ada', device, request } satisfies Attempted;
}

const wrong = async () => null;
const right = async () => 'ada';

test('a failure counts, and after ten the next is a 429 before anything is checked', async (t) => {
  const { attempts, reported, origins } = await openAttempts(t);
  for (let count = 0; count < 10; count++)
    assert.equal(await attempts.check(from(`198.51.100.${count}`), wrong), null);
  let checks = 0;
  const refused = attempts.check(from('192.0.2.1'), async () => checks++);
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof HttpError && error.status === 429);
    assert.match(String(error.headers['Retry-After']), /^1[78]\d$/);
    assert.equal(
      error.message,
      'There were too many failed attempts to log in. You can try again in 3 minutes.',
    );
    return true;
  });
  assert.deepEqual([checks, origins.length], [0, 10]);
  assert.deepEqual(reported, [...Array(10).fill('failed log-in ada'), 'throttled log-in ada']);
});

test('what succeeds or throws does not count', async (t) => {
  const { attempts, reported } = await openAttempts(t);
  for (let count = 0; count < 12; count++) {
    assert.equal(await attempts.check(from('192.0.2.1'), right), 'ada');
    const broken = attempts.check(from('192.0.2.1'), () => Promise.reject(new Error('away')));
    await assert.rejects(broken, /^Error: away/);
  }
  assert.deepEqual(reported, []);
});

test('of twenty wrong passwords at once, ten are checked', async (t) => {
  const { attempts } = await openAttempts(t);
  let checks = 0;
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      attempts
        .check(from(`198.51.100.${at}`), async () => {
          checks++;
          return null;
        })
        .then(
          () => 'failed',
          (error) => (error as HttpError).status,
        ),
    ),
  );
  assert.equal(checks, 10);
  assert.deepEqual(new Set(answers), new Set(['failed', 429]));
});

test('all addresses of a /64 count together', async (t) => {
  const { attempts } = await openAttempts(t);
  const attempt = (at: number) => ({ ...from(`2001:db8::${at}`), account: `user-${at}` });
  for (let at = 0; at < 10; at++) await attempts.check(attempt(at), wrong);
  await assert.rejects(attempts.check(attempt(10), right), { status: 429 });
});

test('a known device is checked though strangers have failed, and has a place of its own', async (t) => {
  const { attempts, origins } = await openAttempts(t);
  for (let count = 0; count < 10; count++) await attempts.check(from(`198.51.100.${count}`), wrong);
  assert.equal(await attempts.check(from('198.51.100.1', 'log-in', 'd1'), right), 'ada');
  assert.equal(origins.at(-1), 'known device');
  for (let count = 0; count < 5; count++)
    await attempts.check(from('192.0.2.1', 'log-in', 'd1'), wrong);
  await assert.rejects(attempts.check(from('192.0.2.1', 'log-in', 'd1'), right), { status: 429 });
});

test('a code waits for no hash of a password', async (t) => {
  const { attempts, origins } = await openAttempts(t);
  for (const kind of ['second factor', 'recovery code'] as const)
    await attempts.check(from('192.0.2.1', kind), right);
  assert.deepEqual(origins, []);
});

test('each request for a mail counts, and after three for a new password there is a 429', async (t) => {
  const { attempts, reported } = await openAttempts(t);
  for (let count = 0; count < 3; count++) await attempts.count(from('192.0.2.1', 'reset'));
  await assert.rejects(attempts.count(from('192.0.2.9', 'reset')), (error) => {
    assert.ok(error instanceof HttpError && error.status === 429);
    const texts = [english, german, french].map((language) => error.messageIn(language));
    assert.equal(
      texts[0],
      'Too many links for a new password were requested. You can try again in 60 minutes.',
    );
    assert.match(texts[1] ?? '', /neues Passwort .* 60 Minuten/);
    assert.match(texts[2] ?? '', /nouveau mot de passe .* 60 minutes/);
    return true;
  });
  assert.deepEqual(reported, ['throttled reset ada']);
});

test('of ten requests for a mail at once, three are sent', async (t) => {
  const { attempts } = await openAttempts(t);
  const counted = await Promise.allSettled(
    Array.from({ length: 10 }, () => attempts.count(from('192.0.2.1', 'reset'))),
  );
  assert.equal(counted.filter(({ status }) => status === 'fulfilled').length, 3);
});

test('a log-in takes the same queries and hashes whether the account and the device exist', async (t) => {
  const { database } = await openTestDatabase(t);
  const done: string[] = [];
  const counted = {
    ...database,
    read: {
      run: (...given: Parameters<typeof database.read.run>) => {
        done.push('read');
        return database.read.run(...given);
      },
    } as typeof database.read,
    write: ((work) => {
      done.push('write');
      return database.write(work);
    }) as typeof database.write,
  };
  const cheap = createPasswords({ argon2id: { memory: 64, passes: 1 } });
  const stored = await cheap.hash('correct horse');
  const devices = createDevices(counted);
  const attempts = createAttempts({ throttle: createThrottle(counted), queue: createHashQueue() });
  const token = await devices.renew(null, 1);
  const logIn = async (accountId: number | null, sent: string | null) => {
    done.length = 0;
    const device = await devices.find(sent, accountId);
    const attempted = { ...from('192.0.2.1'), account: `${accountId}`, device };
    await attempts.check(attempted, async () => {
      done.push('hash');
      return (await cheap.verify('a guess', accountId === null ? null : stored)) || null;
    });
    return done.join(' ');
  };
  await logIn(1, null);
  for (const [accountId, sent] of [
    [1, token],
    [1, null],
    [2, token],
    [null, token],
    [null, null],
  ] as const)
    assert.equal(await logIn(accountId, sent), 'read read write hash write');
});
