/** How a service that gets SIGTERM goes, alone and with workers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test, { type TestContext } from 'node:test';
import type { Environment } from '../settings/config.ts';
import { startApplication } from '../testing/start-application.ts';

/** One that does not end fails its test instead of holding up all. */
const LIMIT = { timeout: 30_000 };

async function start(t: TestContext, environment: Environment) {
  const site = await startApplication(environment);
  t.after(() => site.process.kill('SIGKILL'));
  const ended = once(site.process, 'close').then(([code]) => code as number | null);
  return { ...site, ended };
}

/** A client that begins a form and does not go on. */
async function beginForm(t: TestContext, url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  const head = `POST /login HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 100\r\nExpect: 100-continue\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n`;
  socket.write(head);
  // The server has read the head, and waits for the rest.
  await once(socket, 'data');
}

for (const workers of ['1', '2']) {
  test(
    `during the notice the service answers and is not ready, and a second signal ends it at once (workers: ${workers})`,
    LIMIT,
    async (t) => {
      const site = await start(t, { WORKERS: workers, DRAIN_NOTICE: '300' });
      site.process.kill('SIGTERM');
      const ask = (path: string) => fetch(site.url + path);
      let ready = await ask('/readyz');
      for (; ready.status === 200; ready = await ask('/readyz')) await ready.text();
      assert.equal(ready.status, 503);
      assert.equal(await ready.text(), 'draining\n');
      assert.equal(ready.headers.get('connection'), 'close');
      assert.equal((await ask('/healthz')).status, 200);
      const page = await ask('/items');
      assert.equal(page.status, 200);
      site.process.kill('SIGTERM');
      assert.equal(await site.ended, 1);
    },
  );

  test(
    `a client that exceeds the deadline is disconnected, and the exit code is 0 (workers: ${workers})`,
    LIMIT,
    async (t) => {
      const site = await start(t, { WORKERS: workers, DRAIN_LIMIT: '1' });
      await beginForm(t, site.url);
      site.process.kill('SIGTERM');
      assert.equal(await site.ended, 0);
      assert.match(
        site.output().errors,
        /"Stopped: requests not answered within 1 s were cut off\."/,
      );
    },
  );

  test(
    `without clients it reports that every request was answered (workers: ${workers})`,
    LIMIT,
    async (t) => {
      const site = await start(t, { WORKERS: workers });
      await (await fetch(`${site.url}/items`)).text();
      site.process.kill('SIGTERM');
      assert.equal(await site.ended, 0);
      const ends = site.output().errors.match(/"Stopped: every request was answered\."/g);
      assert.equal(ends?.length, Number(workers));
    },
  );
}
