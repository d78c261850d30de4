/** A process that carries out a form whose choices are rows is killed: the form that is sent again counts once. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { hiddenFields } from 'seeother/testing';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { ENGINES } from '../testing/open-test-database.ts';

const PROGRAM = join(import.meta.dirname, 'serve-courses.program.ts');

async function start(t: TestContext, url: string, end: string) {
  const child = spawn(process.execPath, [PROGRAM, url, end], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { address: `${String(line).trim()}/book`, ended };
}

for (const { engine, name, skip } of ENGINES)
  test(`a form of rows counts once, whenever the process is killed (${name})`, {
    skip,
  }, async (t) => {
    const { url, open } = await createBareDatabase(t, engine);
    const database = await open();
    await database.write(async ({ run }) => {
      await run('create table courses (title text)');
      await run('create table bookings (title text)');
      await run("insert into courses values ('Chess'), ('Go')");
    });
    const count = async () => {
      const { rows } = await database.read.run('select title from bookings', []);
      return rows.length;
    };
    const first = await start(t, url, 'inside');
    const page = await (await fetch(first.address)).text();
    const body = new URLSearchParams({
      ...hiddenFields(page),
      course: 'Go',
      note: 'Kept',
    } as never);
    const send = (address: string) => fetch(address, { method: 'POST', body, redirect: 'manual' });
    await assert.rejects(send(first.address));
    await first.ended;
    assert.equal(await count(), 0);

    const second = await start(t, url, 'after');
    await assert.rejects(send(second.address));
    await second.ended;
    assert.equal(await count(), 1);

    // Its row has gone: the form would be refused as a new one.
    const third = await start(t, url, 'never');
    for (let copy = 0; copy < 2; copy++) {
      const answer = await send(third.address);
      assert.equal(answer.headers.get('location'), '/booked');
    }
    assert.equal(await count(), 1);
  });
