/**
 * Rows D1 to D7, D12 and D13 of docs/hostile.md: requests that other sites make a user's browser
 * send.
 */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import type { Request } from 'seeother';
import { bodyText, createVisitor, type RawAnswer, request } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  PASSWORD,
} from '../testing/create-test-application.ts';
import {
  ask,
  dumpDatabase,
  FORM,
  pathOf,
  type RawHeaders,
  type Site,
  send,
  startSite,
} from './probe.ts';

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.stop());

const EVIL = 'http://evil.example';
const ADA = { username: 'ada', password: PASSWORD };

/**
 * Sends a valid form. Checks that an accepted one creates an item, and a refused one changes
 * nothing.
 */
async function sendItem(to: Site, headers: RawHeaders): Promise<RawAnswer> {
  const earlier = await dumpDatabase(to.databaseUrl);
  const answer = await send(to.url, '/items', { name: 'Drill' }, { Cookie: to.cookie, ...headers });
  const later = await dumpDatabase(to.databaseUrl);
  if (answer.status !== 303) assert.deepEqual(later, earlier);
  else assert.equal(later['items']?.length, (earlier['items']?.length ?? 0) + 1);
  return answer;
}

async function assertStatus(to: Site, status: number, list: readonly RawHeaders[]): Promise<void> {
  for (const headers of list) {
    assert.equal((await sendItem(to, headers)).status, status, JSON.stringify(headers));
  }
}

const own = () => `http://${new URL(site.url).host}`;

test('D1: a form from another site is a 403, and nothing is written', async () => {
  await assertStatus(site, 403, [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: own() },
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-User': '?1' },
    { 'Sec-Fetch-Site': 'Cross-Site' },
  ]);
});

test('D2: a form from another origin of the same site is a 403', async () => {
  await assertStatus(site, 403, [
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'same-site', Origin: own() },
    { 'Sec-Fetch-Site': '' },
    { 'Sec-Fetch-Site': 'same-origin, cross-site' },
    { 'Sec-Fetch-Site': ['same-origin', 'cross-site'] },
    { 'Sec-Fetch-Site': 'SAME-ORIGIN' },
  ]);
});

test('D3: a form from this origin, or from a client that is not a browser, is accepted', async () => {
  await assertStatus(site, 303, [
    { 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Site': 'same-origin', Origin: own() },
  ]);
});

test('D4: without Sec-Fetch-Site, the Origin must be that of the request', async () => {
  const { host, port } = new URL(site.url);
  const foreign = [
    ...[EVIL, 'null', '', `${own()}.evil.example`, `http://evil.example/${host}`, `${own()}/`],
    ...[`http://evil.example@${host}`, `http://${host}@evil.example`, `ftp://${host}`, `//${host}`],
    ...[
      `http://127.0.0.1`,
      `http://127.0.0.1:1${port}`,
      host,
      `${own()}, ${EVIL}`,
      `${EVIL} ${own()}`,
    ],
  ];
  await assertStatus(
    site,
    403,
    foreign.map((Origin) => ({ Origin })),
  );
  await assertStatus(site, 303, [{ Origin: own() }, { Origin: own().toUpperCase() }]);
  // A client that is not a trusted proxy cannot change the expected host.
  const { status } = await sendItem(site, { Origin: EVIL, 'X-Forwarded-Host': 'evil.example' });
  assert.equal(status, 403);
});

test('D5: without Sec-Fetch-Site and Origin, a form is accepted over http and refused over https', async () => {
  await assertStatus(site, 303, [{}, { 'X-Forwarded-Proto': 'https' }]);
  const [secure, proxied] = await Promise.all([
    startSite({ PUBLIC_ORIGIN: 'https://things.example' }),
    startSite({ TRUST_PROXY: '127.0.0.1' }),
  ]);
  try {
    assert.match(secure.cookie, /^__Host-sid=/);
    const Host = 'things.example';
    const foreign = [{}, { Origin: EVIL }, { 'X-Forwarded-Proto': 'http' }];
    await assertStatus(
      secure,
      403,
      foreign.map((headers) => ({ Host, ...headers })),
    );
    await assertStatus(secure, 303, [
      { Host, Origin: 'https://things.example' },
      { Host, 'Sec-Fetch-Site': 'same-origin' },
    ]);
    await assertStatus(proxied, 303, [{}, { 'X-Forwarded-Proto': 'http' }]);
    const https = {
      'X-Forwarded-Proto': 'https',
      Cookie: proxied.cookie.replace('sid', '__Host-sid'),
    };
    await assertStatus(proxied, 403, [https, { ...https, Origin: EVIL }]);
    await assertStatus(proxied, 303, [{ ...https, 'Sec-Fetch-Site': 'same-origin' }]);
  } finally {
    await Promise.all([secure.stop(), proxied.stop()]);
  }
});

test('D6: only the method decides: not the content type, and no field or header overrides it', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const headers = { cookie: `sid=${member.cookie('sid')}`, 'sec-fetch-site': 'cross-site' };
  const earlier = await dumpDatabase(application.database.url);
  const answer = async (method: string, target: string, more: Request['headers'] = {}) => {
    const body = new TextEncoder().encode('name=Drill&_method=GET&_method=DELETE');
    return application.handle(request(method, target, body, { headers: { ...headers, ...more } }));
  };
  for (const { pattern } of application.routes) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'BREW', 'get'])
      assert.equal((await answer(method, pathOf(pattern))).status, 403, `${method} ${pattern}`);
    for (const method of ['OPTIONS', 'TRACE'])
      assert.equal((await answer(method, pathOf(pattern))).status, 404, `${method} ${pattern}`);
  }
  for (const type of [
    FORM,
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/json',
    '',
  ]) {
    assert.equal((await answer('POST', '/items', { 'content-type': type })).status, 403, type);
  }
  for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
    assert.equal((await answer('POST', '/items', { [name]: 'GET' })).status, 403, name);
    const sent = await answer('GET', '/items/1', { [name]: 'POST', 'sec-fetch-site': 'none' });
    assert.equal(sent.status, 404, name);
  }
  assert.equal((await answer('GET', '/items?_method=POST&name=Drill')).status, 200);
  assert.deepEqual(await dumpDatabase(application.database.url), earlier);
});

test('D7: another site can neither log a user in or out nor create an account', async () => {
  const earlier = await dumpDatabase(site.databaseUrl);
  const foreign: readonly RawHeaders[] = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: EVIL },
    { Origin: 'null' },
  ];
  for (const headers of foreign) {
    for (const path of ['/login', '/register', '/logout']) {
      const answer = await send(site.url, path, ADA, { Cookie: site.cookie, ...headers });
      assert.equal(answer.status, 403, path);
      assert.equal(answer.header('Set-Cookie'), null, path);
    }
  }
  // By decision, a path that only another method serves is a 404.
  assert.equal((await ask(site.url, '/logout', { Cookie: site.cookie })).status, 404);
  assert.deepEqual(await dumpDatabase(site.databaseUrl), earlier);
  assert.equal((await ask(site.url, '/items/new', { Cookie: site.cookie })).status, 200);
});

/**
 * What a browser sends for a page of a host that resolves to this server: for it, both are one
 * site.
 */
function asPageOf(host: string, more: Request['headers'] = {}): Request['headers'] {
  return { host, origin: `http://${host}`, 'sec-fetch-site': undefined, ...more };
}

test('D12: with PUBLIC_ORIGIN any other host is refused, except for health checks', async (t) => {
  const environment = { PUBLIC_ORIGIN: 'https://things.example' };
  const application = await createTestApplication(t, { environment });
  const member = await createMember(application, 'ada', { headers: { host: 'things.example' } });
  const cookie = `sid=${member.cookie('sid')}`;
  const earlier = await dumpDatabase(application.database.url);
  const checks = ['/healthz', '/readyz'];
  for (const host of ['evil.example', 'localhost', '127.0.0.1:8001']) {
    const visitor = createVisitor(application, { headers: asPageOf(host, { cookie }) });
    for (const { method, pattern } of application.routes) {
      const path = pathOf(pattern);
      const { status } = method === 'GET' ? await visitor.get(path) : await visitor.post(path, ADA);
      assert.equal(status, checks.includes(path) ? 200 : 421, `${host} ${method} ${path}`);
    }
    for (const path of ['/styles.css', '/nothing']) {
      assert.equal((await visitor.get(path)).status, 421, path);
    }
  }
  assert.deepEqual(await dumpDatabase(application.database.url), earlier);
});

test('D13: a host of an attacker that resolves to this server (DNS rebinding) can do nothing', async (t) => {
  const application = await createTestApplication(t);
  const earlier = await dumpDatabase(application.database.url);
  for (const host of ['evil.example:8000', '127.0.0.1.evil.example', 'localhost.evil.example']) {
    const stranger = createVisitor(application, { headers: asPageOf(host) });
    assert.equal((await stranger.get('/items')).status, 421, host);
    assert.equal((await stranger.get('/register')).status, 421, host);
    assert.equal((await stranger.post('/register', ADA)).status, 421, host);
  }
  assert.deepEqual(await dumpDatabase(application.database.url), earlier);
  const member = await createMember(application);
  await member.post('/items', { name: 'Secret drill' });
  const headers = asPageOf('evil.example:8000', { cookie: `sid=${member.cookie('sid')}` });
  const stranger = createVisitor(application, { headers });
  for (const answer of [
    await stranger.get('/items'),
    await stranger.post('/items', { name: 'x' }),
  ]) {
    assert.equal(answer.status, 421);
    assert.doesNotMatch(bodyText(answer), /Secret/);
  }
  assert.equal((await application.models.items.list(1)).itemCount, 1);
});
