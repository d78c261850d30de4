import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createClock } from '../testing/create-clock.ts';
import { openImport } from '../testing/open-import.ts';
import { addAccount, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { removeExpired } from './remove-expired.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Between two sweeps. */
const INTERVAL = 22 * HOUR;

/** A row of each kind that expires in so many seconds; `sweep` says what is left. */
async function openSite(t: TestContext) {
  const database = await openTestDatabase(t);
  const clock = createClock();
  await addAccount(database, 1, 'ada');
  const at = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000).toISOString();
  const add = (key: string, seconds: number) =>
    database.write(async (transaction) => {
      const ends_at = at(seconds);
      const session = { key, account_id: 1, started_at: at(0), seen_at: at(0), remembered: 0 };
      await transaction
        .insertInto('sessions')
        .values({ ...session, ends_at })
        .execute();
      const device = { key, account_id: 1, seen_at: at(seconds - 365 * DAY) };
      await transaction.insertInto('devices').values(device).execute();
      const receipt = { owner: 1, once: key, digest: '', path: '/items/1' };
      const created_at = at(seconds - 90 * DAY);
      await transaction
        .insertInto('receipts')
        .values({ ...receipt, created_at })
        .execute();
    });
  const sweep = async () => {
    await database.write((transaction) => removeExpired(transaction, clock.now()));
    const { read } = database;
    const left = new Set<string>();
    for (const table of ['sessions', 'devices'] as const) {
      const rows = await read.selectFrom(table).select('key').orderBy('key').execute();
      left.add(rows.map(({ key }) => key).join());
    }
    const receipts = await read.selectFrom('receipts').select('once').orderBy('once').execute();
    left.add(receipts.map(({ once }) => once).join());
    assert.equal(left.size, 1, 'every table has the same rows');
    return [...left].join();
  };
  return { clock, add, sweep };
}

testOnEngines(
  'rows that had expired at one sweep are removed by the next one, 22 hours later at the earliest',
  async (t) => {
    const { clock, add, sweep } = await openSite(t);
    await add('expired', 0);
    await add('expiring', 1);
    assert.equal(await sweep(), 'expired,expiring');
    clock.pass(INTERVAL - 0.001);
    assert.equal(await sweep(), 'expired,expiring');
    clock.pass(0.001);
    assert.equal(await sweep(), 'expiring');
    clock.pass(INTERVAL);
    assert.equal(await sweep(), '');
  },
);

testOnEngines(
  'a clock that is ahead for less than 22 hours removes nothing that is still needed',
  async (t) => {
    const { clock, add, sweep } = await openSite(t);
    await sweep();
    for (const ahead of [13 * HOUR, 91 * DAY]) {
      await add(`for the jump of ${ahead}`, 20 * HOUR);
      const before = await sweep();
      clock.pass(ahead);
      assert.equal(await sweep(), before);
      clock.pass(INTERVAL - HOUR);
      assert.equal(await sweep(), before);
      clock.pass(HOUR - INTERVAL - ahead);
      assert.equal(await sweep(), before);
    }
    // The clock is right again, and goes on.
    clock.pass(21 * HOUR);
    await sweep();
    clock.pass(DAY);
    await sweep();
    clock.pass(DAY);
    assert.equal(await sweep(), '');
  },
);

testOnEngines('an import is removed a day after its last step, unless it runs', async (t) => {
  const { database, plan } = await openImport(t);
  const { id } = await plan('name\nDrill\n');
  const row = await database.read
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const others = (['reading', 'importing', 'done', 'stopped'] as const).map((state, at) => {
    return { ...row, id: id + 1 + at, state };
  });
  await database.write((transaction) => transaction.insertInto('imports').values(others).execute());
  const sweep = async (days: number) => {
    const at = new Date(Date.now() + days * DAY * 1_000);
    await database.write((transaction) => removeExpired(transaction, at));
    const rows = await database.read.selectFrom('imports').select('state').orderBy('id').execute();
    return rows.map(({ state }) => state).join();
  };
  const all = 'checked,reading,importing,done,stopped';
  assert.equal(await sweep(0.5), all);
  assert.equal(await sweep(1), all);
  assert.equal(await sweep(1.6), 'importing');
  const pieces = await database.read.selectFrom('import_pieces').select('import_id').execute();
  assert.deepEqual(pieces, []);
});
