import assert from 'node:assert/strict';
import test from 'node:test';
import { openTestDatabase } from '../testing/test-folder.ts';
import { type Leave, unlessLeft } from './leave-transaction.ts';

test('a transaction that is left has a result, and writes nothing', async (t) => {
  const { database } = await openTestDatabase(t, 'create table notes (text text)');
  const add = (text: string) =>
    unlessLeft((leave: Leave<'refused'>) =>
      database.write(async ({ run }) => {
        await run('insert into notes values (?)', [text]);
        if (text === 'no') throw leave('refused');
        if (text === 'broken') throw new Error('broken');
        return 'added';
      }),
    );
  assert.equal(await add('no'), 'refused');
  assert.equal(await add('yes'), 'added');
  await assert.rejects(add('broken'), /^Error: broken$/);
  const { rows } = await database.read.run('select text from notes');
  assert.deepEqual(
    rows.map(({ text }) => text),
    ['yes'],
  );
});
