/**
 * Two workers on SQLite; in every round all processes are killed while forms are sent, and started
 * again. Promised: nothing that was acknowledged is lost, nothing is there twice, no number is
 * missing, and the first answer comes within a second of the start.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApplication } from '../application/testing/start-application.ts';
import { readNumbers } from './read-numbers.ts';

const ROUNDS = 30;
const CLIENTS = 8;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export async function killWorkers(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  const file = join(folder, 'application.db');
  const settings = { WORKERS: '2', SAMPLE_ITEMS: '0', DATABASE_URL: `sqlite:${file}` };
  const places = new Map<string, string>();
  let cut = 0;
  let slowest = 0;
  let cookie = '';
  const post = (url: string, path: string, body: string) =>
    fetch(url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...FORM, cookie },
      body,
    });
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = Date.now();
    const site = await startApplication(settings);
    assert.equal((await fetch(`${site.url}/items`)).status, 200);
    slowest = Math.max(slowest, Date.now() - startedAt);
    const closed = once(site.process, 'close');
    if (cookie === '') {
      const body = 'username=ada&password=correct+horse+battery';
      const answer = await post(site.url, '/register', body);
      cookie = answer.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');
    }
    const load = async (client: number) => {
      for (let count = 0; ; count++) {
        const name = `thing-${round}-${client}-${count}`;
        try {
          // Each form is sent twice at once: it counts once.
          const form = () => post(site.url, '/items', `name=${name}&_once=${name}`);
          const [answer, again] = await Promise.all([form(), form()]);
          const place = answer.headers.get('location') ?? `status ${answer.status}`;
          assert.equal(again.headers.get('location'), place);
          places.set(name, place);
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error;
          cut++;
          return;
        }
      }
    };
    const loads = Promise.all(Array.from({ length: CLIENTS }, (_, client) => load(client)));
    await sleep(200 + Math.random() * 300);
    const pids = [...site.output().errors.matchAll(/"worker":(\d+)/g)].map(([, pid]) =>
      Number(pid),
    );
    for (const pid of [...pids, site.process.pid ?? 0]) process.kill(pid, 'SIGKILL');
    await Promise.all([loads, closed]);
  }
  const paths = readNumbers(file);
  for (const [name, place] of places) assert.equal(paths.get(name), place, `${name} is lost`);
  rmSync(folder, { recursive: true, force: true });
  assert.ok(cut > 0, 'nothing was under way when the processes were killed');
  return `${ROUNDS} rounds, ${places.size} forms acknowledged twice, 0 lost, 0 doubled; ${cut} cut; start to first answer ${slowest} ms at most.`;
}
