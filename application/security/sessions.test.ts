/** Rows E1 to E4 and E6 to E8 of docs/hostile.md: session ids and their cookie. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import test from 'node:test';
import { createVisitor, get } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
  setCookieOf,
  type TestApplication,
} from '../testing/create-test-application.ts';
import { copyDatabase } from '../testing/dump-database.ts';
import { startApplication } from '../testing/start-application.ts';

const ADA = { username: 'ada', password: PASSWORD };
const CLEARED = 'sid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax';
/** An id in the right format that the service has not created. */
const PLANTED = 'A'.repeat(43);

async function statusWith(application: TestApplication, cookie: string): Promise<number> {
  return (await application.handle(get('/items/new', { headers: { cookie } }))).status;
}

async function countRows({ database }: TestApplication): Promise<number> {
  return (await database.read.selectFrom('sessions').select('key').execute()).length;
}

test('E1: ids have 256 random bits and are unique, and the database has only their SHA-256', async (t) => {
  const application = await createTestApplication(t);
  await application.models.accounts.register(ADA, false);
  const tokens: string[] = [];
  for (let count = 0; count < 100; count++) {
    const visitor = createVisitor(application);
    await visitor.post('/login', ADA);
    tokens.push(visitor.cookie('sid') ?? '');
  }
  assert.equal(new Set(tokens).size, 100);
  const ids = tokens.map((token) => Buffer.from(token, 'base64url'));
  for (const id of ids) assert.equal(id.byteLength, 32);
  for (let bit = 0; bit < 256; bit++) {
    // With random bits, ten or fewer of 100 occur once in 10^16 tries.
    const ones = ids.filter((id) => ((id[bit >> 3] ?? 0) >> (bit & 7)) & 1).length;
    assert.ok(ones > 10 && ones < 90, `bit ${bit} is set in ${ones} of 100`);
  }
  const bytes = await copyDatabase(application.database.url);
  // An account has only its latest sessions.
  assert.ok(
    bytes.includes(
      createHash('sha256')
        .update(tokens.at(-1) ?? '')
        .digest('hex'),
    ),
  );
  for (const token of tokens) assert.equal(bytes.includes(token), false);
});

test('E2: a log-in creates a new id, and the previous one, planted or real, is invalid', async (t) => {
  const application = await createTestApplication(t);
  await application.models.accounts.register(ADA, false);
  let before = PLANTED;
  for (let count = 0; count < 3; count++) {
    const visitor = createVisitor(application);
    const headers = { cookie: `sid=${before}` };
    assert.equal((await visitor.post('/login', ADA, { headers })).status, 303);
    const after = visitor.cookie('sid') ?? '';
    assert.notEqual(after, before);
    assert.equal(await statusWith(application, `sid=${before}`), 303);
    assert.equal(await statusWith(application, `sid=${after}`), 200);
    before = after;
  }
  assert.equal(await countRows(application), 1);
});

test('E3: an unknown id is never adopted, stored or sent back', async (t) => {
  const application = await createTestApplication(t);
  for (const planted of ['AAAA', PLANTED]) {
    for (const path of ['/items', '/items/new', '/login', '/nothing']) {
      const answer = await application.handle(get(path, { headers: { cookie: `sid=${planted}` } }));
      assert.equal(headerOf(answer, 'Set-Cookie'), CLEARED, path);
      assert.equal(JSON.stringify(answer).includes(planted), false, path);
    }
  }
  assert.equal(await countRows(application), 0);
});

test('E4: a log-out is a POST that deletes the row, clears cookie and cache, and invalidates the id', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const cookie = `sid=${member.cookie('sid')}`;
  assert.equal((await member.get('/logout')).status, 404);
  assert.equal(await statusWith(application, cookie), 200);

  const answer = await member.post('/logout');
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/login');
  assert.equal(headerOf(answer, 'Set-Cookie'), CLEARED);
  assert.equal(headerOf(answer, 'Clear-Site-Data'), '"cache"');
  assert.equal(await countRows(application), 0);
  const late = await application.handle(get('/items/new', { headers: { cookie } }));
  assert.equal(late.status, 303);
  assert.match(headerOf(late, 'Location') ?? '', /^\/login\?/);
});

test('E6: over https the cookie is __Host-sid with Secure and no Domain, over http sid', async (t) => {
  const application = await createTestApplication(t);
  await application.models.accounts.register(ADA, false);
  const cookieOver = async (scheme: 'http' | 'https') => {
    const answer = await createVisitor(application).post('/login', ADA, { scheme });
    return setCookieOf(answer, scheme === 'https' ? '__Host-sid' : 'sid');
  };
  const withoutId = (line = '') => line.replace(/=[\w-]{43};/, '=ID;');
  assert.equal(
    withoutId(await cookieOver('https')),
    '__Host-sid=ID; Path=/; Max-Age=1209600; HttpOnly; Secure; SameSite=Lax',
  );
  assert.equal(
    withoutId(await cookieOver('http')),
    'sid=ID; Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax',
  );
});

test('E7: two session cookies are both ignored and cleared, and a similar name is ignored', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const id = member.cookie('sid');
  for (const cookie of [`sid=bad; sid=${id}`, `sid=${id}; sid=bad`, `sid=${id};sid=${id}`]) {
    const answer = await application.handle(get('/items/new', { headers: { cookie } }));
    assert.equal(answer.status, 303, cookie);
    assert.equal(headerOf(answer, 'Set-Cookie'), CLEARED);
  }
  const names = ['\u00a0sid', 'sid\u00a0', '\ufeffsid', '\u000bsid', '"sid"', '$sid', 'Sid'];
  for (const name of names) {
    assert.equal(await statusWith(application, `${name}=${id}`), 303, JSON.stringify(name));
  }
  assert.equal(await statusWith(application, `$Version=1, sid=${id}`), 303);
  assert.equal(await statusWith(application, `sid="${id}"`), 303);
  assert.equal(await statusWith(application, `$Version=1; \t sid=${id}\t ;x`), 200);
});

test('E8: a hostile cookie header never causes a 500', async (t) => {
  const site = await startApplication();
  t.after(() => site.stop());
  const lines = [
    '===;;;',
    '%',
    '%00%zz',
    'sid',
    'sid=; sid',
    'sid=%',
    'sid=%zz; %',
    `sid=${'A'.repeat(8_000)}`,
    'a=b; '.repeat(1_000),
    `sid=${PLANTED}\r\nCookie: sid=${PLANTED}`,
    'sid=a\0b',
    'sid=\u00e9',
    'x'.repeat(16_384),
  ];
  for (const line of lines) {
    const status = await statusOf(site.url, `Cookie: ${line}`);
    assert.ok(
      [200, 400, 431].includes(status),
      `${status} for ${JSON.stringify(line.slice(0, 40))}`,
    );
  }
  assert.equal(await statusOf(site.url, `Cookie: ${'x'.repeat(16_384)}`), 431);
  assert.equal(await statusOf(site.url, 'Cookie: other=1'), 200);
});

/** The status of a GET /items with this raw header line. */
async function statusOf(url: string, header: string): Promise<number> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    `GET /items HTTP/1.1\r\nHost: ${host}\r\n${header}\r\nConnection: close\r\n\r\n`,
    'latin1',
  );
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
}
