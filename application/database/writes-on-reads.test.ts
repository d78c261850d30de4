/** A write on a connection for reads is a mistake of the code: a 500 with the remedy, and not a 503. */
import assert from 'node:assert/strict';
import { DatabaseUnavailable } from 'seeother/database';
import { openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';

const INSERT = "insert into counters (name, value) values ('first', 1)";

testOnEngines('a connection for reads refuses a write and names the remedy', async (t) => {
  const { door } = await openTestDatabase(t);
  const runs = [
    door.read.run,
    async (sql: string) => door.cachedRead.run(sql),
    door.slowRead.run,
    (sql: string) => door.snapshot(({ run }) => run(sql)),
  ];
  for (const run of runs) {
    for (const sql of [INSERT, `${INSERT} returning name`, 'update counters set value = 2'])
      await assert.rejects(run(sql), (error) => {
        assert.ok(error instanceof Error && !(error instanceof DatabaseUnavailable));
        assert.equal(
          error.message,
          `Cannot run ${sql}. This connection only reads: use \`transaction\` or \`database.write\`.`,
        );
        return true;
      });
  }
  await door.write(({ run }) => run(INSERT));
  const { rows } = await door.read.run('select name from counters');
  assert.deepEqual(rows, [{ name: 'first' }]);
});
