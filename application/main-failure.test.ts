import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { startApplication } from './testing/start-application.ts';

test('a handler that throws is a 500 page with a reference, and the log has the stack once', async () => {
  const site = await startApplication({}, 'sqlite');
  const database = new DatabaseSync(site.databaseFile);
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
