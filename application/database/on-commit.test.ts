/** What a write passes to `onCommit`. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { ENGINES } from '../testing/open-test-database.ts';

for (const { engine, name, skip } of ENGINES) {
  test(`onCommit runs after the commit, and not after a rollback (${name})`, {
    skip,
  }, async (t) => {
    const { open } = await createBareDatabase(t, engine);
    const database = await open();
    const other = await open();
    const { promise, resolve } = Promise.withResolvers<number>();
    const events: string[] = [];
    await database.write(async ({ run, onCommit }) => {
      await run('create table notes (text text not null)');
      await run("insert into notes values ('one')");
      onCommit(async () => {
        events.push('done');
        resolve((await other.read.run('select text from notes')).rows.length);
      });
      events.push('written');
    });
    assert.equal(await promise, 1);
    const failed = database.write(async ({ onCommit }) => {
      onCommit(() => events.push('rolled back'));
      throw new Error('no');
    });
    await assert.rejects(failed, /no/);
    await database.write(async () => {});
    assert.deepEqual(events, ['written', 'done']);
  });

  test(`onCommit runs once if the write runs twice (${name})`, { skip }, async (t) => {
    const database = await (await createBareDatabase(t, engine)).open();
    const done: string[] = [];
    let tries = 0;
    const conflict = Object.assign(new Error('conflict'), { code: '40001' });
    await database.write(async ({ onCommit }) => {
      onCommit(() => done.push('after a conflict'));
      if (++tries === 1) throw conflict;
    });
    // On SQLite, the two share a transaction.
    await Promise.allSettled([
      database.write(async ({ onCommit }) => onCommit(() => done.push('beside a failure'))),
      database.write(() => Promise.reject(new Error('no'))),
    ]);
    assert.deepEqual(done, ['after a conflict', 'beside a failure']);
  });
}
