/** Rows C4 to C8 of docs/hostile.md: the media type and the size of a body. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { createRequest, readEntries } from 'seeother';
import { bodyText, connectRaw, post } from 'seeother/testing';
import { createMember, createTestApplication } from '../testing/create-test-application.ts';
import {
  costRatio,
  dumpDatabase,
  FORM,
  type RawHeaders,
  type Site,
  send,
  startSite,
} from './probe.ts';

let site: Site;
before(async () => {
  site = await startSite({ BODY_LIMIT: '65536' });
});
after(() => site.stop());

const itemCount = async () => (await dumpDatabase(site.databaseUrl))['items']?.length ?? 0;

/** Each Content-Type with the status of a valid form that is sent with it; null for no header. */
const TYPES: readonly (readonly [type: string, status: number])[] = [
  [FORM, 303],
  [FORM.toUpperCase(), 303],
  [`${FORM};charset=utf-8`, 303],
  [`${FORM} ; charset="UTF-8"`, 303],
  ['text/plain', 415],
  ['text/plain; application/x-www-form-urlencoded', 415],
  ['application/json', 415],
  ['', 415],
  [`${FORM}x`, 415],
  [`x${FORM}`, 415],
  [`${FORM}\t;x`, 415],
  [`${FORM};`, 415],
  [`${FORM}, text/plain`, 415],
  [`${FORM}; charset=utf-16`, 415],
  [`${FORM}; charset=utf-7`, 415],
  [`${FORM}; charset=utf-16; charset=utf-8`, 415],
];

test('C4: a body is a form by its content type, or is refused', async () => {
  for (const [type, status] of TYPES) {
    const headers = { Cookie: site.cookie, 'Content-Type': type };
    const earlier = await itemCount();
    const good = await send(site.url, '/items', 'name=Drill', headers);
    assert.equal(good.status, status, type);
    assert.equal((await itemCount()) - earlier, status === 303 ? 1 : 0, type);
    const bad = await send(site.url, '/items', 'name=&quantity=many', headers);
    assert.equal(bad.status, status === 303 ? 400 : status, type);
    const foreign = { ...headers, 'Sec-Fetch-Site': 'cross-site' };
    assert.equal((await send(site.url, '/items', 'name=Drill', foreign)).status, 403, type);
    assert.equal((await itemCount()) - earlier, status === 303 ? 1 : 0, type);
  }
  const earlier = await itemCount();
  const good = { Cookie: site.cookie, 'Content-Type': FORM };
  for (const types of [
    [FORM, 'text/plain'],
    ['text/plain', FORM],
    [FORM, FORM],
  ]) {
    const twice = { ...good, 'Content-Type': types };
    assert.equal((await send(site.url, '/items', 'name=Drill', twice)).status, 400, types.join());
  }
  for (const coding of ['gzip', 'identity', 'x']) {
    const coded = { ...good, 'Content-Encoding': coding };
    assert.equal((await send(site.url, '/items', 'name=Drill', coded)).status, 415, coding);
  }
  assert.equal(await itemCount(), earlier);
});

const HEAD = () =>
  `POST /items HTTP/1.1\r\nHost: ${new URL(site.url).host}\r\nCookie: ${site.cookie}\r\nContent-Type: ${FORM}\r\n`;

async function isAlive(): Promise<boolean> {
  return (await fetch(`${site.url}/healthz`)).status === 200;
}

test('C5: a body over the limit is a 413 before it has been read, with or without a declared length', async (t) => {
  const earlier = await itemCount();
  const huge = await connectRaw(site.url);
  await huge.write(`${HEAD()}Content-Length: 10000000000\r\n\r\nname=Drill&description=`);
  assert.match(await huge.until('</html>'), /^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n/);
  huge.leave();

  const endless = await connectRaw(site.url);
  await endless.write(`${HEAD()}Transfer-Encoding: chunked\r\n\r\n`);
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
  for (let count = 0; count < 5; count++) await endless.write(chunk);
  assert.match(await endless.until('</html>'), /^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n/);
  endless.leave();

  // Bytes beyond the declared length are not part of the form, and not a request.
  const liar = await connectRaw(site.url);
  await liar.write(`${HEAD()}Content-Length: 5\r\n\r\nname=Drill&quantity=1`);
  const answers = await liar.untilEnd();
  assert.match(answers, /^HTTP\/1\.1 400 /);
  assert.doesNotMatch(answers, /HTTP\/1\.1 [23]/);
  // A body shorter than its declared length is not a form.
  const short = await connectRaw(site.url);
  await short.write(`${HEAD()}Content-Length: 100\r\n\r\nname=Drill`);
  short.leave();
  assert.equal(await isAlive(), true);
  assert.equal(await itemCount(), earlier);

  // The server reads at most the limit and one more chunk from the connection.
  const application = await createTestApplication(t, { environment: { BODY_LIMIT: '65536' } });
  const member = await createMember(application);
  let pieces = 0;
  const body = {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        pieces++;
        yield new Uint8Array(16_384);
      }
    },
  };
  const { headers } = post('/items', '', { headers: { cookie: `sid=${member.cookie('sid')}` } });
  const unsaid = { ...headers, 'content-length': undefined };
  const request = createRequest({ method: 'POST', target: '/items', headers: unsaid, body });
  assert.equal((await application.handle(request)).status, 413);
  assert.equal(pieces, 5);
  const said = { ...headers, 'content-length': '10000000000' };
  const second = createRequest({ method: 'POST', target: '/items', headers: said, body });
  assert.equal((await application.handle(second)).status, 413);
  assert.equal(pieces, 5);
});

test('C6: too many fields are refused, and parsing takes linear time in the length of the body', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const most = await member.post('/items', `name=Drill${'&a='.repeat(199)}`);
  assert.equal(most.status, 303);
  const few = await member.post('/items', `name=Drill${'&a='.repeat(200)}`);
  assert.equal(few.status, 400);
  assert.match(bodyText(few), /more than 200 fields/);
  const key = 'k'.repeat(100_000);
  assert.equal((await member.post('/items', `${key}=&name=Drill`)).status, 303);
  assert.equal((await member.post('/items', `${'&'.repeat(1_000_000)}name=Drill`)).status, 303);

  const hostile: Readonly<Record<string, (size: number) => string>> = {
    'empty fields': (size) => 'a=&'.repeat(size / 3),
    ampersands: (size) => '&'.repeat(size),
    'equals signs': (size) => '='.repeat(size),
    'one long key': (size) => 'k'.repeat(size),
    escapes: (size) => `${'%61'.repeat(size / 3)}=`,
    'percent signs': (size) => `name=${'%'.repeat(size)}`,
    'not UTF-8': (size) => `name=${'%ff'.repeat(size / 3)}`,
    commas: (size) => `tags=${','.repeat(size)}`,
    'white space': (size) => `name=x${'+'.repeat(size)}x`,
    'line ends': (size) => `name=${'%0d'.repeat(size / 3)}`,
    marks: (size) => `name=x${'%cc%81'.repeat(size / 6)}`,
  };
  for (const [name, make] of Object.entries(hostile)) {
    const [small, large] = [make(65_536), make(16 * 65_536 - 64)];
    assert.equal((await member.post('/items', small)).status, 400, name);
    const send = (body: string) => () => member.post('/items', body);
    // 16 for linear time, 256 for quadratic time.
    const ratio = await costRatio(80, 0.2, send(small), send(large));
    assert.ok(ratio < 80, `${name}: ${ratio} times as much`);
  }
  // Decoding many pluses takes about as long as reading other text.
  const read = (piece: string) => {
    const body = `name=${piece.repeat(4_000_000)}`;
    return () => readEntries(post('/items', body), body.length);
  };
  const ratio = await costRatio(20, 0.2, read('x'), read('+'));
  assert.ok(ratio < 20, `pluses: ${ratio} times as much`);
});

test('C7: 200 field names that collide in a hash table cost no more than other names', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const body = (count: number, name: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => `${name(index)}=`).join('&');
  const names: Readonly<Record<string, (index: number) => string>> = {
    benign: (index) => `field${index}`,
    'like an index': (index) => String(index),
    'with equal low bits': (index) => String(index * 65_536),
    'near the largest index': (index) => String(4_294_967_294 - index),
    alike: (index) => `${'a'.repeat(200)}${index}`,
  };
  for (const [kind, name] of Object.entries(names)) {
    assert.equal((await member.post('/items', `name=x&${body(199, name)}`)).status, 303, kind);
    const many = await member.post('/items', body(4_000, name));
    assert.equal(many.status, 400, kind);
    assert.match(bodyText(many), /more than 200 fields/, kind);
    assert.equal((await member.get(`/items?${body(2_000, name)}`)).status, 200, kind);
  }
  const send = (kind: string) => {
    const sent = body(199, names[kind] ?? String);
    return () => member.post('/items', sent);
  };
  for (const kind of ['like an index', 'with equal low bits', 'near the largest index'])
    assert.ok((await costRatio(10, 0.2, send('benign'), send(kind))) < 10, kind);
});

const MULTIPART = {
  plain: '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nDrill\r\n--x--\r\n',
  'empty name': '--x\r\nContent-Disposition: form-data; name=""\r\n\r\nDrill\r\n--x--\r\n',
  'a name of every object':
    '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--x--\r\n',
  file: '--x\r\nContent-Disposition: form-data; name="f"; filename="../../x"\r\n\r\nx\r\n--x--\r\n',
  'endless headers': `--x\r\n${'A: b\r\n'.repeat(5_000)}`,
  'nested boundary':
    '--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\n--x--\r\n--x--',
  truncated: '--x\r\nContent-Disposition: form-da',
  'boundaries alone': '--x\r\n'.repeat(5_000),
  nothing: '',
};

test('C8: there is no multipart parser: such a body is a 415', async () => {
  const earlier = await itemCount();
  const types = [
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'multipart/mixed; boundary="x"',
  ];
  for (const [name, body] of Object.entries(MULTIPART)) {
    for (const type of types) {
      const headers: RawHeaders = { Cookie: site.cookie, 'Content-Type': type };
      assert.equal((await send(site.url, '/items', body, headers)).status, 415, name);
      assert.equal((await send(site.url, '/login', body, headers)).status, 415, name);
    }
    // With the content type of a form, it is a form with undeclared names.
    assert.equal((await send(site.url, '/items', body, { Cookie: site.cookie })).status, 400, name);
  }
  assert.equal(await itemCount(), earlier);
  assert.equal(await isAlive(), true);
});
