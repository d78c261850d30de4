/** An import whose process is killed in the middle of a transaction. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openImport } from '../testing/open-import.ts';
import { testOnEngines } from '../testing/open-test-database.ts';

const KILLED = join(import.meta.dirname, 'import-until-killed.program.ts');
const NAMES = Array.from({ length: 260 }, (_, at) => `Thing ${at}`);

testOnEngines(
  'an import whose process is killed continues in the next one, and each row counts once',
  async (t) => {
    const { database, imports, plan, confirm, find, runAll } = await openImport(t);
    const planned = await plan(`name\n${NAMES.join('\n')}\n`);
    await confirm(planned);
    const { id } = planned;
    const child = spawn(process.execPath, [KILLED, database.url, String(id), '130'], {
      stdio: 'inherit',
    });
    const [, signal] = await once(child, 'close');
    assert.equal(signal, 'SIGKILL');
    const { done } = await find(id);
    assert.deepEqual(done, { rows: 100, created: 100, changed: 0, left: 0 });
    // Its lease would end by itself.
    await imports.release('killed');
    assert.equal((await runAll(planned)).state, 'done');
    const items = await database.read
      .selectFrom('items')
      .select(['number', 'name'])
      .orderBy('number')
      .execute();
    assert.deepEqual(
      items.map(({ number, name }) => `${number} ${name}`),
      NAMES.map((name, at) => `${at + 1} ${name}`),
    );
  },
);
