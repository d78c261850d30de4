/** What forms do is the same when the database repeats their transactions. */
import assert from 'node:assert/strict';
import type { WriteTransaction } from 'seeother/database';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import { createDatabase } from './database/kysely.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from './testing/create-test-application.ts';
import { formIn } from './testing/form-in.ts';
import { listBatches } from './testing/list-events.ts';
import {
  openTestDatabase,
  type TestDatabase,
  testOnEngines,
} from './testing/open-test-database.ts';
import { uploadFile } from './testing/upload-file.ts';

class RolledBack extends Error {}

/**
 * A database that rolls every transaction back and repeats it, as after a deadlock on PostgreSQL, or after a
 * failed write in the same transaction of SQLite. A work that changes anything but the database does so twice.
 */
function repeatWrites({ door, url, file }: TestDatabase): TestDatabase {
  const write: typeof door.write = async (work) => {
    const rollBack = async (transaction: WriteTransaction) => {
      await work(transaction);
      throw new RolledBack();
    };
    // An error of the work comes again.
    await door.write(rollBack).catch(() => {});
    return door.write(work);
  };
  return { ...createDatabase({ ...door, write }), url, file };
}

testOnEngines('forms count once when their transactions are repeated', async (t) => {
  const database = repeatWrites(await openTestDatabase(t));
  const { models, ...application } = await createTestApplication(t, { database, mailer: null });
  const member = await createMember({ models, ...application });
  const sent = async (path: string, fields: Record<string, string> = {}) => {
    const answer = await member.post(path, { ...fields, _once: crypto.randomUUID() });
    assert.equal(answer.status, 303, `${path}: ${bodyText(answer)}`);
    return bodyText(await member.follow(answer));
  };
  const tools = { location: 'Office', tags: 'tools', quantity: '5' };
  for (const name of ['Saw', 'Drill']) await sent('/items', { name, ...tools });
  await sent('/items/1/edit', { name: 'Big saw', ...tools, version: '1' });
  await sent('/items/1/quantity', { amount: '2', button: 'take' });
  await sent('/items/1/history/1/undo');
  await sent('/items/1/lend', { to: 'Bo' });
  await sent('/items/1/return', { lent: (await models.items.find(1))?.loans[0]?.at ?? '' });
  await sent('/items/2/delete');
  await sent('/items/2/restore');
  await sent('/items/select', { row_0: '1', row_1: '2', location: 'Roof', button: 'move' });
  await sent('/items/history/batches/1/undo');
  await sent('/items/rename', { field: 'tag', from: 'tools', to: 'gear' });
  await sent('/places/1/edit', { name: 'Studio', version: '1' });
  await sent('/items/history/batches/4/undo');
  await sent('/places', { places: 'Shelf' });
  const file = new File(['number,name\n1,Old saw\n,Lamp\n'], 'a.csv');
  const preview = headerOf(await uploadFile(member, '/items/import', file), 'Location') ?? '';
  const run = formIn(bodyText(await member.get(preview)), '/run');
  const asked = { ...hiddenFields(run), asked: 'update' };
  assert.equal((await member.post(`${preview}/run`, asked)).status, 303);
  while ((await models.imports.step(1, 'this process')) === 'more');

  const items = (await models.items.list(1, { order: 'oldest' })).items;
  assert.deepEqual(
    items.map(({ name, quantity, location, tags }) => [name, quantity, location, ...tags]),
    [
      ['Old saw', 3, 'Office', 'gear'],
      ['Drill', 5, 'Office', 'gear'],
      ['Lamp', 1, ''],
    ],
  );
  const history = await listBatches(database);
  assert.deepEqual(
    history.map(({ events, undone, lastEvent }) => [events, undone, lastEvent]),
    [
      [2, 0, 19],
      [1, 0, 17],
      [3, 0, 17],
      [3, 3, 15],
      [2, 0, 13],
      [2, 0, 11],
      [2, 2, 9],
    ],
  );

  await sent('/items/1/history/1/remove', { value: 'name' });
  await sent('/items/2/delete');
  await sent('/items/2/remove');
  for (const [number, kinds] of [
    [1, ['value removed', 'changed']],
    [2, ['removed', 'deleted']],
  ] as const) {
    const { events } = await models.history.ofItem(number, 2);
    assert.deepEqual(
      events.map(({ kind }) => kind),
      kinds,
    );
  }

  const shown = await sent('/people', { to: 'Bo', role: 'member' });
  const link = /\/register\?token=[\w-]+/.exec(shown)?.[0] ?? '';
  const colleague = createVisitor(application);
  const account = { username: 'bo-', password: PASSWORD, passwordagain: PASSWORD };
  const registered = await colleague.submit(link, account);
  assert.equal(registered.status, 303);
  const handed = await sent('/people/2', { action: 'link' });
  const reset = /\/password\/new\?token=[\w-]+/.exec(handed)?.[0] ?? '';
  const changed = { password: 'battery staple', passwordagain: 'battery staple' };
  assert.equal((await createVisitor(application).submit(reset, changed)).status, 303);
  assert.equal((await colleague.get('/account')).status, 303);
  assert.deepEqual(
    (await models.people.list()).map(({ username }) => username),
    ['ada', 'bo-'],
  );
});
