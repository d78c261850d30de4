/** Processes that add jobs and carry them out are killed: no job is lost, and none that was confirmed runs again. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { createTestFolder, ENGINES } from '../testing/open-test-database.ts';
import { CONCURRENCY, createShipping } from './run-outbox.program.ts';

const PROGRAM = join(import.meta.dirname, 'run-outbox.program.ts');
const PROCESSES = 2;
const KILLS = 2;
/** Jobs that are carried out between two kills. */
const JOBS = 12;

for (const { engine, name, skip } of ENGINES) {
  test(`no job of a killed process is lost, and none is doubled that had ended (${name})`, {
    skip,
  }, async (t) => {
    const { url, open } = await createBareDatabase(t, engine);
    const database = await open();
    await database.write(({ run }) => run('create table orders (id text primary key)'));
    const file = join(createTestFolder(t), 'shipped');
    writeFileSync(file, '');
    const readShipped = () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split(' ') as [order: string, pid: string]);

    const start = () => spawn(process.execPath, [PROGRAM, url, file], { stdio: ['pipe', 1, 2] });
    const running: ChildProcess[] = Array.from({ length: PROCESSES }, start);
    t.after(() => running.map((child) => child.kill('SIGKILL')));
    const killed = new Map<string, number>();
    while (killed.size < KILLS) {
      const goal = readShipped().length + JOBS;
      while (readShipped().length < goal) {
        assert.ok(running.every(({ exitCode }) => exitCode === null));
        await setTimeout(5);
      }
      // The one that has worked last is the most likely to be at work.
      const last = Number(readShipped().at(-1)?.[1]);
      const [child] = running.splice(
        Math.max(
          running.findIndex(({ pid }) => pid === last),
          0,
        ),
        1,
      );
      child?.kill('SIGKILL');
      killed.set(String(child?.pid), 0);
      running.push(start());
    }
    for (const child of running) child.stdin?.end();
    const ends = running.map((child) => once(child, 'close'));
    for (const end of ends) assert.deepEqual(await end, [0, null]);

    // Leases of killed processes have ended by then.
    const outbox = createShipping(database, file);
    await outbox.run(new Date(Date.now() + 3_600_000));
    const read = async (sql: string) => (await database.read.run(sql)).rows;
    assert.deepEqual(await read('select * from seeother_outbox'), []);
    const shipped = readShipped();
    const orders = (await read('select id from orders')).map(({ id }) => String(id));
    assert.deepEqual(new Set(shipped.map(([order]) => order)), new Set(orders));
    // An order is shipped again only if the process before was killed while it had the job.
    for (const [index, [order, pid]] of shipped.entries()) {
      if (!shipped.slice(index + 1).some(([other]) => other === order)) continue;
      const count = killed.get(pid);
      assert.notEqual(count, undefined, `${order} was shipped twice`);
      killed.set(pid, Number(count) + 1);
    }
    assert.ok(Math.max(...killed.values()) <= CONCURRENCY);
  });
}
