import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { skipWithout } from '../deploy/find-program.ts';
import { measure } from './overload.ts';
import { compileClient, sendAtRate } from './send-at-rate.ts';

const skip = skipWithout('gcc') || skipWithout('taskset');

test('the open-loop client sends every form, also when none is answered yet', {
  skip,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const client = join(folder, 'send-at-rate');
  compileClient(client);
  const waiting: ServerResponse[] = [];
  const bodies = new Set<string>();
  const answers = [
    (out: ServerResponse) => out.writeHead(303, { Location: '/items/7' }).end(),
    (out: ServerResponse) =>
      out.writeHead(503, { 'Retry-After': '5', 'Content-Length': 4 }).end('busy'),
    (out: ServerResponse) => out.writeHead(503, { 'Content-Length': 4 }).end('busy'),
    (out: ServerResponse) => out.destroy(),
  ];
  const server = createServer(async (message, out) => {
    if (message.method === 'GET') {
      out.end('ok');
      return;
    }
    bodies.add((await message.toArray()).join(''));
    waiting.push(out);
    if (waiting.length === 40) for (const [at, one] of waiting.entries()) answers[at % 4]?.(one);
  });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const schedule = { load: 'create', rate: 40, seconds: 1, first: 3 } as const;
  const all = await sendAtRate(client, { url, cookie: 'sid=1' }, schedule);
  assert.equal(bodies.size, 40);
  assert.ok(bodies.has('name=Thing+3&_once=form-3'));
  assert.deepEqual(
    new Set(all.filter(({ status }) => status === 303).map(({ item }) => item)),
    new Set([7]),
  );
  const { good, refused, failed, broken, failedHealth } = measure(all);
  assert.deepEqual(
    { good, refused, failed, broken, failedHealth },
    { good: 10, refused: 10, failed: 10, broken: 10, failedHealth: 0 },
  );
});
