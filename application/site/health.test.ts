import assert from 'node:assert/strict';
import test from 'node:test';
import { DatabaseUnavailable } from 'seeother/database';
import { bodyText, get } from 'seeother/testing';
import { createTestApplication, headerOf } from '../testing/create-test-application.ts';
import { testOnEngines } from '../testing/open-test-database.ts';

testOnEngines('a running service is alive and ready, in plain text', async (t) => {
  const { handle } = await createTestApplication(t);
  for (const [path, text] of [
    ['/healthz', 'ok\n'],
    ['/readyz', 'ready\n'],
  ] as const) {
    const answer = await handle(get(path));
    assert.equal(answer.status, 200);
    assert.equal(bodyText(answer), text);
    assert.equal(headerOf(answer, 'Content-Type'), 'text/plain; charset=utf-8');
  }
});

test('a service without its database is alive, but not ready', async (t) => {
  const { handle } = await createTestApplication(t, {
    checkDatabase: () => Promise.reject(new Error('away')),
  });
  assert.equal((await handle(get('/healthz'))).status, 200);
  const answer = await handle(get('/readyz'));
  assert.equal(answer.status, 503);
  assert.equal(bodyText(answer), 'the database is away\n');
});

test('a service whose disk is full is ready, because reads work, and says that writes fail', async (t) => {
  for (const [disk, text] of [
    ['full', 'ready, but writes fail: the disk is full\n'],
    ['fails', 'ready, but writes fail: the disk fails\n'],
  ] as const) {
    const { handle } = await createTestApplication(t, {
      writeFailure: () => new DatabaseUnavailable('secret.example', { disk }),
    });
    const answer = await handle(get('/readyz'));
    assert.equal(answer.status, 200);
    assert.equal(bodyText(answer), text);
  }
});

test('a service that cannot store files is ready, because everything else works, and says so', async (t) => {
  const { handle } = await createTestApplication(t, { canStoreFiles: () => false });
  const answer = await handle(get('/readyz'));
  assert.equal(answer.status, 200);
  assert.equal(bodyText(answer), 'ready, but files cannot be stored\n');
});

test('a service that is stopping is alive, but not ready', async (t) => {
  const { handle } = await createTestApplication(t, { isDraining: () => true });
  assert.equal((await handle(get('/healthz'))).status, 200);
  const answer = await handle(get('/readyz'));
  assert.equal(answer.status, 503);
  assert.equal(bodyText(answer), 'draining\n');
});

test('health checks load no session, so they neither wait for the store nor write', async (t) => {
  const { handle } = await createTestApplication(t, {
    replace: ({ sessions }) => ({
      sessions: { ...sessions, find: () => Promise.reject(new Error('away')) },
    }),
  });
  const headers = { cookie: `sid=${'A'.repeat(43)}` };
  for (const path of ['/healthz', '/readyz']) {
    const answer = await handle(get(path, { headers }));
    assert.equal(answer.status, 200, path);
    assert.equal(answer.headers['Set-Cookie'], undefined);
  }
});
