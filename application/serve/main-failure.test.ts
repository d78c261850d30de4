/** What may go wrong in and around a running process. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { startApplication } from '../testing/start-application.ts';

test('a handler that throws is a 500 page with a reference, and the log has the stack once', async (t) => {
  const site = await startApplication({}, 'sqlite');
  t.after(() => site.process.kill('SIGKILL'));
  const database = new DatabaseSync(site.databaseFile, { timeout: 10_000 });
  database.exec('alter table items rename to lost_items');
  database.close();

  const answer = await fetch(`${site.url}/items`, { headers: { accept: 'text/html' } });
  const page = await answer.text();
  const health = await fetch(`${site.url}/healthz`);
  await site.stop();
  const { log, errors } = site.output();

  assert.equal(answer.status, 500);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(health.status, 200);
  const id = /Reference: <code>([0-9a-f-]{36})<\/code>/.exec(page)?.[1] ?? 'no reference';
  assert.doesNotMatch(page, /no such table|lost_items|\.ts\b/);
  assert.match(log, /^\[[^\]]+\] \[GET\] \/items 500$/m);
  const reports = errors.split('\n').filter((line) => line.includes(id));
  assert.equal(reports.length, 1);
  assert.match(JSON.parse(reports[0] ?? '{}').stack, /no such table: items\n\s+at /);
});

test('an unhandled rejection ends the process after every request was answered', {
  skip: process.platform === 'win32' && 'Windows has no such signal.',
  timeout: 60_000,
}, async (t) => {
  const mistake =
    "process.on('SIGUSR2', () => void Promise.reject(new Error('nobody waits for this')))";
  const program = `data:text/javascript,${encodeURIComponent(mistake)}`;
  const site = await startApplication({ NODE_OPTIONS: `--import=${program}` });
  t.after(() => site.process.kill('SIGKILL'));
  assert.equal((await fetch(`${site.url}/items`)).status, 200);
  site.process.kill('SIGUSR2');
  const [code] = await once(site.process, 'close');
  assert.equal(code, 1);
  const { log, errors } = site.output();
  assert.match(log, / \[GET\] \/items 200\n$/);
  const [, first = '', last = ''] = errors.split('\n');
  assert.match(JSON.parse(first).message, /^Unhandled rejection/);
  assert.match(JSON.parse(first).stack, /nobody waits for this\n\s+at /);
  assert.equal(JSON.parse(last).message, 'Stopped: every request was answered.');
});

test('without a reader of the log, the service continues and stops normally', async (t) => {
  const site = await startApplication();
  t.after(() => site.process.kill('SIGKILL'));
  site.process.stdout?.destroy();
  for (let count = 0; count < 50; count++) {
    const answer = await fetch(`${site.url}/items`);
    await answer.text();
    assert.equal(answer.status, 200);
  }
  assert.equal(await site.stop(), 0);
});
