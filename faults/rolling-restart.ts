/**
 * Two instances behind HAProxy, with the file in `deploy/`, restarted in turn under light load.
 * Promised: no request fails, and every form that was answered is one item.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApplication } from '../application/testing/start-application.ts';
import { createAsk, ORIGIN } from '../deploy/ask-proxy.ts';
import { startProxy } from '../deploy/start-proxy.ts';
import { readNumbers } from './read-numbers.ts';

const RESTARTS = 20;
const CLIENTS = 4;
/** Milliseconds between two requests of a client. */
const PAUSE = 20;
/** Milliseconds in which HAProxy has asked twice, and comes back. */
const RISE = 3_000;

export async function rollingRestart(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  const file = join(folder, 'application.db');
  const settings = {
    NODE_ENV: 'production',
    DATABASE_URL: `sqlite:${file}`,
    PUBLIC_ORIGIN: ORIGIN,
    TRUST_PROXY: '127.0.0.1',
    DRAIN_NOTICE: '3',
  };
  const instances = [await startApplication(settings), await startApplication(settings)];
  const [one = '', two = ''] = instances.map(({ url }) => new URL(url).port);
  const proxy = await startProxy('haproxy', folder, [one, two]);
  const ask = createAsk(proxy);
  let running = true;
  const failures: string[] = [];
  const places = new Map<string, string>();
  let requests = 0;
  try {
    const body = 'username=ada&password=correct+horse+battery';
    const { cookies } = await ask('/register', { headers: { origin: ORIGIN }, body });
    const headers = {
      origin: ORIGIN,
      cookie: cookies.map((line) => line.split(';')[0]).join('; '),
    };
    const load = async (client: number) => {
      for (let count = 0; running; count++) {
        const name = `thing-${client}-${count}`;
        const form = { headers, body: `name=${name}&_once=${name}` };
        const isForm = count % 4 === 0;
        const started = new Date().toISOString();
        try {
          const answer = await (isForm ? ask('/items', form) : ask('/items', { headers }));
          if (answer.status !== (isForm ? 303 : 200)) failures.push(`${started} ${answer.status}`);
          else if (isForm) places.set(name, answer.location ?? '');
        } catch (error) {
          failures.push(`${started} ${isForm ? 'POST' : 'GET'} ${error}`);
        }
        requests++;
        await sleep(PAUSE);
      }
    };
    const loads = Promise.all(Array.from({ length: CLIENTS }, (_, client) => load(client)));
    for (let count = 0; count < RESTARTS; count++) {
      const index = count % 2;
      assert.equal(await instances[index]?.stop(), 0, 'an instance did not stop as it should');
      const PORT = index === 0 ? one : two;
      instances[index] = await startApplication({ ...settings, PORT });
      await sleep(RISE);
    }
    running = false;
    await loads;
  } finally {
    running = false;
    await Promise.all(instances.map((instance) => instance.stop()));
    await proxy.stop();
  }
  const paths = readNumbers(file);
  for (const [name, place] of places) assert.equal(paths.get(name), place, `${name} is lost`);
  rmSync(folder, { recursive: true, force: true });
  assert.deepEqual(failures, []);
  return `${RESTARTS} restarts, ${requests} requests, 0 failed; ${places.size} forms answered, ${paths.size} items.`;
}
