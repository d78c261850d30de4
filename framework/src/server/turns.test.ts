import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { createTurns } from './turns.ts';

const numbers = (count: number, first = 1) => Array.from({ length: count }, (_, at) => first + at);
const LIMITS = { turn: 10, burst: 500, overloadTurn: 1, shed: 200 };

/**
 * Requests are numbers. Each takes `cost` milliseconds of a clock that stands still otherwise, so 4 of them
 * end the time of a turn when it is 3.
 */
function createSite({
  cost = 0,
  answer = (_: number) => {},
  isHeld = (_: number): boolean => false,
} = {}) {
  const sent: number[] = [];
  const handled: number[] = [];
  const shed: number[] = [];
  const clock = { time: 0 };
  const turns = createTurns<{ readonly number: number; at: number }, number>({
    handle({ number }) {
      handled.push(number);
      clock.time += cost;
      answer(number);
    },
    shed: ({ number }) => shed.push(number),
    send: (one) => sent.push(one),
    isHeld: ({ number }) => isHeld(number),
    now: () => clock.time,
    limits: LIMITS,
  });
  const arrive = (...all: readonly number[]) => {
    for (const number of all) turns.arrive({ number, at: 0 });
  };
  return { ...turns, arrive, sent, handled, shed, clock };
}

test('the answers of one turn of the event loop are sent at its end, in their order', async () => {
  const { post, sent } = createSite();
  for (const answer of numbers(3)) post(answer);
  await null;
  assert.deepEqual(sent, [], 'not yet: others may follow');
  post(4);
  await setImmediate();
  assert.deepEqual(sent, numbers(4));
  post(5);
  await setImmediate();
  assert.deepEqual(sent, numbers(5), 'each turn has an end');
});

test('sixteen answers are sent at once, and those after them at the end of the turn', async () => {
  const { post, sent } = createSite();
  for (const answer of numbers(15)) post(answer);
  assert.deepEqual(sent, []);
  post(16);
  assert.deepEqual(sent, numbers(16));
  for (const answer of numbers(20, 17)) post(answer);
  assert.deepEqual(sent, numbers(32));
  await setImmediate();
  assert.deepEqual(sent, numbers(36));
});

test('an answer that is added while others are sent follows them', async () => {
  const sent: number[] = [];
  const { post } = createTurns<{ at: number }, number>({
    handle() {},
    shed() {},
    send(answer) {
      sent.push(answer);
      if (answer < 3) post(answer + 2);
    },
  });
  post(1);
  post(2);
  await setImmediate();
  await setImmediate();
  assert.deepEqual(sent, [1, 2, 3, 4]);
});

test('answers that take long to make do not hold back those before them', async () => {
  const { post, sent, clock } = createSite();
  post(1);
  clock.time += 0.9;
  post(2);
  assert.deepEqual(sent, []);
  clock.time += 0.1;
  post(3);
  assert.deepEqual(sent, [1, 2, 3]);
  post(4);
  await setImmediate();
  assert.deepEqual(sent, [1, 2, 3, 4]);
});

test('requests are handled as they are read; their answers are sent at the end of the turn', async () => {
  const site = createSite({ answer: (number) => site.post(number) });
  site.arrive(1, 2);
  assert.deepEqual([site.handled, site.sent], [numbers(2), []]);
  await null;
  site.arrive(3);
  assert.deepEqual([site.handled, site.sent], [numbers(3), []]);
  await setImmediate();
  assert.deepEqual(site.sent, numbers(3));
});

test('an answer that waited only for promises is sent at the end of the turn, too', async () => {
  const answer = async (number: number) => {
    for (let steps = 0; steps < 20; steps++) await null;
    site.post(number);
  };
  const site = createSite({ answer });
  const turn = setImmediate();
  site.arrive(1);
  site.arrive(2);
  await turn;
  const next = setImmediate().then(() => site.sent.length);
  assert.equal(await next, 2);
});

test('requests beyond ten milliseconds of a turn wait, and each turn handles ten milliseconds of them', async () => {
  const site = createSite({ cost: 3, answer: (number) => site.post(number) });
  site.arrive(...numbers(10));
  assert.deepEqual(site.handled, numbers(4));
  await setImmediate();
  assert.deepEqual([site.handled, site.sent], [numbers(8), numbers(8)]);
  site.arrive(11);
  assert.deepEqual(site.handled, numbers(8), 'those that wait come first');
  await setImmediate();
  assert.deepEqual([site.handled, site.sent], [numbers(11), numbers(11)]);
  site.arrive(12);
  assert.deepEqual(site.handled, numbers(12), 'nothing waits any more');
});

test('the ten milliseconds start anew with each turn', async () => {
  const { arrive, handled } = createSite({ cost: 4 });
  arrive(1, 2);
  await setImmediate();
  arrive(3, 4);
  assert.deepEqual(handled, numbers(4));
});

test('a request that takes longer than a turn is handled all the same', async () => {
  const { arrive, handled } = createSite({ cost: 50 });
  arrive(1, 2, 3);
  assert.deepEqual(handled, [1]);
  await setImmediate();
  assert.deepEqual(handled, [1, 2]);
  await setImmediate();
  assert.deepEqual(handled, [1, 2, 3]);
});

test('after a new connection the turn is one request long, because others may wait to be accepted', async () => {
  const { arrive, accept, handled } = createSite();
  arrive(1);
  accept();
  arrive(...numbers(4, 2));
  assert.deepEqual(handled, [1]);
  await setImmediate();
  assert.deepEqual(handled, [1, 2]);
  await setImmediate();
  assert.deepEqual(handled, numbers(5));
});

test('a burst may wait for half a second, and what has waited for longer is shed', async () => {
  const { arrive, handled, shed, clock } = createSite({ cost: 10 });
  clock.time = 10_000;
  arrive(...numbers(3));
  clock.time += LIMITS.burst - 5;
  await setImmediate();
  assert.deepEqual([handled, shed], [numbers(2), []]);
  await setImmediate();
  assert.deepEqual([handled, shed], [numbers(2), [3]]);
});

test('once the queue has not been empty for half a second, what has waited for 200 ms is shed', async () => {
  const { arrive, handled, shed, clock } = createSite({ cost: 100 });
  clock.time = 10_000;
  arrive(...numbers(6));
  for (let turn = 0; turn < 3; turn++) {
    await setImmediate();
    arrive(7 + turn);
  }
  assert.deepEqual([handled, shed], [numbers(4), []]);
  clock.time = 10_590;
  arrive(10);
  clock.time += 11;
  await setImmediate();
  assert.deepEqual([handled.slice(4), shed], [[10], numbers(5, 5)]);
});

test('once the queue has not been empty for half a second, a turn handles requests for one millisecond only', async () => {
  const { arrive, handled, clock } = createSite({ cost: 0.4 });
  clock.time = 10_000;
  arrive(...numbers(60));
  const { length } = handled;
  assert.ok(length < 50, 'the others wait');
  clock.time += LIMITS.burst + 1;
  arrive(...numbers(10, 61));
  await setImmediate();
  assert.deepEqual(handled.slice(length), numbers(3, 61), 'the others were shed');
});

test('a turn that has accepted a connection sheds for one millisecond only', async () => {
  const { arrive, accept, shed, clock } = createSite({ cost: 10 });
  clock.time = 10_000;
  arrive(...numbers(30));
  clock.time += LIMITS.burst + 1;
  accept();
  await setImmediate();
  assert.deepEqual(shed, numbers(29, 2), 'shedding takes no time here');
});

test('held requests wait without delaying others, and are handled once they are not held', async () => {
  let isFull = true;
  const site = createSite({ isHeld: (number) => isFull && number > 10 });
  site.arrive(11, 1, 12, 2);
  await setImmediate();
  assert.deepEqual(site.handled, [1, 2]);
  isFull = false;
  for (let waits = 0; site.handled.length < 4 && waits < 1_000; waits++) await setTimeout(1);
  assert.deepEqual(site.handled, [1, 2, 11, 12]);
});

test('a held request is shed after its time', async () => {
  const { arrive, shed, clock } = createSite({ isHeld: () => true });
  clock.time = 10_000;
  arrive(1);
  await setImmediate();
  clock.time += LIMITS.burst + 1;
  for (let waits = 0; shed.length === 0 && waits < 1_000; waits++) await setTimeout(1);
  assert.deepEqual(shed, [1]);
});
