/** The framework's stores with tables of their own, on both engines. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import {
  createMemorySessionStore,
  createRouter,
  defineForm,
  loadSession,
  localPath,
  type OnceContext,
  onlyOnce,
  passwordField,
  readForm,
  type SessionUser,
  text,
  textField,
} from 'seeother';
import {
  type Connection,
  createReceiptStore,
  createSessionStore,
  type Database,
} from 'seeother/database';
import { openPostgres, parsePostgresUrl } from 'seeother/postgres';
import { openSqlite } from 'seeother/sqlite';
import {
  describeReceiptStore,
  describeSessionStore,
  post,
  type TypedFields,
} from 'seeother/testing';
import { createTestFolder, ENGINES, PATIENT } from '../testing/open-test-database.ts';
import { createBarePostgresDatabase } from '../testing/postgres/cluster.ts';

type Users = readonly [SessionUser, SessionUser];
const USERS: Users = [
  { id: 1, name: 'ada' },
  { id: 2, name: 'bo' },
];
const TEXT_USERS: Users = [
  { id: 'a1', name: 'ada', version: 'v1' },
  { id: 'b2', name: 'bo', version: 'v2' },
];

/** An empty database; the function opens it, each time as another instance. */
async function createDatabase(
  t: Pick<TestContext, 'after'>,
  engine: Database['engine'],
): Promise<() => Promise<Database>> {
  const opened: Database[] = [];
  const closeAll = () => Promise.all(opened.map((database) => database.close()));
  const keep = (database: Database) => {
    opened.push(database);
    return database;
  };
  if (engine === 'sqlite') {
    const file = join(createTestFolder(t), 'test.db');
    t.after(closeAll);
    return async () => keep(await openSqlite(file, PATIENT));
  }
  const { url, drop } = await createBarePostgresDatabase();
  t.after(async () => {
    await closeAll();
    await drop();
  });
  return async () => keep(await openPostgres(parsePostgresUrl(url), PATIENT));
}

const EARLIER = 'a'.repeat(64);

for (const { engine, name, skip } of ENGINES) {
  if (skip) continue;
  for (const users of [USERS, TEXT_USERS])
    describeSessionStore(
      `createSessionStore on ${name}, ids of type ${typeof users[0].id}`,
      async (t) => createSessionStore(await (await createDatabase(t, engine))()),
      users,
      { theme: 'dark' },
    );

  describeReceiptStore<Connection>(`createReceiptStore on ${name}`, async (t) => {
    const database = await (await createDatabase(t, engine))();
    await database.write(({ run }) => run('create table notes (text text not null)'));
    return {
      store: createReceiptStore(database),
      async write({ run }, text) {
        await run(`insert into notes values ('${text}')`);
      },
      async written() {
        const { rows } = await database.read.run('select text from notes order by text');
        return rows.map(({ text }) => String(text));
      },
    };
  });

  test(`two instances that start concurrently create the tables, and share receipts and sessions (${name})`, async (t) => {
    const open = await createDatabase(t, engine);
    const [one, other] = [await open(), await open()];
    const key = { owner: 1, once: 'page', digest: 'a'.repeat(64) };
    const paths = await Promise.all(
      [one, other].map((database, index) =>
        createReceiptStore(database).carryOut(key, async () => `/${index}`),
      ),
    );
    assert.equal(new Set(paths).size, 1);
    assert.equal(await createReceiptStore(other).find(key), paths[0]);
    const lists = await Promise.all(
      [one, other].map((database) => createSessionStore(database).list(1, new Date())),
    );
    assert.deepEqual(lists, [[], []]);
  });

  test(`a form that a version before the digest of pairs has carried out is not carried out again (${name})`, async (t) => {
    const receipts = createReceiptStore(await (await createDatabase(t, engine))());
    const note = textField({ label: 'Note', maxLength: 99 });
    const password = passwordField({
      label: 'Password',
      required: 'x',
      minLength: 1,
      maxLength: 9,
    });
    const paths: string[] = [];
    const once = async (work: OnceContext<Connection>['once']) =>
      work(async () => localPath(`/${paths.push('')}`));
    const site = createRouter()
      .use(loadSession({ store: createMemorySessionStore() }))
      .post(
        '/notes',
        readForm(defineForm({ added: note, text: note, place: note })),
        onlyOnce(receipts),
        (context) => once(context.once),
      )
      .post(
        '/secret',
        readForm(defineForm({ password, added: note })),
        onlyOnce(receipts),
        (context) => (context.repeated ? once(context.once) : text('not repeated', 500)),
      );
    const carryOut = (path: string, texts: readonly (string | null)[]) => {
      const digest = createHash('sha256')
        .update(JSON.stringify([path, ...texts]))
        .digest('hex');
      return receipts.carryOut({ owner: 0, once: 'page', digest }, async () => `${path}/old`);
    };
    await carryOut('/notes', ['Chair', '']);
    await carryOut('/secret', ['', null]);
    const placeOf = async (path: string, fields: TypedFields) =>
      (await site.handle(post(path, { ...fields, _once: 'page' }))).headers['Location'];
    assert.equal(await placeOf('/notes', { text: 'Chair' }), '/notes/old');
    assert.equal(await placeOf('/notes', { text: 'Chair', place: '' }), '/notes/old');
    assert.equal(await placeOf('/secret', { password: 'x' }), '/secret/old');
    assert.deepEqual(paths, []);
    assert.equal(await placeOf('/notes', { text: 'Table' }), '/1');
  });

  test(`earlier digests are looked for until the oldest receipt is of this version (${name})`, async (t) => {
    const database = await (await createDatabase(t, engine))();
    const receipts = createReceiptStore(database);
    let read = 0;
    const keyOf = (once: string, digest: string) => ({
      owner: 0,
      once,
      digest,
      get earlierDigests() {
        read++;
        return [EARLIER];
      },
    });
    await receipts.carryOut({ owner: 0, once: 'old', digest: EARLIER }, async () => '/old');
    await receipts.carryOut(keyOf('new', 'pairs:1'), async () => '/new');
    const old = keyOf('old', 'pairs:2');
    assert.equal(await receipts.find(old), '/old');
    assert.equal(await receipts.carryOut(old, async () => '/again'), '/old');
    assert.equal(read, 3);
    const other = createReceiptStore(database);
    const remove = "delete from seeother_receipts where once = 'old'";
    await database.write(async ({ run }) => void (await run(remove, [])));
    assert.equal(await other.find(keyOf('new', 'pairs:1')), '/new');
    assert.equal(await other.find(keyOf('none', 'pairs:1')), null);
    assert.equal(await other.carryOut(old, async () => '/again'), '/again');
    assert.equal(read, 3);
  });
}
