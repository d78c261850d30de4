import assert from 'node:assert/strict';
import { openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { send } from './send.ts';

testOnEngines('what was sent is done before what comes after it', async (t) => {
  const database = await openTestDatabase(t);
  const seen = await database.write(async (transaction) => {
    await send(transaction, transaction.insertInto('counters').values({ name: 'a', value: 1 }));
    await send(transaction, transaction.updateTable('counters').set({ value: 2 }));
    return transaction.selectFrom('counters').select('value').execute();
  });
  assert.deepEqual(
    seen.map(({ value }) => value),
    [2],
  );
});

testOnEngines('what was sent last is saved with the rest', async (t) => {
  const database = await openTestDatabase(t);
  await database.write((transaction) =>
    send(transaction, transaction.insertInto('counters').values({ name: 'a', value: 1 })),
  );
  assert.equal((await database.read.selectFrom('counters').selectAll().execute()).length, 1);
});

testOnEngines('what was sent and fails fails the work, which leaves nothing', async (t) => {
  const database = await openTestDatabase(t);
  const nothing = { name: 'b', value: null as never };
  const work = database.write(async (transaction) => {
    await send(transaction, transaction.insertInto('counters').values({ name: 'a', value: 1 }));
    await send(transaction, transaction.insertInto('counters').values(nothing));
  });
  await assert.rejects(work, /not.null/i);
  const later = database.write(async (transaction) => {
    await send(transaction, transaction.insertInto('counters').values(nothing));
    await transaction.selectFrom('counters').selectAll().execute();
  });
  await assert.rejects(later, /not.null/i);
  assert.deepEqual(await database.read.selectFrom('counters').selectAll().execute(), []);
});
