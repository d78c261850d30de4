/** Log-in attempts for the tests of the throttle. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
  type Attempt,
  createLogInThrottle,
  type LogInThrottle,
} from '../accounts/log-in-throttle.ts';
import { createClock } from './create-clock.ts';
import { openTestDatabase, type TestDatabase } from './open-test-database.ts';

export async function openThrottle(t: TestContext) {
  const database: TestDatabase = await openTestDatabase(t);
  const clock = createClock();
  return { database, clock, throttle: createLogInThrottle(database, clock.now) };
}

/** An attempt from an unknown device. */
export function unknownDevice(username: string, address: string) {
  return { username, networks: [address], device: null };
}

/** Makes a failing attempt; resolves to the seconds that it must wait, or 0 if it was made. */
export async function attempt(
  throttle: LogInThrottle,
  one: Attempt,
  hasFailed = true,
): Promise<number> {
  const begun = await throttle.begin(one);
  if (begun.kind === 'begun') await throttle.end(one, begun.id, hasFailed);
  assert.notEqual(begun.kind, 'busy');
  const seconds = begun.kind === 'wait' ? begun.seconds : 0;
  return seconds;
}

export async function fail(
  throttle: LogInThrottle,
  times: number,
  username: string,
  address: string,
) {
  for (let count = 0; count < times; count++)
    await attempt(throttle, unknownDevice(username, address));
}

/** Stores an attempt as pending; resolves to its id. */
export async function begin(throttle: LogInThrottle, one: Attempt): Promise<string> {
  const begun = await throttle.begin(one);
  return begun.kind === 'begun' ? begun.id : assert.fail(`the attempt is to ${begun.kind}`);
}
