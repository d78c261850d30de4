/** Two instances over one database, behind the proxies whose files stand here. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { encodeFields } from 'seeother/testing';
import { createTestFolder } from '../application/testing/open-test-database.ts';
import { startApplication } from '../application/testing/start-application.ts';
import { createAsk, ORIGIN } from './ask-proxy.ts';
import { findProgram, type ProxyName, startProxy } from './start-proxy.ts';

const ADA = { username: 'ada', password: 'correct horse battery' };
/** What the guide says for a proxy on the same machine. */
const SETTINGS = {
  NODE_ENV: 'production',
  PUBLIC_ORIGIN: ORIGIN,
  TRUST_PROXY: '127.0.0.1',
};

async function startBehind(t: TestContext, name: ProxyName) {
  const one = await startApplication(SETTINGS);
  t.after(() => one.stop());
  const two = await startApplication({
    ...SETTINGS,
    DATABASE_URL: `sqlite:${one.databaseFile}`,
  });
  t.after(() => two.stop());
  const portOf = ({ url }: { readonly url: string }) => new URL(url).port;
  const proxy = await startProxy(name, createTestFolder(t), [portOf(one), portOf(two)]);
  t.after(() => proxy.stop());
  return { one, two, proxy, ask: createAsk(proxy) };
}

for (const name of ['nginx', 'haproxy'] as const) {
  const missing = [name, 'openssl'].filter((program) => findProgram(program) === null);
  const words = `No ${missing.join(' and ')} found: "apt-get install ${missing.join(' ')}".`;
  const skip = missing.length > 0 && process.env['CI'] === undefined && words;

  test(`behind ${name} two instances are one service`, { skip }, async (t) => {
    assert.deepEqual(missing, [], words);
    const { one, two, proxy, ask } = await startBehind(t, name);

    await t.test('plain http leads to https', async () => {
      const answer = await fetch(`http://127.0.0.1:${proxy.http}/items?page=2`, {
        redirect: 'manual',
      });
      assert.equal(answer.status, 301);
      assert.equal(answer.headers.get('location'), `${ORIGIN}/items?page=2`);
    });

    let cookie = '';
    await t.test('a form of this origin is taken, and the cookie is for https alone', async () => {
      const body = encodeFields(ADA);
      const other = { origin: 'https://evil.example' };
      assert.equal((await ask('/register', { headers: other, body })).status, 403);
      assert.equal((await ask('/register', { body })).status, 403, 'neither header, over https');
      const answer = await ask('/register', { headers: { origin: ORIGIN }, body });
      assert.equal(answer.status, 303);
      assert.equal(answer.location, '/items');
      const line = answer.cookies.find((one) => one.startsWith('__Host-sid=')) ?? '';
      assert.match(line, /; Secure/);
      cookie = line.split(';')[0] ?? '';
    });

    await t.test('who logged in on one is logged in on both', async () => {
      for (let count = 0; count < 8; count++) {
        const answer = await ask('/items/new', { headers: { cookie } });
        assert.equal(answer.status, 200);
      }
      for (const { output, url } of [one, two])
        assert.match(output().log, /\[GET\] \/items\/new 200/, `${url} has had no request`);
    });

    await t.test('the address that a client claims is not believed', async () => {
      const headers = { origin: ORIGIN, 'x-forwarded-for': '203.0.113.9' };
      const body = encodeFields({ ...ADA, password: 'a wrong guess' });
      assert.equal((await ask('/login', { headers, body })).status, 401);
      const database = new DatabaseSync(one.databaseFile, { readOnly: true });
      const rows = database
        .prepare("select subject from failed_log_ins where subject like 'address:%'")
        .all();
      database.close();
      assert.deepEqual(
        rows.map(({ subject }) => subject),
        ['address:127.0.0.1'],
      );
    });

    await t.test('what is too large is answered by the page of the service', async () => {
      const body = `name=${'x'.repeat(3_000_000)}`;
      const answer = await ask('/items', { headers: { origin: ORIGIN, cookie }, body });
      assert.equal(answer.status, 413);
      assert.match(answer.body, /larger than the 1,048,576 bytes/);
    });

    await t.test('who logged out on one is logged out on both', async () => {
      const before = { cookie, 'x-forwarded-proto': 'https' };
      const statusOf = async ({ url }: { readonly url: string }) =>
        (await fetch(`${url}/items/new`, { headers: before, redirect: 'manual' })).status;
      assert.deepEqual([await statusOf(one), await statusOf(two)], [200, 200]);
      const headers = { ...before, origin: ORIGIN };
      await fetch(`${one.url}/logout`, { method: 'POST', headers, redirect: 'manual' });
      assert.equal(await statusOf(two), 303);
    });

    await t.test('with one instance stopped no request fails', async () => {
      const statuses: number[] = [];
      const stopped = two.stop();
      for (let count = 0; count < 40; count++) statuses.push((await ask('/items')).status);
      assert.equal(await stopped, 0);
      assert.deepEqual(new Set(statuses), new Set([200]));
    });
  });
}
