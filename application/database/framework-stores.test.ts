/** The framework's stores on both engines, in tables of their own and in those of the application. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  createSite,
  defineForm,
  formPage,
  html,
  localPath,
  type SessionUser,
  seeOther,
  startSession,
  withSession,
} from 'seeother';
import {
  type Connection,
  createRateStore,
  createStores,
  type Database,
  type WriteTransaction,
} from 'seeother/database';
import { textField } from 'seeother/fields';
import { stepPages, steps } from 'seeother/steps';
import {
  bodyText,
  createVisitor,
  describeReceiptStore,
  describeSessionStore,
  describeValueStore,
  hiddenFields,
  type TypedFields,
  type Visitor,
} from 'seeother/testing';
import { describeRateStore } from '../../framework/src/middleware/rate-store.contract.ts';
import { describeFileRecords } from '../../framework/src/upload/file-records.contract.ts';
import type { SessionUser as Member } from '../site/session-user.ts';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { addAccount, ENGINES, openTestDatabase } from '../testing/open-test-database.ts';
import { openTestStores, toTestUser } from '../testing/open-test-stores.ts';
import type { KyselyTransaction } from './kysely.ts';

const USERS: readonly [Member, Member] = [toTestUser(1, 'ada'), toTestUser(2, 'bo')];
const TEXT_USERS: readonly [SessionUser, SessionUser] = [
  { id: 'a1', name: 'ada', version: 'v1' },
  { id: 'b2', name: 'bo', version: 'v2' },
];

/** The function opens the same empty database, each time as another instance. */
const createDatabase = async (t: Pick<TestContext, 'after'>, engine: Database['engine']) =>
  (await createBareDatabase(t, engine)).open;

for (const { engine, name, skip } of ENGINES) {
  if (skip) continue;
  describeSessionStore(
    `sessions on ${name}`,
    async (t) => createStores(await (await createDatabase(t, engine))()).sessions,
    TEXT_USERS,
  );
  describeSessionStore(
    `sessions in the table of the application on ${name}`,
    async (t) => {
      const database = await openTestDatabase(t, engine);
      for (const { id, name } of USERS) await addAccount(database, id, name);
      return openTestStores(database).sessions;
    },
    USERS,
  );

  describeFileRecords<WriteTransaction>(`files on ${name}`, async (t) => {
    const database = await (await createDatabase(t, engine))();
    return { records: createStores(database).files.records, write: database.write };
  });

  describeReceiptStore<Connection>(`receipts on ${name}`, async (t) => {
    const database = await (await createDatabase(t, engine))();
    await database.write(({ run }) => run('create table notes (text text not null)'));
    return {
      store: createStores(database).receipts,
      async write({ run }, text) {
        await run(`insert into notes values ('${text}')`);
      },
      async written() {
        const { rows } = await database.read.run('select text from notes order by text');
        return rows.map(({ text }) => String(text));
      },
    };
  });

  describeReceiptStore<KyselyTransaction>(
    `receipts in the table of the application on ${name}`,
    async (t) => {
      const database = await openTestDatabase(t, engine);
      return {
        store: openTestStores(database).receipts,
        // Any table will do.
        async write(transaction, text) {
          await transaction.insertInto('counters').values({ name: text, value: 1 }).execute();
        },
        async written() {
          const rows = await database.read.selectFrom('counters').select('name').execute();
          return rows.map(({ name }) => name).toSorted();
        },
      };
    },
  );

  describeValueStore(
    `values on ${name}`,
    async (t) => createStores(await (await createDatabase(t, engine))()).values,
  );

  describeRateStore(`rates on ${name}`, async (t) =>
    createRateStore(await (await createDatabase(t, engine))(), 'notes'),
  );

  test(`two instances count together, also after a restart, and apart from other limits (${name})`, async (t) => {
    const open = await createDatabase(t, engine);
    const instances = [await open(), await open()];
    const bucket = { key: 'ada', max: 10 };
    const take = (database: Database, limit = 'log in') =>
      createRateStore(database, limit).take([{ key: 'all', max: 50 }, bucket], 3_600_000);
    const taken = await Promise.all(
      Array.from({ length: 40 }, (_, at) => take(instances[at % 2] as Database)),
    );
    assert.equal(taken.filter((empty) => empty === null).length, 10);
    assert.equal((await take(await open()))?.key, 'ada');
    assert.equal(await take(await open(), 'sign up'), null);
  });

  test(`full buckets are removed (${name})`, async (t) => {
    const database = await (await createDatabase(t, engine))();
    const store = createRateStore(database, 'notes');
    const now = Date.now();
    const clock = t.mock.method(Date, 'now', () => now);
    for (let at = 0; at < 100; at++) await store.take([{ key: `${at}`, max: 1 }], 1_000);
    clock.mock.mockImplementation(() => now + 1_000);
    await store.take([{ key: 'last', max: 1 }], 3_600_000);
    const { rows } = await database.read.run('select key from seeother_rates');
    assert.deepEqual(rows, [{ key: 'notes last' }]);
  });

  test(`a value that is stored in a transaction ends with it (${name})`, async (t) => {
    const database = await (await createDatabase(t, engine))();
    const { values } = createStores(database);
    const putTwo = async (transaction: WriteTransaction) => {
      await values.put('a', 1, null, transaction);
      assert.equal(await values.find('a', transaction), 1);
      await values.put('b', 2, null, transaction);
    };
    const rolledBack = database.write(async (transaction) => {
      await putTwo(transaction);
      throw new Error('rolled back');
    });
    await assert.rejects(rolledBack, /rolled back/);
    assert.equal(await values.find('a'), null);
    await database.write(putTwo);
    await database.write((transaction) => values.remove('a', transaction));
    assert.equal(await values.find('a'), null);
    assert.equal(await values.find('b'), 2);
  });

  test(`a value that is read in transactions is changed by one after another (${name})`, async (t) => {
    const open = await createDatabase(t, engine);
    const instances = [await open(), await open()];
    const stores = instances.map((database) => ({ database, ...createStores(database) }));
    for (const [at, { values }] of stores.entries()) {
      await values.put('stored', 0, null);
      await values.put('expired', 9, new Date(at));
    }
    const addOne = ({ database, values }: (typeof stores)[number], key: string) =>
      database.write(async (transaction) => {
        const count = Number(await values.find(key, transaction));
        await setTimeout(5);
        await values.put(key, count + 1, null, transaction);
      });
    for (const key of ['stored', 'expired', 'new']) {
      await Promise.all([...stores, ...stores, ...stores].map((one) => addOne(one, key)));
      assert.equal(await stores[1]?.values.find(key), 6, key);
    }
    // Whoever finds nothing, and stores nothing, leaves nothing.
    const { values } = createStores(instances[0] as Database);
    await instances[0]?.write((transaction) => values.find('none', transaction));
    assert.equal(await values.find('none'), null);
  });

  test(`a form in steps, answered on two instances at once, loses no answer and is sent once (${name})`, async (t) => {
    const open = await createDatabase(t, engine);
    const databases = [await open(), await open()];
    await databases[0]?.write(({ run }) => run('create table notes (text text not null)'));
    const one = (label: string) => defineForm({ text: textField({ label, maxLength: 9 }) });
    const order = steps()
      .step('first', one('First'), { title: 'First' })
      .step('second', one('Second'), { title: 'Second' });
    const sites = databases.map((database) =>
      stepPages(createSite(createStores(database), { log: false }), '/book', order, {
        button: 'Send',
        show: ({ formHtml }) => html`<main>${formHtml}</main>`,
        async send({ answers: { first, second }, transaction: { run } }) {
          await run(`insert into notes values ('${first.text} ${second.text}')`);
          return localPath('/');
        },
      }),
    );
    // One browser, whose requests arrive at the instances in turn.
    let turn = 0;
    const visitor = createVisitor({
      handle: (request) => (sites[turn++ % 2] as (typeof sites)[number]).handle(request),
    });
    const started = String((await visitor.submit('/book', { text: 'a' })).headers['Location']);
    const first = started.replace('second', 'first');
    for (const text of ['b', 'c', 'd'])
      await Promise.all([visitor.submit(first, { text }), visitor.submit(started, { text })]);
    const check = started.replace('second', 'check');
    const fields = hiddenFields(bodyText(await visitor.get(check)));
    const sent = await Promise.all([1, 2, 3, 4].map(() => visitor.post(check, fields)));
    for (const { headers } of sent) assert.equal(headers['Location'], '/');
    assert.deepEqual((await databases[0]?.read.run('select text from notes'))?.rows, [
      { text: 'd d' },
    ]);
  });

  test(`text that was sent, and restored into a newer page, counts once while the first one runs (${name})`, async (t) => {
    const open = await createDatabase(t, engine);
    const databases = [await open(), await open()];
    await databases[0]?.write(({ run }) => run('create table notes (text text not null)'));
    const note = defineForm({ text: textField({ label: 'Note', maxLength: 9 }) });
    const sites = databases.map((database) =>
      formPage(
        createSite(createStores(database), { log: false }).post('/login', () =>
          withSession(seeOther(localPath('/')), startSession({ id: 'a', name: 'ada' })),
        ),
        '/',
        note,
        {
          button: 'Save',
          show: ({ formHtml }) => html`<main>${formHtml}</main>`,
          async send({ values, transaction: { run } }) {
            await run(`insert into notes values ('${values.text}')`);
            const { rows } = await run('select 1 from notes');
            return localPath(`/done/${rows.length}`);
          },
        },
      ),
    );
    for (const [done, isMember] of [false, true].entries()) {
      const [visitor, other] = sites.map((site) => createVisitor(site)) as [Visitor, Visitor];
      if (isMember) for (const one of [visitor, other]) await one.post('/login');
      const first = bodyText(await visitor.get('/'));
      const newer = bodyText(await other.get('/'));
      const send = async (one: Visitor, fields: TypedFields) =>
        (await one.post('/?send', { ...fields, text: 'milk' })).headers['Location'];
      // What a browser chooses again, and what is not disabled on the newer page.
      const chosen = [...first.matchAll(/<option selected>([^<]+)/g)].map(([, value]) => value);
      const enabled = [...newer.matchAll(/<option>([^<]+)/g)].map(([, value = '']) => value);
      const _page = enabled.filter((value) => chosen.includes(value));
      const restored = { ...hiddenFields(newer), _page };
      const answers = await Promise.all([
        send(visitor, hiddenFields(first)),
        send(other, restored),
        send(visitor, restored),
      ]);
      assert.deepEqual(
        new Set([...answers, await send(other, restored)]),
        new Set([`/done/${done + 1}`]),
      );
    }
  });

  test(`expired values are removed (${name})`, async (t) => {
    const database = await (await createDatabase(t, engine))();
    await createStores(database).values.put('old', 1, new Date(Date.now() - 1));
    // A process that has just started removes them with its first write.
    await createStores(database).values.put('new', 1, null);
    const { rows } = await database.read.run('select key from seeother_values');
    assert.deepEqual(
      rows.map(({ key }) => key),
      ['new'],
    );
  });

  test(`two instances that start concurrently create the tables, and share receipts and sessions (${name})`, async (t) => {
    const open = await createDatabase(t, engine);
    const [one, other] = [await open(), await open()];
    const key = { owner: 1, once: 'page', digest: 'a'.repeat(64) };
    const paths = await Promise.all(
      [one, other].map((database, index) =>
        createStores(database).receipts.carryOut(key, async () => `/${index}`),
      ),
    );
    assert.equal(new Set(paths).size, 1);
    assert.equal(await createStores(other).receipts.find(key), paths[0]);
    const lists = await Promise.all(
      [one, other].map((database) => createStores(database).sessions.list(1, new Date())),
    );
    assert.deepEqual(lists, [[], []]);
  });
}
