import assert from 'node:assert/strict';
import test from 'node:test';
import { openTestDatabase } from '../testing/test-folder.ts';
import type { WriteTransaction } from './database.ts';
import { every } from './every.ts';
import { createOutbox } from './outbox.ts';

// Lines that must not compile have @ts-expect-error.

test('the compiler reads the times, and no form adds a schedule', async (t) => {
  const { database } = await openTestDatabase(t);
  const run = async (at: Date) => assert.ok(at.getTime());
  const { afterCommit, schedules } = createOutbox(database, {
    mail: async ({ to }: { readonly to: string }) => assert.ok(to),
    sweep: every('day at 03:00', run),
    bill: every({ cron: '0 8 1 * *' }, run, { timeZone: 'Europe/Berlin', catchUp: false }),
    ping: every('5 minutes', async () => {}),
  });
  assert.deepEqual(Object.keys(afterCommit), ['mail']);
  assert.deepEqual(await schedules(), []);
  every('month on the 22nd at 23:59', run);

  const mistakes = async (transaction: WriteTransaction) => {
    // @ts-expect-error: the hour needs two digits
    every('day at 3:00', run);
    // @ts-expect-error: there is no such hour
    every('day at 24:00', run);
    // @ts-expect-error: an hour has no whole number of them
    every('7 minutes', run);
    // @ts-expect-error: not each month has one
    every('month on the 31st at 06:00', run);
    // @ts-expect-error: there is no such day
    every('mondays at 06:00', run);
    // @ts-expect-error: cron needs its name
    every('0 3 * * *', run);
    // @ts-expect-error: a schedule is added by nobody
    await afterCommit.sweep(transaction, new Date());
  };
  assert.ok(mistakes);
});
