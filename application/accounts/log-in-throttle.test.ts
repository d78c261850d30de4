import assert from 'node:assert/strict';
import { attempt, fail, openThrottle, unknownDevice } from '../testing/attempt-log-in.ts';
import { testOnEngines } from '../testing/open-test-database.ts';
import { createLogInThrottle, forgetFailures } from './log-in-throttle.ts';

const HERE = '192.0.2.1';
const THERE = '192.0.2.2';

testOnEngines('after nine failures the next attempt is allowed, after ten it is not', async (t) => {
  const { throttle } = await openThrottle(t);
  await fail(throttle, 9, 'ada', HERE);
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 0);
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 180);
});

testOnEngines('attempts for one account from many addresses are throttled', async (t) => {
  const { throttle } = await openThrottle(t);
  for (let host = 1; host <= 10; host++)
    await attempt(throttle, unknownDevice('ada', `198.51.100.${host}`));
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 180);
  assert.equal(await attempt(throttle, unknownDevice('bo', HERE)), 0);
});

testOnEngines('an address with attempts for many accounts is throttled for each', async (t) => {
  const { throttle } = await openThrottle(t);
  for (let number = 1; number <= 10; number++)
    await attempt(throttle, unknownDevice(`user-${number}`, HERE));
  assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 180);
  assert.equal(await attempt(throttle, unknownDevice('ada', THERE)), 0);
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

testOnEngines('another instance counts the same failures', async (t) => {
  const { throttle, clock, database } = await openThrottle(t);
  await fail(throttle, 10, 'ada', HERE);
  assert.equal(
    await attempt(createLogInThrottle(database, clock.now), unknownDevice('ada', THERE)),
    180,
  );
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
