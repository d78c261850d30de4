/** forms-five-times.test.ts behind each balancer, on PostgreSQL. */
import test from 'node:test';
import { skipWithoutPrograms } from '../application/testing/postgres/find-programs.ts';
import { skipWithout } from '../deploy/find-program.ts';
import { holds, sendBehind } from './forms-five-times.ts';

for (const name of ['nginx', 'haproxy'] as const) {
  const skip = skipWithout(name, 'openssl') || skipWithoutPrograms();
  test(`fifty forms are fifty items behind ${name}, on PostgreSQL`, { skip }, async () => {
    holds(await sendBehind(name, 50), 50);
  });
}
