import assert from 'node:assert/strict';
import { openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import type { Placeholders } from './database.ts';
import { prepareWrite } from './prepared-write.ts';

interface Count {
  readonly name: string;
  readonly value: number;
}

testOnEngines('a prepared write is built once, and run with other values each time', async (t) => {
  const database = await openTestDatabase(t);
  let builds = 0;
  const insert = prepareWrite(database, (source, { name, value }: Placeholders<Count>) => {
    builds++;
    return source.insertInto('counters').values({ name, value }).returning(['name', 'value']);
  });
  assert.equal(builds, 0);
  const hostile = "'); drop table counters; --";
  const rows = await database.write(async (transaction) => {
    await insert(transaction, { name: 'a', value: 1 });
    return insert(transaction, { name: hostile, value: 2 });
  });
  assert.deepEqual(
    rows.map(({ name, value }) => [name, value]),
    [[hostile, 2]],
  );
  await database.write((transaction) => insert(transaction, { name: 'b', value: 3 }));
  const all = await database.read.selectFrom('counters').selectAll().orderBy('value').execute();
  assert.deepEqual(
    all.map(({ name }) => name),
    ['a', hostile, 'b'],
  );
  assert.equal(builds, 1);
});
