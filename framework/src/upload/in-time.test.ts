import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { HttpError } from '../http/http-error.ts';
import { inTime } from './in-time.ts';

/** Reads chunks of 1,000 bytes that arrive when `arrive` is called; `passSeconds` moves the clock. */
function createBody(t: TestContext, limits = { time: 600, rate: 100 }) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let arrive = () => {};
  const chunks = (async function* () {
    for (;;) {
      await new Promise<void>((resolve) => {
        arrive = resolve;
      });
      yield new Uint8Array(1_000);
    }
  })();
  const body = inTime(chunks, limits, new AbortController().signal);
  return {
    next: () => body.next(),
    end: () => body.return(undefined),
    async arrive() {
      await setImmediate();
      arrive();
    },
    async passSeconds(count: number) {
      await setImmediate();
      t.mock.timers.tick(count * 1_000);
      await setImmediate();
    },
  };
}

const isTooSlow = (error: unknown) => error instanceof HttpError && error.status === 408;

test('a body without a byte is cut after half a minute', async (t) => {
  const { next, passSeconds } = createBody(t);
  const reading = next();
  await passSeconds(30);
  const failing = assert.rejects(reading, isTooSlow);
  await passSeconds(1);
  await failing;
});

test('bytes buy time, up to the time for the whole body', async (t) => {
  const { next, arrive, passSeconds } = createBody(t, { time: 45, rate: 100 });
  const first = next();
  await passSeconds(30);
  await arrive();
  assert.equal((await first).value?.byteLength, 1_000);
  // 1,000 bytes are ten seconds.
  const second = next();
  await passSeconds(10);
  await arrive();
  await second;
  const third = next();
  const failing = assert.rejects(third, isTooSlow);
  await passSeconds(6);
  await failing;
});

test('the time of a slow reader does not count', async (t) => {
  const { next, arrive, end, passSeconds } = createBody(t);
  const first = next();
  await arrive();
  await first;
  await passSeconds(3_000);
  const second = next();
  await arrive();
  assert.equal((await second).done, false);
  await end();
});
