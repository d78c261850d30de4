/**
 * Durable creates: the complete form path, from the session to the row on disk and the 303, with 32
 * connections. Afterwards items and syncs are counted, so that no contender is fast by
 * acknowledging too soon.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describePage } from '../harness/describe-page.ts';
import { CONNECTIONS, generateLoad, type LoadRequest } from '../harness/generate-load.ts';
import { readCpuTime } from '../harness/process-figures.ts';
import { countSyncs, slowDisk } from '../harness/slow-disk.ts';
import type { RunningServer } from '../harness/start-server.ts';
import type { Task } from '../harness/task.ts';
import { startFresh } from '../harness/things.ts';
import { formRequest, getRequest, logIn, visit } from '../harness/visit.ts';
import type { Durations } from './load-task.ts';

export function createCreateTask({ warmUp, seconds }: Durations): Task {
  return {
    name: 'create',
    title: 'durable creates through the form, 32 connections',
    kind: 'items',
    yardstick: { name: 'raw', kind: 'items' },
    figures: ['creates', 'p99', 'perSync', 'cpu'],
    async measure(subject) {
      const server = await startFresh(subject, slowDisk(0));
      try {
        const cookie = await logIn(server.url);
        await checkForms(server, cookie);
        const itemsBefore = await countItems(server, cookie);
        const warm = await generateLoad(server.url, createRequest(cookie), warmUp);
        const cpuBefore = readCpuTime(server.pid);
        const syncsBefore = countSyncs();
        const report = await generateLoad(server.url, createRequest(cookie), seconds);
        const cpu = (readCpuTime(server.pid) - cpuBefore) / report.requests;
        const syncs = countSyncs() - syncsBefore;
        const created = (await countItems(server, cookie)) - itemsBefore;
        checkCreated(created, warm.requests + report.requests);
        const sample = { creates: report.requests / report.seconds, p99: report.p99, cpu };
        if (Number.isNaN(syncs)) return sample;
        checkSynced(report.requests, syncs);
        return { ...sample, perSync: report.requests / syncs };
      } finally {
        await server.stop();
      }
    },
  };
}

/**
 * The item form, filled in; each load has keys of its own, as each page that shows the form has.
 */
export function createRequest(cookie: string): LoadRequest {
  const fields = {
    _once: `${randomUUID()}-{n}`,
    name: 'Cordless drill {n}',
    description: 'Charge one battery when you take the other.',
    quantity: '3',
    location: 'Workshop, wall',
    tags: 'tools, lent out often',
  };
  // The place of the number stays as it is written.
  const body = new URLSearchParams(fields).toString().replaceAll('%7Bn%7D', '{n}');
  return formRequest('/items', body, { Cookie: cookie });
}

/** A valid form, an invalid one, one from another site, and one without a session. */
export async function checkForms(
  { url }: Pick<RunningServer, 'url'>,
  cookie: string,
): Promise<void> {
  const request = createRequest(cookie);
  const saved = await visit(url, request);
  assert.equal(saved.status, 303);
  assert.match(saved.headers['location'] ?? '', /^\/items\/\d+$/);
  const bad = await visit(url, { ...request, body: 'name=&quantity=many' });
  assert.equal(bad.status, 400);
  assert.match(bad.body, /Enter a name/);
  const headers = { ...request.headers, 'Sec-Fetch-Site': 'cross-site' };
  assert.equal((await visit(url, { ...request, headers })).status, 403);
  const { Cookie: _, ...anonymous } = request.headers as Record<string, string>;
  const nobody = await visit(url, { ...request, headers: anonymous });
  assert.ok(
    nobody.status === 401 || nobody.headers['location'] === '/login',
    `a visitor's form is answered with ${nobody.status}`,
  );
}

async function countItems({ url }: RunningServer, cookie: string): Promise<number> {
  const { body } = await visit(url, getRequest('/items', { Cookie: cookie }));
  return Number(/([\d,]+) items/.exec(describePage(body).count)?.[1]?.replaceAll(',', ''));
}

/** What was acknowledged is there, and no more than what was under way at the end of a load. */
export function checkCreated(created: number, acknowledged: number): void {
  assert.ok(
    created >= acknowledged && created <= acknowledged + 2 * CONNECTIONS,
    `${acknowledged} creates were acknowledged, and ${created} items are there`,
  );
}

/**
 * Each connection waits for its answer: a sync can make no more creates durable than there are
 * connections.
 */
export function checkSynced(created: number, syncs: number): void {
  assert.ok(
    created <= (syncs + 1) * CONNECTIONS,
    `${created} creates were acknowledged after ${syncs} syncs: they were not on disk`,
  );
}
