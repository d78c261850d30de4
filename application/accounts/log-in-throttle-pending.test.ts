/** Concurrent log-in attempts, which are pending until the password is checked. */
import assert from 'node:assert/strict';
import { attempt, begin, fail, openThrottle, unknownDevice } from '../testing/attempt-log-in.ts';
import { testOnEngines } from '../testing/open-test-database.ts';
import { createLogInThrottle } from './log-in-throttle.ts';

const HERE = '192.0.2.1';

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
