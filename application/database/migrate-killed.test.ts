/** A migration whose process is killed half way. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'node:test';
import { dumpDatabase } from '../testing/dump-database.ts';
import { addItem, createTestFolder, ENGINES } from '../testing/open-test-database.ts';
import { createBarePostgresDatabase } from '../testing/postgres/cluster.ts';
import { openDatabase } from './open-database.ts';

const KILLED = join(import.meta.dirname, 'migrate-until-killed.program.ts');
const DRILL = { name: 'Drill', description: '', quantity: 1, location: '', tags: ['tools'] };

for (const { engine, name, skip } of ENGINES)
  test(`a killed migration of ${name} changes nothing, and the next start completes it`, {
    skip,
  }, async (t) => {
    const { url, drop } =
      engine === 'postgres'
        ? await createBarePostgresDatabase()
        : { url: `sqlite:${join(createTestFolder(t), 'application.db')}`, drop: async () => {} };
    t.after(drop);
    const child = spawn(process.execPath, [KILLED, url], { stdio: 'inherit' });
    const [, signal] = await once(child, 'close');
    assert.equal(signal, 'SIGKILL');
    const tables = Object.keys(await dumpDatabase(url));
    assert.deepEqual(
      tables.filter((table) => !table.startsWith('kysely_')),
      [],
    );
    const database = await openDatabase(url);
    assert.equal(await addItem(database, DRILL), 1);
    await database.close();
  });
