/** What accounts add to the requests of somebody who is logged in: nothing that is asked of the database. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createStores } from '../database/create-stores.ts';
import type { Database } from '../database/database.ts';
import { localPath } from '../http/href.ts';
import { seeOther, text, withSession } from '../http/response.ts';
import { requireSession } from '../session/require-session.ts';
import { startSession } from '../session/session-change.ts';
import { createSite } from '../site/create-site.ts';
import { openTestDatabase } from '../testing/test-folder.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';
import { createAccountSite } from './accounts-site.fixture.ts';

/** The statements that the requests run, each with how it is run. */
async function countStatements(
  database: Database,
  run: (counted: Database) => Promise<Visitor>,
  path = '/page',
) {
  const statements: string[] = [];
  const count = <Door extends { readonly run: unknown }>(door: Door, name: string): Door =>
    ({
      ...door,
      run(sql: string, ...others: unknown[]) {
        statements.push(name);
        return (door.run as (...all: unknown[]) => unknown)(sql, ...others);
      },
    }) as Door;
  const visitor = await run({
    ...database,
    read: count(database.read, 'read'),
    cachedRead: count(database.cachedRead, 'cached read'),
    write: (work) => {
      statements.push('write');
      return database.write(work);
    },
  });
  await visitor.get(path);
  statements.length = 0;
  for (let request = 0; request < 3; request++) {
    assert.equal((await visitor.get(path)).status, 200);
  }
  return statements;
}

test('a request of somebody who is logged in asks the database what it asks without accounts', async (t) => {
  const plain = await openTestDatabase(t);
  const without = await countStatements(plain.database, async (database) => {
    const site = createSite(createStores(database), { log: false })
      .post('/login', () =>
        withSession(seeOther(localPath('/page')), startSession({ id: 1, name: 'ada' })),
      )
      .get('/page', requireSession, () => text('A page.'));
    const visitor = createVisitor(site);
    await visitor.post('/login');
    return visitor;
  });
  const own = await openTestDatabase(t);
  const withAccounts = await countStatements(own.database, async (database) => {
    const { accounts, site, register } = createAccountSite(database);
    site.get('/page', accounts.requireRole('reader'), accounts.requireRecent, () =>
      text('A page.'),
    );
    return register('ada');
  });
  assert.deepEqual(withAccounts, without);
  assert.deepEqual(without, ['cached read', 'cached read', 'cached read']);
});

test('the log-in page asks the database nothing but who may register', async (t) => {
  const { database } = await openTestDatabase(t);
  const open = async (own: Database) => createVisitor(createAccountSite(own).site);
  const count = () => countStatements(database, open, '/login');
  assert.deepEqual(await count(), ['read', 'read', 'read']);
  await createAccountSite(database).register('ada');
  // Once there is an account, there always is one.
  assert.deepEqual(await count(), []);
});
