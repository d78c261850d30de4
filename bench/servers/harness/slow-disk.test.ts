import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import test from 'node:test';
import { countSyncs, slowDisk } from './slow-disk.ts';
import { FOLDER } from './things.ts';

const WRITE_THREE = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1]);
  database.exec('pragma journal_mode = wal; pragma synchronous = full; create table t (n)');
  process.stdout.write(process.env.LD_PRELOAD);
  for (let n = 0; n < 3; n++) database.exec('insert into t values (1)');
`;

test('every durable commit is counted as a sync', (context) => {
  mkdirSync(FOLDER, { recursive: true });
  const environment = slowDisk(0);
  if (environment['LD_PRELOAD'] === undefined) return context.skip('There is no C compiler.');
  assert.equal(countSyncs(), 0);
  const child = spawnSync(process.execPath, ['--eval', WRITE_THREE, `${FOLDER}/counted.db`], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
  assert.equal(child.status, 0, child.stderr);
  assert.ok(countSyncs() >= 3, `${countSyncs()} syncs were counted`);
});
