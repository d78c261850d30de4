import assert from 'node:assert/strict';
import { attempt, fail, openThrottle, stranger } from '../testing/attempt-log-in.ts';
import { testOnEngines } from '../testing/open-test-database.ts';
import { createLogInThrottle, forgetFailures } from './log-in-throttle.ts';

const HERE = '192.0.2.1';
const THERE = '192.0.2.2';

testOnEngines('nine failures let the next try through, ten do not', async (t) => {
  const { throttle } = await openThrottle(t);
  await fail(throttle, 9, 'ada', HERE);
  assert.equal(await attempt(throttle, stranger('ada', HERE)), 0);
  assert.equal(await attempt(throttle, stranger('ada', HERE)), 180);
});

testOnEngines('an account is protected from tries that come from many addresses', async (t) => {
  const { throttle } = await openThrottle(t);
  for (let host = 1; host <= 10; host++)
    await attempt(throttle, stranger('ada', `198.51.100.${host}`));
  assert.equal(await attempt(throttle, stranger('ada', HERE)), 180);
  assert.equal(await attempt(throttle, stranger('bo', HERE)), 0);
});

testOnEngines('an address that tries many accounts has to wait for each', async (t) => {
  const { throttle } = await openThrottle(t);
  for (let number = 1; number <= 10; number++)
    await attempt(throttle, stranger(`user-${number}`, HERE));
  assert.equal(await attempt(throttle, stranger('ada', HERE)), 180);
  assert.equal(await attempt(throttle, stranger('ada', THERE)), 0);
});

testOnEngines('a name in upper case is the same account', async (t) => {
  const { throttle } = await openThrottle(t);
  await fail(throttle, 5, 'ada', '198.51.100.1');
  await fail(throttle, 5, 'ADA', '198.51.100.2');
  assert.equal(await attempt(throttle, stranger('Ada', HERE)), 180);
});

testOnEngines('an account named like an address is not taken for one', async (t) => {
  const { throttle } = await openThrottle(t);
  await fail(throttle, 10, HERE, THERE);
  assert.equal(await attempt(throttle, stranger('ada', HERE)), 0);
});

testOnEngines(
  'the wait is as long as it takes for the tenth last failure to be three minutes old',
  async (t) => {
    const { throttle, clock } = await openThrottle(t);
    await fail(throttle, 1, 'ada', HERE);
    clock.pass(60);
    await fail(throttle, 9, 'ada', HERE);
    assert.equal(await attempt(throttle, stranger('ada', HERE)), 120);
    clock.pass(119.5);
    assert.equal(await attempt(throttle, stranger('ada', HERE)), 1);
    clock.pass(0.5);
    assert.equal(await attempt(throttle, stranger('ada', HERE)), 0);
  },
);

testOnEngines('asking does not make the wait longer', async (t) => {
  const { throttle, clock } = await openThrottle(t);
  await fail(throttle, 10, 'ada', HERE);
  for (let count = 0; count < 5; count++) await attempt(throttle, stranger('ada', HERE));
  clock.pass(180);
  assert.equal(await attempt(throttle, stranger('ada', HERE)), 0);
});

testOnEngines(
  'a clock that is set back makes nobody wait for longer than the window',
  async (t) => {
    const { throttle, clock } = await openThrottle(t);
    await fail(throttle, 10, 'ada', HERE);
    clock.pass(-5 * 3600);
    assert.equal(await attempt(throttle, stranger('ada', HERE)), 180);
    clock.pass(100);
    assert.equal(await attempt(throttle, stranger('ada', HERE)), 80);
    clock.pass(80);
    assert.equal(await attempt(throttle, stranger('ada', HERE)), 0);
  },
);

testOnEngines('failures that count no more are removed', async (t) => {
  const { throttle, clock, database } = await openThrottle(t);
  await fail(throttle, 10, 'ada', HERE);
  clock.pass(180);
  await fail(throttle, 1, 'bo', THERE);
  const rows = await database.read.selectFrom('failed_log_ins').select('subject').execute();
  const subjects = rows.map(({ subject }) => subject).toSorted();
  assert.deepEqual(subjects, ['account:bo', `address:${THERE}`]);
});

testOnEngines('another instance counts the same failures', async (t) => {
  const { throttle, clock, database } = await openThrottle(t);
  await fail(throttle, 10, 'ada', HERE);
  assert.equal(
    await attempt(createLogInThrottle(database, clock.now), stranger('ada', THERE)),
    180,
  );
});

testOnEngines('an attempt that was right does not count', async (t) => {
  const { throttle, clock } = await openThrottle(t);
  await fail(throttle, 8, 'ada', HERE);
  for (let count = 0; count < 5; count++) {
    clock.pass(1);
    assert.equal(await attempt(throttle, stranger('ada', HERE), false), 0);
  }
  clock.pass(1);
  await fail(throttle, 2, 'ada', HERE);
  assert.equal(await attempt(throttle, stranger('ada', HERE)), 174);
});

testOnEngines('a wider network has a larger allowance', async (t) => {
  const { throttle } = await openThrottle(t);
  const made: number[] = [];
  // Each from a new /64: eight of each of eight /56, all of one /48.
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
  'a known device has five tries of its own, whatever strangers and its address have failed',
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

testOnEngines('what fails on a known device takes nothing from strangers', async (t) => {
  const { throttle } = await openThrottle(t);
  for (let count = 0; count < 5; count++)
    await attempt(throttle, { username: 'ada', networks: [HERE], device: 'd1' });
  await fail(throttle, 9, 'ada', HERE);
  assert.equal(await attempt(throttle, stranger('ada', HERE)), 0);
});

testOnEngines(
  'the failures of an account can be forgotten, those of an address stay',
  async (t) => {
    const { throttle, database } = await openThrottle(t);
    await fail(throttle, 10, 'Ada', HERE);
    await database.write((transaction) => forgetFailures(transaction, 'ADA'));
    assert.equal(await attempt(throttle, stranger('ada', THERE)), 0);
    assert.equal(await attempt(throttle, stranger('bo', HERE)), 180);
  },
);
