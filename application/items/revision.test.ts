import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import type { KyselyTransaction } from '../database/kysely.ts';
import {
  addAccount,
  addItem,
  openAnother,
  openTestDatabase,
  testOnEngines,
} from '../testing/open-test-database.ts';
import { openTestStores, toTestUser } from '../testing/open-test-stores.ts';
import { createRevisionReader } from './revision.ts';

const DRILL = { name: 'Drill', description: '', quantity: 1, location: '', tags: ['tools'] };

async function openItems(t: TestContext) {
  const database = await openTestDatabase(t);
  await addAccount(database, 7, 'ada');
  await addItem(database, DRILL, 7);
  return { database, readRevision: createRevisionReader(database) };
}

/**
 * Whatever SQL can do to what a page of items shows, by our code, that of yesterday or another program.
 */
const CHANGES: Readonly<Record<string, string>> = {
  'a new item': `insert into items (number, name, description, quantity, location, created_at, updated_at, version)
    select 99, name, description, quantity, location, created_at, updated_at, version from items where number = 1`,
  'a changed item': 'update items set quantity = 2 where number = 1',
  'a tag more': "insert into item_tags (item_number, position, tag) values (1, 1, 'new')",
  'a changed tag': "update item_tags set tag = 'other' where position = 0",
  'a tag less': 'delete from item_tags where position = 0',
  'an item less': 'delete from items where number = 1',
  'another name of a person': "update accounts set username = 'grace' where id = 7",
};

testOnEngines('every change of what item pages show sets a new revision', async (t) => {
  const { database, readRevision } = await openItems(t);
  const seen = new Set([await readRevision()]);
  for (const statement of Object.values(CHANGES)) {
    await database.write((transaction) => sql.raw(statement).execute(transaction));
    seen.add(await readRevision());
  }
  await addItem(database, DRILL);
  seen.add(await readRevision());
  assert.equal(seen.size, 2 + Object.keys(CHANGES).length);
});

testOnEngines(
  'another instance sees the new revision with the change, and not before',
  async (t) => {
    const { database, readRevision } = await openItems(t);
    const other = await openAnother(t, database);
    const before = await readRevision();
    await other.write(async (transaction) => {
      await change(transaction);
      assert.equal(await readRevision(), before, 'the change is not committed');
    });
    assert.notEqual(await readRevision(), before);
  },
);

testOnEngines('a change that is rolled back keeps the revision', async (t) => {
  const { database, readRevision } = await openItems(t);
  const before = await readRevision();
  const failing = database.write(async (transaction) => {
    await change(transaction);
    throw new Error('changed my mind');
  });
  await assert.rejects(failing, /changed my mind/);
  assert.equal(await readRevision(), before);
});

testOnEngines('changes that no item page shows keep the revision', async (t) => {
  const { database, readRevision } = await openItems(t);
  const { sessions, receipts } = openTestStores(database);
  const before = await readRevision();
  await addAccount(database, 'next', 'bo');
  await database.write((transaction) =>
    transaction.updateTable('accounts').set({ password_hash: 'another', version: 2 }).execute(),
  );
  await receipts.carryOut({ owner: 7, once: 'a', digest: 'b' }, async () => '/items/1');
  const now = new Date();
  await sessions.create(
    {
      key: 'key',
      user: { ...toTestUser(7, 'ada'), version: '2' },
      startedAt: now,
      seenAt: now,
      endsAt: new Date(now.getTime() + 1_000),
      remembered: false,
      agent: '',
      address: '',
      flashes: [],
      draft: null,
      superseded: false,
    },
    null,
  );
  await sessions.update('key', (session) => ({ ...session, seenAt: new Date() }));
  assert.equal(await readRevision(), before);
});

testOnEngines('a missing row of the revision is an error', async (t) => {
  const { database, readRevision } = await openItems(t);
  const row = { name: 'items', revision: 'the next test has one again' } as const;
  await database.write((transaction) => transaction.deleteFrom('revisions').execute());
  await assert.rejects(async () => readRevision(), /its row is gone/);
  await database.write((transaction) => transaction.insertInto('revisions').values(row).execute());
});

function change(transaction: KyselyTransaction): Promise<unknown> {
  return transaction.updateTable('items').set({ quantity: 7 }).execute();
}
