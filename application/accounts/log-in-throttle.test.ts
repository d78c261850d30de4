import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createClock } from '../testing/create-clock.ts';
import {
  openTestDatabase,
  type TestDatabase,
  testOnEngines,
} from '../testing/open-test-database.ts';
import {
  type Attempt,
  createLogInThrottle,
  forgetFailures,
  type LogInThrottle,
} from './log-in-throttle.ts';

const HERE = '192.0.2.1';
const THERE = '192.0.2.2';

async function openThrottle(t: TestContext) {
  const database: TestDatabase = await openTestDatabase(t);
  const clock = createClock();
  return { database, clock, throttle: createLogInThrottle(database, clock.now) };
}

/** An attempt from an unknown device. */
function unknownDevice(username: string, address: string) {
  return { username, networks: [address], device: null };
}

/** Makes a failing attempt; resolves to the seconds that it must wait, or 0 if it was made. */
async function attempt(throttle: LogInThrottle, one: Attempt, hasFailed = true): Promise<number> {
  const begun = await throttle.begin(one);
  if (begun.kind === 'begun') await throttle.end(one, begun.id, hasFailed);
  assert.notEqual(begun.kind, 'busy');
  return begun.kind === 'wait' ? begun.seconds : 0;
}

async function fail(throttle: LogInThrottle, times: number, username: string, address: string) {
  for (let count = 0; count < times; count++)
    await attempt(throttle, unknownDevice(username, address));
}

/** Stores an attempt as pending; resolves to its id. */
async function begin(throttle: LogInThrottle, one: Attempt): Promise<string> {
  const begun = await throttle.begin(one);
  return begun.kind === 'begun' ? begun.id : assert.fail(`the attempt is to ${begun.kind}`);
}

testOnEngines('after nine failures the next attempt is allowed, after ten it is not', async (t) => {
  const { throttle } = await openThrottle(t);
  await fail(throttle, 9, 'ada', HERE);
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 0);
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 180);
});

testOnEngines('a name in upper case is the same account', async (t) => {
  const { throttle } = await openThrottle(t);
  await fail(throttle, 5, 'ada', '198.51.100.1');
  await fail(throttle, 5, 'ADA', '198.51.100.2');
  assert.equal(await attempt(throttle, unknownDevice('Ada', HERE)), 180);
});

testOnEngines('an account named like an address is not confused with it', async (t) => {
  const { throttle } = await openThrottle(t);
  await fail(throttle, 10, HERE, THERE);
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 0);
});

testOnEngines('the wait ends when the tenth last failure is three minutes old', async (t) => {
  const { throttle, clock } = await openThrottle(t);
  await fail(throttle, 1, 'ada', HERE);
  clock.pass(60);
  await fail(throttle, 9, 'ada', HERE);
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 120);
  clock.pass(119.5);
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 1);
  clock.pass(0.5);
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 0);
});

testOnEngines('secondsToWait does not extend the wait', async (t) => {
  const { throttle, clock } = await openThrottle(t);
  await fail(throttle, 10, 'ada', HERE);
  for (let count = 0; count < 5; count++) await attempt(throttle, unknownDevice('ada', HERE));
  clock.pass(180);
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 0);
});

testOnEngines('after the clock was set back, no wait exceeds the window', async (t) => {
  const { throttle, clock } = await openThrottle(t);
  await fail(throttle, 10, 'ada', HERE);
  clock.pass(-5 * 3600);
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 180);
  clock.pass(100);
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 80);
  clock.pass(80);
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 0);
});

testOnEngines('failures outside the window are removed', async (t) => {
  const { throttle, clock, database } = await openThrottle(t);
  await fail(throttle, 10, 'ada', HERE);
  clock.pass(180);
  await fail(throttle, 1, 'bo', THERE);
  const rows = await database.read.selectFrom('failed_log_ins').select('subject').execute();
  const subjects = rows.map(({ subject }) => subject).toSorted();
  assert.deepEqual(subjects, ['account:bo', `address:${THERE}`]);
});

testOnEngines('a successful attempt does not count', async (t) => {
  const { throttle, clock } = await openThrottle(t);
  await fail(throttle, 8, 'ada', HERE);
  for (let count = 0; count < 5; count++) {
    clock.pass(1);
    assert.equal(await attempt(throttle, unknownDevice('ada', HERE), false), 0);
  }
  clock.pass(1);
  await fail(throttle, 2, 'ada', HERE);
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 174);
});

testOnEngines('a wider network has a higher limit', async (t) => {
  const { throttle } = await openThrottle(t);
  const made: number[] = [];
  // Each attempt is from a new /64: eight in each of eight /56, all in one /48.
  for (let count = 0; count < 64; count++) {
    const networks = [`64-${count}`, `56-${count >> 3}`, '48'];
    const one = { username: `user-${count}`, networks, device: null };
    if ((await attempt(throttle, one)) === 0) made.push(count);
  }
  assert.equal(made.length, 40);
  const home = { username: 'ada', networks: ['64-home', '56-home', '48-home'], device: null };
  for (let count = 0; count < 30; count++)
    await attempt(throttle, {
      ...home,
      networks: [`64-${count}`, '56-home', '48-home'],
      username: `user-${count}`,
    });
  assert.equal(await throttle.secondsToWait(home), 180);
  assert.equal(await throttle.secondsToWait({ ...home, networks: ['64', '56', '48-home'] }), 0);
});

testOnEngines(
  'a known device has its own five attempts, whatever has failed elsewhere',
  async (t) => {
    const { throttle, clock } = await openThrottle(t);
    await fail(throttle, 10, 'ada', HERE);
    const known = { username: 'ada', networks: [HERE], device: 'd1' };
    for (let count = 0; count < 5; count++) assert.equal(await attempt(throttle, known), 0);
    assert.equal(await attempt(throttle, known), 180);
    assert.equal(await attempt(throttle, { ...known, device: 'd2' }), 0);
    clock.pass(180);
    assert.equal(await attempt(throttle, known), 0);
  },
);

testOnEngines('failures of a known device do not count for its address', async (t) => {
  const { throttle } = await openThrottle(t);
  for (let count = 0; count < 5; count++)
    await attempt(throttle, { username: 'ada', networks: [HERE], device: 'd1' });
  await fail(throttle, 9, 'ada', HERE);
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 0);
});

testOnEngines(
  'the failures of an account can be deleted, and those of an address stay',
  async (t) => {
    const { throttle, database } = await openThrottle(t);
    await fail(throttle, 10, 'Ada', HERE);
    await database.write((transaction) => forgetFailures(transaction, 'ADA'));
    assert.equal(await attempt(throttle, unknownDevice('ada', THERE)), 0);
    assert.equal(await attempt(throttle, unknownDevice('bo', HERE)), 180);
  },
);

testOnEngines('an attempt waits while pending ones could use up the limit', async (t) => {
  const { throttle, database, clock } = await openThrottle(t);
  const elsewhere = createLogInThrottle(database, clock.now);
  const one = unknownDevice('ada', HERE);
  await fail(throttle, 7, 'ada', HERE);
  const ids = [await begin(throttle, one), await begin(elsewhere, one), await begin(throttle, one)];
  assert.equal(await throttle.secondsToWait(one), 0);
  const [eleventh, twelfth] = [throttle.begin(one), elsewhere.begin(one)];
  await throttle.end(one, ids[0] ?? '', false);
  const [first, other] = await Promise.race([
    eleventh.then((begun) => [begun, twelfth] as const),
    twelfth.then((begun) => [begun, eleventh] as const),
  ]);
  assert.equal(first.kind, 'begun');
  for (const id of ids.slice(1)) await throttle.end(one, id, true);
  await throttle.end(one, first.kind === 'begun' ? first.id : '', true);
  assert.deepEqual(await other, { kind: 'wait', seconds: 180 });
  assert.equal(await throttle.secondsToWait(one), 180);
});

testOnEngines(
  'an attempt whose process has ended counts as failed after ten seconds',
  async (t) => {
    const { throttle, clock } = await openThrottle(t);
    await fail(throttle, 9, 'ada', HERE);
    await begin(throttle, unknownDevice('ada', HERE));
    clock.pass(10);
    assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 170);
  },
);

testOnEngines('the end of an attempt does not end others of the same time', async (t) => {
  const { throttle } = await openThrottle(t);
  const one = unknownDevice('ada', HERE);
  const ids = [];
  for (let count = 0; count < 10; count++) ids.push(await begin(throttle, one));
  for (const [index, id] of ids.entries()) await throttle.end(one, id, index > 0);
  assert.equal(await attempt(throttle, one), 0);
  assert.equal(await attempt(throttle, one), 180);
});

testOnEngines('of thirty failing attempts, four at a time, ten are made', async (t) => {
  const { throttle } = await openThrottle(t);
  const waits: number[] = [];
  const makeSome = async () => {
    while (waits.length < 30) waits.push(await attempt(throttle, unknownDevice('ada', HERE)));
  };
  await Promise.all([makeSome(), makeSome(), makeSome(), makeSome()]);
  assert.equal(waits.filter((wait) => wait === 0).length, 10);
});
