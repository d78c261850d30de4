import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createOutbox } from './outbox.ts';

const numbers = (count: number, first = 1) => Array.from({ length: count }, (_, at) => first + at);
const standStill = () => 0;

test('answers of one turn of the event loop leave at its end, in their order', async () => {
  const sent: number[] = [];
  const post = createOutbox((answer: number) => sent.push(answer), standStill);
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

test('sixteen answers leave at once, and those after them at the end of the turn', async () => {
  const sent: number[] = [];
  const post = createOutbox((answer: number) => sent.push(answer), standStill);
  for (const answer of numbers(15)) post(answer);
  assert.deepEqual(sent, []);
  post(16);
  assert.deepEqual(sent, numbers(16));
  for (const answer of numbers(20, 17)) post(answer);
  assert.deepEqual(sent, numbers(32));
  await setImmediate();
  assert.deepEqual(sent, numbers(36));
});

test('what is put in while others leave follows them', async () => {
  const sent: number[] = [];
  const post = createOutbox((answer: number) => {
    sent.push(answer);
    if (answer < 3) post(answer + 2);
  }, standStill);
  post(1);
  post(2);
  await setImmediate();
  await setImmediate();
  assert.deepEqual(sent, [1, 2, 3, 4]);
});

test('answers that take long to make do not hold back those before them', async () => {
  const sent: number[] = [];
  let time = 0;
  const post = createOutbox(
    (answer: number) => sent.push(answer),
    () => time,
  );
  post(1);
  time += 0.9;
  post(2);
  assert.deepEqual(sent, []);
  time += 0.1;
  post(3);
  assert.deepEqual(sent, [1, 2, 3]);
  post(4);
  await setImmediate();
  assert.deepEqual(sent, [1, 2, 3, 4]);
});
