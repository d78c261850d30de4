/** Rows A6 and B1 to B6 of docs/hostile.md: request targets and paths. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { createMember, createTestApplication } from '../testing/create-test-application.ts';
import { ask, type Site, send, startSite } from './probe.ts';

let site: Site;
before(async () => {
  site = await startSite();
  await send(site.url, '/items', { name: 'Private drill' }, { Cookie: site.cookie });
});
after(() => site.stop());

async function statusesOf(targets: readonly string[], cookie?: string) {
  const headers = cookie === undefined ? {} : { Cookie: cookie };
  const answers = targets.map((target) => ask(site.url, target, headers));
  return (await Promise.all(answers)).map(({ status, body }, index) => {
    assert.doesNotMatch(body, /Add an item<\/h1>|Private/, targets[index] ?? '');
    return `${targets[index]} ${status}`;
  });
}

function all(targets: readonly string[], status: number): readonly string[] {
  return targets.map((target) => `${target} ${status}`);
}

test('A6: the asterisk is a valid target only for OPTIONS', async () => {
  const answer = await ask(site.url, '*', {}, 'OPTIONS');
  assert.equal(answer.status, 204);
  assert.equal(answer.body, '');
  for (const method of ['GET', 'HEAD', 'POST', 'DELETE'])
    assert.equal((await ask(site.url, '*', {}, method)).status, 400, method);
});

test('B1: a path is decoded once, and a malformed one is refused', async () => {
  for (const target of ['/items/new', '/items/%6eew', '/%69%74ems/ne%77']) {
    const answer = await ask(site.url, target);
    assert.equal(answer.status, 303, target);
    assert.equal(answer.header('Location'), `/login?next=${encodeURIComponent(target)}`);
    assert.equal((await ask(site.url, target, { Cookie: site.cookie })).status, 200, target);
  }
  const twice = ['/items/%256eew', '/%2569tems', '/items/%25%36eew', '/items/%2531'];
  const broken = [
    '/%zz',
    '/%',
    '/items/%f',
    '/items/%ff',
    '/%c0%af',
    '/items/%u0031',
    '/%ed%a0%80',
  ];
  for (const cookie of [undefined, site.cookie]) {
    assert.deepEqual(await statusesOf(twice, cookie), all(twice, 404));
    assert.deepEqual(await statusesOf(broken, cookie), all(broken, 400));
  }
});

test('B2: an escaped separator, dot or control character never becomes one', async () => {
  const missing = [
    ...['/items/..%2fnew', '/items%2fnew', '/items%2Fnew', '/x%2f..%2fitems%2fnew', '/items%5cnew'],
    ...['/%2e%2e/package.json', '/styles.css/%2e%2e/package.json', '/items/%2e%2e/items/new'],
    ...['/items/new%3fx', '/items/new%23'],
  ];
  const controls = [
    ...['/items/%00', '/items/new%00', '/items/1%00'],
    ...['/items/%0d%0a', '/items/new%0d%0aX-Evil:%201', '/items/new%0a', '/items/new%c2%85'],
  ];
  const unescaped = ['/items\\new', '/items/new\\', '/items/new#'];
  for (const cookie of [undefined, site.cookie]) {
    assert.deepEqual(await statusesOf(missing, cookie), all(missing, 404));
    assert.deepEqual(
      await statusesOf([...controls, ...unescaped], cookie),
      all([...controls, ...unescaped], 400),
    );
  }
  const lines = site
    .log()
    .split('\n')
    .filter((line) => line.startsWith('['));
  assert.deepEqual(
    lines.filter((line) => !/^\[[\dT:.Z-]+\] \[[A-Z]+\] \S+ \d{3}$/.test(line)),
    [],
  );
});

test('B3: a path has one spelling: any other one is a 404', async () => {
  const other = [
    ...['//items/new', '/./items/new', '/x/../items/new', '/items/./new', '/items//new'],
    ...[
      '/items/new/',
      '/items/new;x',
      '/items/new;x=1',
      '/ITEMS/NEW',
      '/items/New',
      '/items/new%20',
    ],
    ...['/items/new.json', '/items/new.html', '/items/new,', '/items/ne%C3%A9w', '/items/new%2e'],
  ];
  for (const cookie of [undefined, site.cookie]) {
    assert.deepEqual(await statusesOf(other, cookie), all(other, 404));
  }
});

// By decision, all users see all items. Only sessions and receipts belong to one account.
test('B5: an account cannot use the session or the receipts of another', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  const { items } = application.models;
  const ada = await createMember(application);
  const bob = await createMember(application, 'bob');
  const form = { name: 'Drill', _once: 'the-same-key' };
  assert.equal((await ada.post('/items', form)).headers['Location'], '/items/1');
  assert.equal((await bob.post('/items', form)).headers['Location'], '/items/2');
  assert.equal((await items.find(2))?.createdBy, 'bob');
  assert.equal((await bob.post('/logout')).status, 303);
  assert.equal((await bob.get('/items/new')).status, 303);
  assert.equal((await ada.get('/items/new')).status, 200);
});

test('B6: an item number has one spelling', async () => {
  const numbers = [
    '0',
    '-1',
    '1e3',
    '1e0',
    '01',
    '+1',
    '1.0',
    '0x1',
    'NaN',
    'Infinity',
    '%201',
    '1%20',
  ];
  const large = [
    '9007199254740993',
    '9'.repeat(400),
    '18446744073709551617',
    `${'0'.repeat(399)}1`,
  ];
  const foreign = [
    '%EF%BC%91',
    '%D9%A1',
    '1%E2%80%8B',
    '',
    '1/',
    'null',
    'undefined',
    '1,2',
    '%271%27',
  ];
  const targets = [...numbers, ...large, ...foreign].map((number) => `/items/${number}`);
  for (const cookie of [undefined, site.cookie]) {
    assert.deepEqual(await statusesOf(targets, cookie), all(targets, 404));
  }
  // Not escaped: raw UTF-8 bytes in the request.
  assert.equal((await ask(site.url, '/items/\xef\xbc\x91')).status, 400);
});
