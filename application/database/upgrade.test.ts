/** A database that another version of the application has left. */
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { createSite, createToken, html, page, toTokenKey } from 'seeother';
import { createAccounts } from 'seeother/accounts';
import { bodyText, createVisitor } from 'seeother/testing';
import { ChangeRefused } from '../items/events/change-refused.ts';
import { createFacetList } from '../items/facets/facet-list.ts';
import { undoEvent } from '../items/history/undo-event.ts';
import { createItems } from '../items/item.ts';
import { indexOldItems } from '../items/item-search.ts';
import { makeMissingPlaces } from '../items/place.ts';
import { createPlaces } from '../items/places/place-model.ts';
import { countItem } from '../items/quantity/count-item.ts';
import { lockItem, updateItems } from '../items/stored-item.ts';
import { StartError } from '../settings/start-error.ts';
import { fileOf } from '../testing/create-test-database.ts';
import { dumpDatabase } from '../testing/dump-database.ts';
import { createTestFolder, REPEATED } from '../testing/open-test-database.ts';
import { createBarePostgresDatabase, runSql } from '../testing/postgres/cluster.ts';
import { copyBeforeMigration } from './copy-sqlite-file.ts';
import { nextNumber } from './counter.ts';
import type { Database, KyselyTransaction } from './kysely.ts';
import { MIGRATIONS } from './migrations/list.ts';
import { type OpenOptions, openDatabase } from './open-database.ts';

/** The migrations of a newer version. */
const NEWER: typeof MIGRATIONS = {
  ...MIGRATIONS,
  '9998-later': async () => ({ up: createTable('later') }),
  '9999-latest': async () => ({ up: createTable('latest') }),
};

function createTable(name: string) {
  return async (database: Kysely<unknown>) => {
    await sql`create table ${sql.table(name)} (id integer primary key)`.execute(database);
  };
}

async function createUrl(t: TestContext, engine: Database['engine']): Promise<string> {
  if (engine === 'sqlite') return `sqlite:${join(createTestFolder(t), 'application.db')}`;
  const { url, drop } = await createBarePostgresDatabase();
  t.after(drop);
  return url;
}

/** Opens and closes; what was reported meanwhile. */
async function open(url: string, options: OpenOptions = {}): Promise<readonly string[]> {
  const reports: string[] = [];
  const report = ({ message }: { readonly message: string }) => reports.push(message);
  await (await openDatabase(url, { ...options, report })).close();
  return reports;
}

/** As every version before 0.2.0 has left it, as far as this one looks. */
async function createEarlier(url: string): Promise<void> {
  const create = `create table kysely_migration (name varchar(255) primary key, timestamp varchar(255));
    insert into kysely_migration (name) values ('0027-item-sources'), ('0001-first-tables')`;
  await runStatement(url, create);
}

async function runStatement(url: string, text: string): Promise<void> {
  if (!url.startsWith('sqlite:')) await runSql(url, text);
  else {
    const file = new DatabaseSync(fileOf(url));
    file.exec(text);
    file.close();
  }
}

/** In ISO 8601, so many days from now. */
function later(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

/** The framework's accounts on the tables of the application; visitors of the site. */
async function openSite(t: TestContext, url: string) {
  const database = await openDatabase(url);
  t.after(() => database.close());
  const { door, write } = database;
  const accounts = createAccounts<KyselyTransaction, 'reader' | 'member' | 'administrator'>(
    { ...door, write },
    {
      layout: (title, main) => html`<title>${title}</title>${main}`,
      roles: ['reader', 'member', 'administrator'],
      registration: 'invitation',
      passwords: { hashes: { algorithm: 'scrypt', scrypt: { ln: 1, r: 8, p: 1 } } },
      tables: {
        ...{ accounts: 'accounts', sessions: 'sessions' },
        ...{ devices: 'devices', attempts: 'failed_log_ins' },
        nextId: (transaction) => nextNumber(transaction, 'accounts'),
      },
    },
  );
  const site = accounts
    .addTo(createSite(accounts.stores, { log: false, errors: { report: () => {} } }))
    .get('/', ({ session, flash }) =>
      page(html`${flash} ${session?.user.name}, ${session?.user.role}`),
    );
  return () => createVisitor(site);
}

/** The driver returns a bigint of PostgreSQL as text. */
function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

for (const { engine, name, skip } of REPEATED) {
  test(`an older ${name} database is migrated with a line for each migration, a new one silently`, {
    skip,
  }, async (t) => {
    const url = await createUrl(t, engine);
    assert.deepEqual(await open(url), []);
    const lines = await open(url, { migrations: NEWER });
    assert.deepEqual(lines.slice(0, 2), [
      'Migrated the database: 9998-later has run.',
      'Migrated the database: 9999-latest has run.',
    ]);
    assert.deepEqual(await open(url, { migrations: NEWER }), []);
  });

  test(`the items of a ${name} database of 0.2.0 have no serial number and no product code, and can get both`, {
    skip,
  }, async (t) => {
    const url = await createUrl(t, engine);
    const [[first = '', create] = []] = Object.entries(MIGRATIONS);
    await open(url, { migrations: { [first]: create ?? assert.fail() } });
    const stored = `insert into accounts (id, username, username_key, password_hash, created_at)
      values (1, 'ada', 'ada', 'none', 'then');
      insert into items (number, name, description, quantity, location, created_at, updated_at, version)
      values (1, 'Drill', '', 1, '', 'then', 'then', 1)`;
    await runStatement(url, stored);
    assert.match((await open(url)).join(), /0002-item-serial has run/);
    const database = await openDatabase(url);
    t.after(() => database.close());
    const items = createItems(database);
    assert.equal((await items.find(1))?.serial, '');
    assert.equal((await items.find(1))?.code, '');
    await database.write(async (transaction) => {
      const before = (await lockItem(transaction, 1)) ?? assert.fail();
      const after = { ...before, serial: 'SN-7', code: '4006381333931', version: 2 };
      await updateItems(transaction, [{ before, after }], { author: 1, at: 'now' });
    });
    assert.equal((await items.find(1))?.serial, 'SN-7');
    assert.equal((await items.find(1))?.code, '4006381333931');
  });

  test(`the items of an older ${name} database are found and sorted as new ones`, {
    skip,
  }, async (t) => {
    const url = await createUrl(t, engine);
    const all = Object.entries(MIGRATIONS);
    const older = Object.fromEntries(all.filter(([migration]) => migration < '0005'));
    await open(url, { migrations: older });
    const rows = Array.from({ length: 1_200 }, (_, at) => {
      const name = at === 0 ? 'Äpfel' : `Box ${at + 1}`;
      return `(${at + 1}, '${name}', 'mit Akku', 1, 'Office,drawer', 'then', 'then', 1)`;
    });
    const stored = `insert into items
      (number, name, description, quantity, location, created_at, updated_at, version)
      values ${rows.join()};
      insert into item_tags (item_number, position, tag) values (1, 0, 'green'), (1, 1, 'GREEN'), (1, 2, 'old');
      insert into counters (name, value) values ('items', 1200);
      update items set lent_to = 'Bo' where number = 2`;
    await runStatement(url, stored);
    assert.match((await open(url)).join(), /0005-order-and-rank has run/);
    const database = await openDatabase(url);
    t.after(() => database.close());
    const stop = new Error('killed');
    let batches = 0;
    const write: typeof database.write = (work) => {
      if (batches++ === 1) throw stop;
      return database.write(work);
    };
    await assert.rejects(indexOldItems({ write }), stop);
    // An older instance that still runs writes another one.
    await runStatement(url, `update items set name_key = null, name = 'Apfel' where number = 3`);
    assert.equal(await indexOldItems(database), 701);
    assert.equal(await indexOldItems(database), 0);
    const items = createItems(database);
    const names = async (query: Parameters<typeof items.list>[1]) =>
      (await items.list(1, query)).items.map((item) => item.name);
    assert.deepEqual((await names({ order: 'name' })).slice(0, 4), [
      'Apfel',
      'Äpfel',
      'Box 2',
      'Box 4',
    ]);
    assert.deepEqual(await names({ search: 'akku äpfel' }), ['Apfel', 'Äpfel']);
    assert.deepEqual((await names({ search: 'bo', seesBorrowers: true }))[0], 'Box 1200');
    assert.deepEqual(await names({ search: 'akku bo 2', seesBorrowers: true }), ['Box 2']);
    assert.deepEqual((await items.find(1))?.tags, ['green', 'old']);
    const places = await createFacetList(database).page('location', 9);
    assert.deepEqual(places.names, [{ name: 'Office,drawer', items: 1_200, inside: 0 }]);
    assert.equal((await items.list(1, { location: 'office, DRAWER' })).itemCount, 1_200);
  });

  test(`the locations of an older ${name} database, and of an older instance that still runs, become places`, {
    skip,
  }, async (t) => {
    const url = await createUrl(t, engine);
    const older = Object.entries(MIGRATIONS).filter(([migration]) => migration < '0012');
    await open(url, { migrations: Object.fromEntries(older) });
    const add = (numbers: readonly number[], toLocation: (number: number) => string) =>
      runStatement(
        url,
        `insert into items (number, name, description, quantity, location, created_at, updated_at, version)
          values ${numbers.map((number) => `(${number}, 'Box', '', 1, '${toLocation(number)}', 'then', 'then', 1)`).join()}`,
      );
    const numbers = Array.from({ length: 1_100 }, (_, at) => at + 1);
    await add(numbers, (number) => (number % 2 === 0 ? `Cellar,shelf ${number}` : 'cellar'));
    assert.match((await open(url)).join(), /0012-places has run/);
    const database = await openDatabase(url);
    t.after(() => database.close());
    const places = createPlaces(database);
    const inCellar = async () => {
      const cellar = (await places.idsOf(['Cellar'])).get('Cellar') ?? 0;
      const { items = 0, inside = 0, places: within = 0 } = (await places.find(cellar)) ?? {};
      return [items, inside, within];
    };
    const stop = new Error('killed');
    let batches = 0;
    const write: typeof database.write = (work) => {
      if (batches++ === 1) throw stop;
      return database.write(work);
    };
    await assert.rejects(makeMissingPlaces({ read: database.read, write }), stop);
    await makeMissingPlaces(database);
    assert.deepEqual(await inCellar(), [550, 550, 550]);
    assert.equal(await makeMissingPlaces(database), 0);
    await add([1_101], () => 'Cellar, Büro');
    assert.equal(await makeMissingPlaces(database), 1);
    assert.deepEqual(await inCellar(), [550, 551, 551]);
  });

  test(`what an older ${name} database has lent is lent as a whole, and its history is undone`, {
    skip,
  }, async (t) => {
    const url = await createUrl(t, engine);
    const older = Object.entries(MIGRATIONS).filter(([migration]) => migration < '0007');
    await open(url, { migrations: Object.fromEntries(older) });
    const at = '2026-11-20T12:00:00.000Z';
    const loan = (to: string) => `{"to":"${to}","until":"2026-12-03","at":"${at}"}`;
    const event = (id: number, number: number, kind: string, changes: string, snapshot = 'null') =>
      `(${id}, ${number}, 'Thing', ${id + 1}, '${at}', 1, '${kind}', '', '${changes}', ${snapshot})`;
    const gone = `'{"number":3,"name":"Thing","quantity":5,"tags":[],"version":1,"createdAt":"${at}","createdBy":null,"loan":${loan('Di')}}'`;
    await runStatement(
      url,
      `insert into accounts (id, username, username_key, password_hash, created_at)
        values (1, 'ada', 'ada', 'none', '${at}');
      insert into items (number, name, description, quantity, location, created_at, updated_at, version,
          lent_to, lent_until, lent_at)
        values (1, 'Thing', '', 7, '', '${at}', '${at}', 2, 'Bo', '2026-12-03', '${at}'),
          (2, 'Thing', '', 0, '', '${at}', '${at}', 3, 'Cy', null, '${at}');
      insert into counters (name, value) values ('items', 3), ('item events', 4);
      insert into item_gaps (block, gone) values (0, 1);
      insert into item_events
        (id, item_number, item_name, version, at, account_id, kind, reason, changes, snapshot)
        values ${[
          event(1, 1, 'lent', `{"loan":[null,${loan('Bo')}]}`),
          event(2, 2, 'returned', `{"loan":[${loan('Bo')},null]}`),
          event(3, 3, 'deleted', '{}', gone),
          event(4, 1, 'returned', `{"loan":[${loan('Ed').replace('20T', '19T')},null]}`),
        ].join()}`,
    );
    assert.match((await open(url)).join(), /0007-loans has run/);
    const database = await openDatabase(url);
    t.after(() => database.close());
    const items = createItems(database);
    const loans = async (number: number) =>
      (await items.find(number))?.loans.map(({ to, until, quantity }) => [to, until, quantity]);
    assert.deepEqual(await loans(1), [['Bo', '2026-12-03', 7]]);
    assert.deepEqual(await loans(2), [['Cy', null, 1]]);
    assert.deepEqual(await items.countStatuses(), { lent: 2, overdue: 0, low: 0 });
    const undo = (number: number, id: number) =>
      database.write((transaction) => undoEvent(transaction, number, id, 1));
    await assert.rejects(undo(1, 4), ChangeRefused, 'all are lent to another one');
    await undo(1, 1);
    assert.deepEqual(await loans(1), []);
    await undo(1, 4);
    assert.deepEqual(await loans(1), [['Ed', '2026-12-03', 7]]);
    await undo(3, 3);
    assert.deepEqual(await loans(3), [['Di', '2026-12-03', 5]]);
    const take = (by: number) =>
      database.write((transaction) => countItem(transaction, 2, { by, reason: '' }, 1));
    await assert.rejects(take(-1), ChangeRefused);
    await take(1);
    assert.deepEqual(await loans(2), [['Cy', null, 1]], 'of none, one may stay lent');
  });

  test(`the accounts of a ${name} database of 0.2.0 have a handle each, as later ones do`, {
    skip,
  }, async (t) => {
    const url = await createUrl(t, engine);
    const older = Object.entries(MIGRATIONS).filter(([migration]) => migration < '0008');
    await open(url, { migrations: Object.fromEntries(older) });
    const account = (id: number) => `insert into accounts
      (id, username, username_key, password_hash, created_at)
      values (${id}, 'ada${id}', 'ada${id}', 'none', 'then')`;
    await runStatement(url, `${account(1)}; ${account(2)}`);
    assert.match((await open(url)).join(), /0008-accounts has run/);
    await runStatement(url, `${account(3)}; ${account(4)}`);
    const { accounts = [] } = await dumpDatabase(url);
    const handles = accounts.map(({ handle }) => String(handle));
    assert.equal(new Set(handles).size, 4);
    for (const handle of handles) assert.match(handle, /^[0-9a-f-]{32,36}$/);
    const [{ email, email_key, version, totp, totp_step, second_factor } = {}] = accounts;
    assert.deepEqual(
      [email, email_key, Number(version), totp, Number(totp_step), second_factor],
      [null, null, 1, null, 0, 0],
    );
  });

  test(`links and notices of a ${name} database of 0.2.0 are those of the framework's accounts`, {
    skip,
  }, async (t) => {
    const url = await createUrl(t, engine);
    const older = Object.entries(MIGRATIONS).filter(([migration]) => migration < '0008');
    await open(url, { migrations: Object.fromEntries(older) });
    const [soon, past, then] = [later(1), later(-1), '2026-11-20T12:00:00.000Z'];
    const tokens = Array.from({ length: 7 }, () => createToken());
    const keys = tokens.map((token) => `'${toTokenKey(token)}'`);
    // Ada has made links; Bo has one, Cy's has expired, Di is disabled, and the maker of Ed's link is not there.
    await runStatement(
      url,
      `insert into accounts (id, username, username_key, password_hash, created_at, role, disabled_at,
          password_expires_at, reset_key, reset_ends_at, reset_by)
        values (1, 'Ada', 'ada', 'none', '${then}', 'administrator', null, null, null, null, null),
          (2, 'Bo', 'bo', 'none', '${then}', 'member', null, '${soon}', ${keys[0]}, '${soon}', 1),
          (3, 'Cy', 'cy', 'none', '${then}', 'reader', null, null, ${keys[1]}, '${past}', 1),
          (4, 'Di', 'di', 'none', '${then}', 'member', '${then}', null, ${keys[2]}, '${soon}', 1),
          (5, 'Ed', 'ed', 'none', '${then}', 'member', null, null, ${keys[3]}, '${soon}', 9);
      insert into counters (name, value) values ('accounts', 5);
      insert into invitations (key, created_at, created_by, ends_at, role, name, token)
        values (${keys[4]}, '${then}', 1, '${soon}', 'reader', 'Ä "Fay"', '${tokens[4]}'),
          (${keys[5]}, '${then}', null, '${soon}', 'member', '', null),
          (${keys[6]}, '${then}', 1, '${past}', 'member', 'Late', '${tokens[6]}');
      insert into account_notices (account_id, kind, at, detail)
        values (2, 'role', '${then.replace('12:', '13:')}', 'member'), (2, 'password', '${then}', 'reset'),
          (3, 'password', '${then}', 'changed'), (5, 'password', '${then}', 'link')`,
    );
    assert.match((await open(url)).join(), /0008-accounts has run/);
    const dump = await dumpDatabase(url);
    const rows = (table: string) => dump[table] ?? assert.fail(table);
    const found = rows('seeother_account_tokens').map((row) => [
      tokens.findIndex((token) => toTokenKey(token) === row['key']),
      ...[row['kind'], row['account_id'], row['made_by']].map(toNumber),
      JSON.parse(String(row['data'])),
      row['ends_at'] === soon ? 'open' : 'expired',
    ]);
    const invited = (role: string, to: string, by: string) => ({ email: null, role, to, by });
    assert.deepEqual(
      found.toSorted((one, other) => one[0] - other[0]),
      [
        [0, 'new password', 2, 1, {}, 'open'],
        [1, 'new password', 3, 1, {}, 'expired'],
        [3, 'new password', 5, null, {}, 'open'],
        [4, 'invitation', null, 1, invited('reader', 'Ä "Fay"', 'Ada'), 'open'],
        [5, 'invitation', null, null, invited('member', '', 'terminal'), 'open'],
        [6, 'invitation', null, 1, invited('member', 'Late', 'Ada'), 'expired'],
      ],
    );
    assert.ok(
      rows('seeother_account_tokens').every(
        (row) => !Number.isNaN(Date.parse(String(row['created_at']))),
      ),
    );
    assert.deepEqual(
      rows('seeother_account_events').map(({ account_id, kind, detail, untold }) =>
        [account_id, kind, detail, untold].map(toNumber),
      ),
      [
        [2, 'password reset', '', 1],
        [3, 'password changed', '', 1],
        [5, 'password reset', '', 1],
        [2, 'role changed', 'member', 1],
      ],
    );
    assert.ok(!JSON.stringify(dump).includes(tokens[4] ?? ''), 'no table has a token');
    const bo = rows('accounts').find(({ username }) => username === 'Bo');
    assert.deepEqual([bo?.['password_expires_at'], bo?.['role']], [soon, 'member']);
    assert.equal(rows('accounts').find(({ username }) => username === 'Di')?.['disabled_at'], then);

    const visit = await openSite(t, url);
    const opens = async (path: string, at: number) =>
      (await visit().get(`${path}?token=${tokens[at]}`)).status === 200;
    for (const [at, isOpen] of [true, false, false, true].entries())
      assert.equal(await opens('/password/new', at), isOpen, `link ${at}`);
    for (const [at, isOpen] of [true, true, false].entries())
      assert.equal(await opens('/register', 4 + at), isOpen, `invitation ${at}`);
    const [password, fay, first, second] = ['three words in a row', visit(), visit(), visit()];
    const chosen = { password, passwordagain: password };
    await fay.submit(`/register?token=${tokens[4]}`, { username: 'fay', ...chosen });
    assert.match(bodyText(await fay.get('/')), /fay, reader/);
    assert.equal(await opens('/register', 4), false, 'it works once');
    await first.submit(`/password/new?token=${tokens[0]}`, chosen);
    const told = bodyText(await first.get('/'));
    assert.match(told, /Bo, member/);
    assert.equal(told.match(/The role was changed/g)?.length, 1);
    await second.submit('/login', { username: 'bo', password });
    const again = bodyText(await second.get('/'));
    assert.match(again, /Bo, member/);
    assert.doesNotMatch(again, /changed|reset/);
  });

  test(`a ${name} database of a newer version is refused with an explanation, and accepted on request`, {
    skip,
  }, async (t) => {
    const url = await createUrl(t, engine);
    await open(url, { migrations: NEWER });
    await assert.rejects(open(url), (error) => {
      assert.ok(error instanceof StartError);
      assert.match(
        error.message,
        /: migrations: 9998-later is not known here, so a newer version has used this database\. Start that version\.$/,
      );
      return true;
    });
    const [line, ...others] = await open(url, { acceptsNewer: true });
    assert.match(line ?? '', /9998-later is not known here.* migrations only add\.$/);
    assert.deepEqual(others, []);
  });

  test(`a ${name} database from before the first release is refused, and stays as it is`, {
    skip,
  }, async (t) => {
    const url = await createUrl(t, engine);
    await createEarlier(url);
    const before = await dumpDatabase(url);
    for (const acceptsNewer of [false, true])
      await assert.rejects(open(url, { acceptsNewer }), (error) => {
        assert.ok(error instanceof StartError);
        assert.match(
          error.message,
          /: migrations: this database is from before 0\.2\.0, .* commit [0-9a-f]{10} is the last that opens it, and the CSV file .* can be imported here\.$/,
        );
        return true;
      });
    assert.deepEqual(await dumpDatabase(url), before);
  });
}

test('a SQLite file is copied before its migration, and the copy is private', async (t) => {
  const url = await createUrl(t, 'sqlite');
  await open(url);
  const before = await dumpDatabase(url);
  const [, , line = ''] = await open(url, { migrations: NEWER });
  const copy = /^The database as it was before is in (.+)\.$/.exec(line)?.[1] ?? '';
  const folder = dirname(fileOf(url));
  assert.equal(dirname(copy), folder);
  assert.match(basename(copy), /^application-before-9998-later-\d{4}-\d\d-\d\dT\d{6}Z\.db$/);
  if (process.platform !== 'win32') assert.equal(statSync(copy).mode & 0o777, 0o600);
  assert.deepEqual(await dumpDatabase(`sqlite:${copy}`), before);
});

test('a migration that fails repeatedly leaves one copy', async (t) => {
  const url = await createUrl(t, 'sqlite');
  await open(url);
  for (let count = 0; count < 3; count++) await copyBeforeMigration(fileOf(url), '9999-later');
  const files = readdirSync(dirname(fileOf(url)));
  assert.deepEqual(
    files.filter((file) => file.includes('before')),
    ['application.db.before-migration'],
  );
});
