import assert from 'node:assert/strict';
import test from 'node:test';
import { openTestDatabase } from '../testing/test-folder.ts';
import type { WriteTransaction } from './database.ts';
import { createOutbox } from './outbox.ts';

// Lines that must not compile have @ts-expect-error.

interface Mail {
  readonly to: string;
  readonly copies?: readonly { readonly to: string }[];
}

test('the payload of a job is what its function takes, as JSON brings it back', async (t) => {
  const { database } = await openTestDatabase(t);
  const { afterCommit, run } = createOutbox(database, {
    mail: async ({ to, copies }: Mail) => assert.ok(to && copies),
    remind: async (date: { readonly at: Date }) => assert.ok(date),
    sweep: async () => {},
  });
  await database.write(async (transaction) => {
    await afterCommit.mail(transaction, { to: 'ada', copies: [{ to: 'bo' }] });
    await afterCommit.sweep(transaction, null);
  });
  await run();

  const mistakes = async (transaction: WriteTransaction) => {
    // @ts-expect-error: there is no job of this name
    await afterCommit.mails(transaction, { to: 'ada' });
    // @ts-expect-error: another payload
    await afterCommit.mail(transaction, { too: 'ada' });
    // @ts-expect-error: a Date comes back as text
    await afterCommit.remind(transaction, { at: new Date() });
    // @ts-expect-error: outside of a transaction
    await afterCommit.mail(database.read, { to: 'ada' });
  };
  assert.ok(mistakes);
});

test('mistakes that no compiler has seen are errors that name their remedy', async () => {
  const create = createOutbox as (...parts: unknown[]) => unknown;
  const database = { write: async () => {} };
  assert.throws(
    () => create(undefined, {}),
    /Cannot make an outbox of undefined: pass an open database/,
  );
  for (const jobs of [{}, { mail: 'ada' }]) {
    assert.throws(
      () => create(database, jobs),
      /Cannot make an outbox of these jobs: pass an object of functions/,
    );
  }
  assert.throws(
    () => create(database, { mail: async () => {} }, { timeOut: 1 }),
    /Did you mean timeout\?/,
  );
  assert.throws(
    () => create(database, { mail: async () => {} }, { attempts: 0 }),
    /Cannot pass 0 to createOutbox as attempts: pass a whole number above 0/,
  );
  const { afterCommit } = createOutbox(database as never, { mail: async (_: unknown) => {} });
  await assert.rejects(
    afterCommit.mail({} as WriteTransaction, undefined),
    /Cannot add the job mail with undefined: pass what JSON can represent/,
  );
});
