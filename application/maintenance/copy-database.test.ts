/** Moving between the engines, in every direction, loses and changes nothing. */
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { sql } from 'kysely';
import { createOutbox } from 'seeother/database';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import { createImports } from '../imports/import-model.ts';
import { recordCount } from '../items/count-records.ts';
import { createItems } from '../items/item.ts';
import { ALL_ITEMS } from '../items/item-query.ts';
import { countItem } from '../items/quantity/count-item.ts';
import { removeMany } from '../items/select/change-many.ts';
import { setAddress } from '../mail/due-mails.ts';
import { createField, createKind } from '../own-fields/change-definitions.ts';
import {
  addAccount,
  addItem,
  ENGINES,
  openTestDatabase,
  type TestDatabase,
} from '../testing/open-test-database.ts';
import { openTestStores } from '../testing/open-test-stores.ts';
import { copyDatabase } from './copy-database.ts';

const ITEMS = 1_234;
const GONE = { name: 'Gone', description: '', quantity: 1, location: '', tags: [] };

const PARKED = { key: 'a'.repeat(64), name: 'Ä.csv' };

/** Something in every table: more than a batch, text of all kinds, rows that nothing tells apart. */
async function fill(database: Database): Promise<void> {
  await addAccount(database, 1, 'Ada');
  const at = '2026-11-20T12:00:00.000Z';
  const failed = { subject: 'account:ada', at };
  const items = createItems(database);
  await database.write(async (one) => {
    for (let count = 0; count < ITEMS; count++) {
      const name = ['Ä \' " \\ 🔧', 'a\u0308', 'Z', 'a'][count % 4] ?? '';
      const tags = count % 3 === 0 ? ['tools', 'ä'] : [];
      const text = { name, description: 'one\ntwo', location: count % 2 === 0 ? 'Büro' : '' };
      await items.create(one, { ...text, quantity: count, tags }, count % 2 === 0 ? 1 : null);
    }
    await one
      .insertInto('loans')
      .values({ item: 3, at, borrower: 'Ä 🔧', until: null, quantity: 2 })
      .execute();
    const place = { path: 'Ä', key: 'Ä' };
    await one
      .insertInto('places')
      .values({ ...place, id: 999, parent: null, name: 'Ä', name_key: 'A', created_at: at })
      .execute();
    await one
      .insertInto('place_aliases')
      .values({ ...place, place: 999 })
      .execute();
    await one
      .insertInto('place_changes')
      .values({ ...place, batch: 1, place: 999, parent: null, kept: 0, version: 2 })
      .execute();
    await one
      .insertInto('item_files')
      .values({
        ...{ id: 1, item_number: 3, position: -1, kind: 'photo', name: 'Ä.jpg', caption: 'Ä 🔧' },
        ...{ type: 'image/jpeg', size: 3_000_000_000, sha256: 'a', file: 'f', added_at: at },
        added_by: 1,
      })
      .execute();
    await one.updateTable('items').set({ picture: '1 a' }).where('number', '=', 3).execute();
    const { id: kind } = await createKind(one, { name: 'Tool' }, 1);
    const weight = { kind: 'number', label: 'Weight', itemKind: kind } as const;
    const { id: field_id } = await createField(one, weight, null);
    const value = { value: '12.5', key: '12.5', number: 12.5 };
    await one
      .insertInto('item_values')
      .values({ item_number: 3, field_id, position: 0, ...value })
      .execute();
    await one.updateTable('items').set({ kind }).where('number', '=', 3).execute();
    const session = { account_id: 1, started_at: at, seen_at: at, ends_at: at, remembered: 1 };
    await one
      .insertInto('sessions')
      .values([
        { ...session, key: 'Key' },
        { ...session, key: 'key' },
      ])
      .execute();
    await one.insertInto('import_columns').values({ headings: 'a', uses: '["name"]' }).execute();
    await one.insertInto('imported_files').values({ hash: 'a', batch: 1 }).execute();
    await one
      .insertInto('item_sources')
      .values({ source: 'Ä', kind: '', item_number: 1 })
      .execute();
    await one.insertInto('devices').values({ key: 'd', account_id: 1, seen_at: at }).execute();
    await sql`insert into seeother_account_tokens (key, kind, account_id, made_by, data, created_at, ends_at)
      values ('K', 'invitation', null, 1, '{"to":"Ä"}', ${at}, ${at}), ('k', 'new password', 1, null, '{}', ${at}, ${at})`.execute(
      one,
    );
    for (const kind of ['registered', 'logged in', 'role changed']) await addEvent(one, kind);
    await sql`delete from seeother_account_events where kind = 'registered'`.execute(one);
    await sql`insert into seeother_passkeys (id, account_id, name, public_key, counter, transports, backed_up, created_at)
      values ('P', 1, 'Ä', 'key', 3000000000, '[]', 1, ${at}), ('p', 1, '', 'key', 0, '[]', 0, ${at})`.execute(
      one,
    );
    await sql`insert into seeother_identities (provider, subject, account_id, created_at)
      values ('Ä', 'S', 1, ${at}), ('ä', 's', 1, ${at})`.execute(one);
    await setAddress(one, 1, 'ä@example.org');
    const waiting = createOutbox(database.door, { mail: async () => {} }, { report() {} });
    await waiting.afterCommit.mail(one, 'Ä');
    await one.insertInto('failed_log_ins').values([failed, failed]).execute();
    await items.create(one, GONE, null);
    await countItem(one, 1, { by: 1, reason: 'Ä' }, 1);
    const lines = [{ number: 1, expected: 1, found: null }];
    await recordCount(one, {
      author: 1,
      form: 'ä',
      list: { ...ALL_ITEMS, ticked: '' },
      listed: 1,
      lines,
    });
    await removeMany(one, [ITEMS + 1], 1);
  });
  const file = {
    name: 'Ä.csv',
    sha256: 'a',
    chunks: async function* () {
      yield Buffer.from('number,name\n,Ä 🔧\n1,Renamed\n9999,Refused\n');
    },
  };
  const { id: import_id } = await createImports(database, items).read(file, 1);
  const photo = { path: 'Ä/Ä.jpg', name: 'Ä.jpg', type: 'image/jpeg', item_number: null };
  await database.write(async (one) => {
    await one
      .insertInto('import_photos')
      .values({ ...photo, import_id, position: 1, line: 2, first_line: 1 })
      .execute();
    await one.insertInto('import_zips').values({ file: 'Ä', import_id }).execute();
  });
  const key = { owner: 1, once: 'page', digest: 'a' };
  const { files, receipts, values } = openTestStores(database);
  await receipts.carryOut(key, async () => '/items/1');
  await database.write((one) => values.put('a', ['Ä'], new Date('2999-01-01'), one));
  await files.records.add({ ...PARKED, owner: '1' }, new Date('2999-01-01'));
  const content = { type: 'text/csv', size: 3_000_000_000, sha256: 'a' };
  await files.records.complete(PARKED.key, content);
}

async function addEvent(one: KyselyTransaction, kind: string): Promise<number> {
  const { rows } = await sql<{ readonly id: number }>`insert into seeother_account_events
    (at, account_id, kind, detail, address, agent, untold)
    values ('2026-11-20T12:00:00.000Z', 1, ${kind}, 'Ä', '', '', 1) returning id`.execute(one);
  return rows[0]?.id ?? assert.fail();
}

const filled = new Map<Database['engine'], Promise<TestDatabase>>();
const releases: (() => unknown)[] = [];
after(async () => {
  for (const release of releases) await release();
});

/** One for all tests, which only copy it: filling it takes longer than a copy. */
function openFilled(engine: Database['engine']): Promise<TestDatabase> {
  const known = filled.get(engine) ?? openAndFill(engine);
  filled.set(engine, known);
  return known;
}

async function openAndFill(engine: Database['engine']): Promise<TestDatabase> {
  const releasing = { after: (release: () => unknown) => void releases.push(release) };
  const database = await openTestDatabase(releasing, engine);
  await fill(database);
  return database;
}

async function readFacets({ read }: Database) {
  const rows = await read.selectFrom('item_facets').selectAll().orderBy('name').execute();
  return rows.map((row) => ({ ...row }));
}

async function readRevision({ read }: Database) {
  return (await read.selectFrom('revisions').selectAll().execute())[0]?.revision;
}

/** Fails if an item that comes and goes is not counted. */
async function checkCounting(database: Database): Promise<void> {
  const before = await readFacets(database);
  const number = await addItem(database, { ...GONE, location: 'Somewhere', tags: ['new'] });
  assert.deepEqual(
    (await readFacets(database)).filter(({ items }) => items === 1).map(({ name }) => name),
    ['Somewhere', 'new'],
  );
  await database.write((transaction) =>
    transaction.deleteFrom('items').where('number', '=', number).execute(),
  );
  assert.deepEqual(await readFacets(database), before);
}

for (const { engine: from, name: source, skip: one } of ENGINES)
  for (const { engine: to, name: target, skip: other } of ENGINES)
    test(`a copy from ${source} to ${target} and back is the same`, {
      skip: one || other,
    }, async (t) => {
      const first = await openFilled(from);
      const second = await openTestDatabase(t, to);
      const third = await openTestDatabase(t, from);
      const revision = await readRevision(second);
      const there = await copyDatabase(first, second);
      const back = await copyDatabase(second, third);
      assert.deepEqual(back, there);
      assert.ok(
        there.every(({ rows }) => rows > 0),
        'a table is empty',
      );
      assert.equal(there.find(({ name }) => name === 'items')?.rows, ITEMS);
      const read = (database: Database) =>
        database.read.selectFrom('items').selectAll().orderBy('number').execute();
      assert.deepEqual(
        (await read(third)).map((row) => ({ ...row })),
        (await read(first)).map((row) => ({ ...row })),
      );
      for (const database of [second, third]) {
        const items = createItems(database);
        assert.equal((await items.list(1)).itemCount, ITEMS);
        assert.equal((await items.list(1, { search: 'tools' })).itemCount, Math.ceil(ITEMS / 3));
      }
      const next = await third.write((transaction) =>
        createItems(third).create(transaction, { ...GONE, name: 'New' }, null),
      );
      assert.equal(next, ITEMS + 2);
      const event = (database: Database) =>
        database.write((transaction) => addEvent(transaction, 'logged out'));
      const greatest = await sql<{ id: number }>`select max(id) as id from seeother_account_events`
        .execute(first.read)
        .then(({ rows }) => Number(rows[0]?.id));
      assert.deepEqual([await event(second), await event(third)], [greatest + 1, greatest + 1]);
      assert.notEqual(await readRevision(second), revision);
      assert.deepEqual(await readFacets(second), await readFacets(first));
      assert.equal((await readFacets(second)).length, 3);
      const { files, values } = openTestStores(second);
      assert.equal((await files.records.findParked(PARKED.key, '1'))?.size, 3_000_000_000);
      assert.deepEqual(await values.find('a'), ['Ä']);
      await checkCounting(second);
    });

for (const { engine, name, skip } of ENGINES)
  test(`an interrupted copy to ${name} leaves nothing`, { skip }, async (t) => {
    const first = await openFilled('sqlite');
    const second = await openTestDatabase(t, engine);
    const onProgress = (table: string) => {
      if (table === 'item_tags') throw new Error('stopped');
    };
    await assert.rejects(copyDatabase(first, second, { onProgress }), /stopped/);
    const third = await openTestDatabase(t, engine);
    await assert.rejects(copyDatabase(first, third, { onProgress }), /stopped/);
    await checkCounting(third);
    assert.equal(
      (await copyDatabase(first, second)).find((one) => one.name === 'items')?.rows,
      ITEMS,
    );
  });

test('a copy to PostgreSQL counts locations and tags once, not after each batch', {
  skip: ENGINES[1].skip,
}, async (t) => {
  const first = await openFilled('sqlite');
  // With options of its own, so with connections that count nothing from before.
  const second = await openTestDatabase(t, 'postgres', { timeout: 20_000 });
  let updates: unknown;
  const write: Database['write'] = (work) =>
    second.write(async (transaction) => {
      const made = await work(transaction);
      const { rows } = await sql<{ updates: number }>`select
        pg_stat_get_xact_tuples_updated('item_facets'::regclass) as updates`.execute(transaction);
      updates = rows[0]?.updates;
      return made;
    });
  await copyDatabase(first, { ...second, write });
  // The keys of “Büro” and “ä”.
  assert.equal(updates, 2);
});
