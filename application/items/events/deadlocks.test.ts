/** PostgreSQL ends a transaction of two that wait for each other after a second. The door repeats it. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { changeDisplayName } from '../../accounts/display-name.ts';
import { nextNumber } from '../../database/counter.ts';
import type { Database, KyselyTransaction } from '../../database/kysely.ts';
import { createImports } from '../../imports/import-model.ts';
import { openImport } from '../../testing/open-import.ts';
import { addItem, ENGINES } from '../../testing/open-test-database.ts';
import { bringBackItem, removeItem } from '../delete/delete-items.ts';
import { editItem } from '../edit/edit-item.ts';
import { EMPTY_ITEM } from '../item-fields.ts';
import { rememberSources } from '../item-sources.ts';
import { lendItem, returnItem } from '../lend/lend-item.ts';
import { countItem } from '../quantity/count-item.ts';
import { lockItem } from '../stored-item.ts';
import { ChangeRefused } from './change-refused.ts';

const ADA = 1;
const THING = { ...EMPTY_ITEM, name: 'Thing', quantity: 5 };
const { skip } = ENGINES[1];

async function openItems(t: TestContext) {
  const site = await openImport(t, 'postgres');
  const { database } = site;
  for (let count = 0; count < 4; count++) await addItem(database, THING, ADA);
  await database.write(async (transaction) => {
    await rememberSources(transaction, [
      { kind: '', text: 'one', number: 1 },
      { kind: '', text: 'two', number: 2 },
    ]);
  });
  let begun = 0;

  /** Runs `before`, then `other` until it waits for a lock or is done, then `after`: each of them once. */
  async function interleave(
    before: (transaction: KyselyTransaction) => Promise<unknown>,
    other: () => Promise<unknown>,
    after: (transaction: KyselyTransaction) => Promise<unknown>,
  ): Promise<void> {
    const first = Promise.withResolvers<void>();
    let isDone = false;
    // Begun here: the work of a write must not begin another one.
    const settled = first.promise.then(other).finally(() => {
      isDone = true;
    });
    await database.write(async (transaction) => {
      begun++;
      await before(transaction);
      first.resolve();
      while (!isDone && !(await waits())) await sleep(5);
      await after(transaction);
    });
    await settled;
    assert.equal(begun, 1, 'the transaction was not repeated');
  }
  async function waits(): Promise<boolean> {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.read);
    return rows.length > 0;
  }
  const edit = (name: string, number: number) => (transaction: KyselyTransaction) =>
    editItem(transaction, number, { input: { ...THING, name }, version: 1 }, ADA);
  /** Also counts how often the work runs. */
  const once: Database['write'] = async (work) => {
    let runs = 0;
    try {
      return await database.write((transaction) => {
        runs++;
        return work(transaction);
      });
    } finally {
      assert.equal(runs, 1, 'the other transaction was not repeated');
    }
  };
  return { ...site, interleave, edit, once };
}

test('an item that is deleted while another one is restored causes no deadlock', {
  skip,
}, async (t) => {
  const { database, interleave, edit, once, items } = await openItems(t);
  await database.write((transaction) => removeItem(transaction, 3, ADA));
  await interleave(
    edit('Edited', 1),
    () => once((transaction) => removeItem(transaction, 4, ADA)),
    (transaction) => bringBackItem(transaction, 3, ADA),
  );
  assert.deepEqual(
    (await items.list(1)).items.map(({ number }) => number),
    [3, 2, 1],
  );
});

test('taking too many of an item that is being changed causes no deadlock', { skip }, async (t) => {
  const { interleave, edit, once } = await openItems(t);
  const take = () => once((transaction) => countItem(transaction, 1, { by: -9, reason: '' }, ADA));
  await interleave(
    (transaction) => lockItem(transaction, 1),
    () => assert.rejects(take, ChangeRefused),
    edit('Edited', 1),
  );
});

test('an import that adds and changes items causes no deadlock with an edit', {
  skip,
}, async (t) => {
  const { database, items, interleave, edit, plan, confirm, find, once } = await openItems(t);
  const planned = await plan('name,asset tag\nNew,\nRenamed,two\nRenamed,one\n');
  await confirm(planned, ADA, { here: 'leave', asked: 'update' });
  const { step } = createImports({ ...database, write: once }, items);
  await interleave(
    (transaction) => lockItem(transaction, 1),
    () => step(planned.id, 'this process'),
    edit('Edited', 1),
  );
  const { created, changed, left } = (await find(planned.id)).done;
  assert.deepEqual([created, changed, left], [1, 1, 1]);
});

test('an import that changes and adds items causes no deadlock with an item that is added', {
  skip,
}, async (t) => {
  const { database, items, interleave, edit, plan, confirm, find, once } = await openItems(t);
  const planned = await plan('name,asset tag\nRenamed,two\nNew,\n');
  await confirm(planned, ADA, { here: 'leave', asked: 'update' });
  const { step } = createImports({ ...database, write: once }, items);
  await interleave(
    (transaction) => nextNumber(transaction, 'items'),
    () => step(planned.id, 'this process'),
    edit('Edited', 1),
  );
  const { created, changed, left } = (await find(planned.id)).done;
  assert.deepEqual([created, changed, left], [1, 1, 0]);
});

test('a new name of a borrower is no name of the next one', { skip }, async (t) => {
  const { database, interleave, once, items } = await openItems(t);
  const lend = (to: string) => (transaction: KyselyTransaction) =>
    lendItem(transaction, 1, { to, until: null }, ADA);
  await database.write(lend('ada'));
  const lentAt = (await items.find(1))?.loans[0]?.at ?? assert.fail();
  await interleave(
    (transaction) => lockItem(transaction, 1),
    () => once((transaction) => changeDisplayName(transaction, ADA, 'Ada Lovelace')),
    async (transaction) => {
      await returnItem(transaction, 1, { lent: lentAt, part: null }, ADA);
      await lend('Bo')(transaction);
    },
  );
  assert.equal((await items.find(1))?.loans[0]?.to, 'Bo');
});
