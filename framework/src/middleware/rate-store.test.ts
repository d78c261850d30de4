import assert from 'node:assert/strict';
import test from 'node:test';
import { describeRateStore } from './rate-store.contract.ts';
import { createMemoryRateStore } from './rate-store.ts';

describeRateStore('rates in memory', () => createMemoryRateStore());

const MINUTE = 60_000;

test('of all addresses, those of the last hundred thousand at most are in memory', () => {
  const store = createMemoryRateStore();
  const take = (at: number) => store.take([{ key: `network ${at}`, max: 1 }], MINUTE);
  for (let at = 1; at <= 150_000; at++) if (take(at) !== null) assert.fail(`number ${at} waits`);
  assert.notEqual(take(150_000), null);
  assert.notEqual(take(100_001), null);
  assert.equal(take(50_000), null);
});
