import assert from 'node:assert/strict';
import test from 'node:test';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { page, type Response, seeOther, text, withSession } from '../http/response.ts';
import { createMemoryReceiptStore } from '../once/memory-receipt-store.ts';
import { onlyOnce } from '../once/only-once.ts';
import { createRouter } from '../router/router.ts';
import { get, post, request } from '../testing/make-request.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { loadSession } from './load-session.ts';
import { createMemorySessionStore } from './memory-session-store.ts';
import { addFlash, endSession, startSession, withFlash } from './session-change.ts';

const ADA = { id: 1, name: 'ada' };
const HOME = localPath('/');
const form = defineForm({ text: textField({ label: 'Text', maxLength: 600 }) });

const router = createRouter()
  .use(loadSession({ store: createMemorySessionStore(), except: ['/healthz'] }))
  .get('/healthz', ({ flash }) => page(html`${flash ?? 'nothing'}`))
  .get('/file', ({ flash }) => text(flash ?? 'nothing'))
  .get('/broken', () => {
    throw new Error('broken');
  })
  .get('/*rest', ({ flash }) => page(html`${flash ?? 'nothing'}`))
  .post('/save', () => withFlash(seeOther(HOME), 'Saved.'))
  .post('/leave', readForm(form), ({ form, request }) =>
    withFlash(seeOther(localPath(request.query.get('to') ?? '/')), form.text.text),
  )
  .post('/note', () => withSession(seeOther(HOME), addFlash(null, 'Note.')))
  .post('/login', () => withSession(seeOther(HOME), startSession(ADA)))
  .post('/welcome', () => withSession(withFlash(seeOther(HOME), 'Welcome.'), startSession(ADA)))
  .post('/logout', () =>
    withSession(seeOther(HOME), addFlash(HOME, 'Ada’s.'), endSession, addFlash(HOME, 'Bye.')),
  )
  .post('/once', readForm(form), onlyOnce(createMemoryReceiptStore()), ({ once }) =>
    once(async () => ({ path: HOME, message: 'Counted.' })),
  )
  .post(
    '/in-transaction',
    readForm(form),
    onlyOnce(createMemoryReceiptStore(), {
      changeFlashes: () => assert.fail('There is no session.'),
    }),
    ({ once }) => once(async () => ({ path: HOME, message: 'Counted.' })),
  );

/** What a page shows to a request with these cookies. */
async function showFor(cookie: string, target = '/'): Promise<string> {
  return bodyText(await router.handle(get(target, { headers: { cookie } })));
}

function cookieLine(response: Response): string | null {
  const lines = [response.headers['Set-Cookie'] ?? []].flat();
  assert.ok(lines.length < 2, lines.join('\n'));
  return lines[0] ?? null;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a visitor without a session gets the message, on its page, and once', async () => {
  const visitor = createVisitor(router);
  const answer = await visitor.post('/save');
  assert.equal(answer.status, 303);
  assert.equal(bodyText(await visitor.get('/items')), 'nothing');
  assert.equal(bodyText(await visitor.get('/')), 'Saved.');
  assert.equal(bodyText(await visitor.get('/')), 'nothing');
  assert.equal(visitor.cookie('flash'), null);
});

test('a visitor whose page was lost on the way gets the message with the next answer', async () => {
  const visitor = createVisitor(router);
  await visitor.post('/save');
  const lost = get('/', { headers: { cookie: `flash=${visitor.cookie('flash')}` } });
  for (let count = 0; count < 2; count++)
    assert.equal(bodyText(await router.handle(lost)), 'Saved.');
  assert.equal(bodyText(await visitor.get('/')), 'Saved.');
  assert.equal(bodyText(await visitor.get('/')), 'nothing');
});

test('the copy of a visitor’s form has the message of the first answer, which was lost', async () => {
  for (const path of ['/once', '/in-transaction']) {
    const form = { text: path, _once: 'lost' };
    const first = createVisitor(router);
    const second = createVisitor(router);
    const [one, other] = await Promise.all([first.post(path, form), second.post(path, form)]);
    const later = createVisitor(router);
    assert.deepEqual(
      [one, other, await later.post(path, form)].map(({ headers }) => headers['Location']),
      ['/', '/', '/'],
    );
    for (const visitor of [first, second, later])
      assert.equal(bodyText(await visitor.get('/')), 'Counted.', path);
  }
});

test('the cookie is for five minutes, this host and no script, and is kept in no cache', async () => {
  const plain = await router.handle(post('/save'));
  assert.match(
    cookieLine(plain) ?? '',
    /^flash=[\w-]+; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax$/,
  );
  assert.equal(plain.headers['Cache-Control'], 'no-store');
  const secure = await router.handle(post('/save', {}, { scheme: 'https' }));
  assert.match(
    cookieLine(secure) ?? '',
    /^__Host-flash=[\w-]+; Path=\/; Max-Age=300; HttpOnly; Secure; SameSite=Lax$/,
  );
  const cookie = (cookieLine(secure) ?? '').split(';')[0] ?? '';
  const shown = await router.handle(get('/', { scheme: 'https', headers: { cookie } }));
  assert.equal(bodyText(shown), 'Saved.');
  assert.match(cookieLine(shown) ?? '', /^__Host-flash=; Path=\/; Max-Age=0;/);
  assert.equal(shown.headers['Cache-Control'], 'no-store');
  // Over https a cookie without the prefix may be another host's.
  const planted = cookie.replace('__Host-', '');
  const unmoved = await router.handle(get('/', { scheme: 'https', headers: { cookie: planted } }));
  assert.equal(bodyText(unmoved), 'nothing');
});

test('HEAD, prefetches, files and errors leave the message for its page', async () => {
  const visitor = createVisitor(router);
  await visitor.post('/leave?to=/file', { text: 'For the file.' });
  await visitor.post('/leave?to=/broken', { text: 'For the broken one.' });
  const before = visitor.cookie('flash');
  const cookie = `flash=${before}`;
  const head = await router.handle(request('HEAD', '/file', null, { headers: { cookie } }));
  assert.equal(cookieLine(head), null);
  const ahead = { headers: { cookie, 'sec-purpose': 'prefetch' } };
  assert.equal(bodyText(await router.handle(get('/file', ahead))), 'nothing');
  assert.equal(cookieLine(await router.handle(get('/file', { headers: { cookie } }))), null);
  await assert.rejects(async () => visitor.get('/broken'), /broken/);
  assert.equal(visitor.cookie('flash'), before);
});

test('messages for several pages wait in one cookie, and each page takes its own', async () => {
  const visitor = createVisitor(router);
  for (const [to, text] of [
    ['/a', 'One.'],
    ['/b', 'Two.'],
    ['/a', 'Three.'],
    ['/a', 'One.'],
  ])
    await visitor.post(`/leave?to=${to}`, { text: text ?? '' });
  assert.equal(bodyText(await visitor.get('/a')), 'Three. One.');
  assert.equal(bodyText(await visitor.get('/b')), 'Two.');
  assert.equal(visitor.cookie('flash'), null);
});

test('the cookie stays below what browsers store: the oldest message goes', async () => {
  const visitor = createVisitor(router);
  const long = '😀'.repeat(500);
  for (const to of ['/a', '/b']) await visitor.post(`/leave?to=${to}`, { text: long });
  assert.ok((visitor.cookie('flash') ?? '').length < 4_000);
  assert.equal(bodyText(await visitor.get('/a')), 'nothing');
  assert.equal(bodyText(await visitor.get('/b')), long);
  // A path that leaves no room at all.
  const answer = await visitor.post(`/leave?to=/${'a'.repeat(4_000)}`, { text: 'x' });
  assert.deepEqual([answer.status, visitor.cookie('flash')], [303, null]);
});

test('a message with markup, quotes, line ends and other alphabets is shown as it is', async () => {
  const visitor = createVisitor(router);
  const path = '/caf%C3%A9%2Fx';
  const text = '<b>“a”; path=/,\r\nБ\u{1f600}';
  await visitor.post(`/leave?to=${encodeURIComponent(path)}`, { text });
  assert.equal(bodyText(await visitor.get(path)), '&lt;b&gt;“a”; path=/, Б😀');
});

test('a cookie that was tampered with shows nothing and is cleared', async () => {
  const values = [
    '',
    'x',
    '%7B%7D',
    'e30=',
    'bm8',
    encode(null),
    encode({}),
    encode([]),
    encode('/'),
    encode(['/', 'x']),
    encode([['/']]),
    encode([['/', 'x', 'y']]),
    encode([['/', 7]]),
    encode([[['/'], 'x']]),
    encode([['/', '']]),
    encode([['page', 'x']]),
    encode([
      ['//other.example', 'x'],
      ['/', '\u0000'],
    ]),
    encode([['/', 'a\nb']]),
    encode([['/', '\ud800']]),
    encode([['/\u0007', 'x']]),
    encode([['/', 'x'.repeat(501)]]),
    encode(Array.from({ length: 11 }, () => ['/', 'x'])),
    encode([
      [`/${'a'.repeat(4_000)}`, 'x'],
      ['/', 'x'],
    ]),
    Buffer.from('[["/","\u00ff"]]', 'latin1').toString('base64url'),
    Buffer.from('[["/","x"]] ').toString('base64url').replace(/.$/, '!'),
  ];
  for (const value of values) {
    const answer = await router.handle(get('/', { headers: { cookie: `flash=${value}` } }));
    assert.equal(bodyText(answer), 'nothing', value);
    assert.match(cookieLine(answer) ?? '', /^flash=; Path=\/; Max-Age=0;/, value);
  }
  assert.equal(await showFor(`flash=${encode([['/', 'x']])}`), 'x');
});

test('two message cookies are both ignored, because one may be planted', async () => {
  const own = `flash=${encode([['/', 'x']])}`;
  const answer = await router.handle(get('/', { headers: { cookie: `${own}; ${own}` } }));
  assert.equal(bodyText(answer), 'nothing');
  assert.match(cookieLine(answer) ?? '', /^flash=; Path=\/; Max-Age=0;/);
});

test('a cookie names a path, and no other page shows its message', async () => {
  const cookie = `flash=${encode([['/items/7', 'x']])}`;
  for (const other of ['/', '/items', '/items/77', '/items/7/', '/Items/7', '/healthz'])
    assert.equal(await showFor(cookie, other), 'nothing', other);
  assert.equal(await showFor(cookie, '/items/%37?page=2'), 'x');
});

test('a route without a session neither shows nor clears a message', async () => {
  const cookie = `flash=${encode([['/healthz', 'x']])}`;
  const answer = await router.handle(get('/healthz', { headers: { cookie } }));
  assert.deepEqual([bodyText(answer), cookieLine(answer)], ['nothing', null]);
});

test('with a session the message is in the session, and a cookie of the name is not read', async () => {
  const visitor = createVisitor(router);
  await visitor.post('/login');
  await visitor.post('/save');
  assert.equal(visitor.cookie('flash'), null);
  const cookie = `sid=${visitor.cookie('sid')}; flash=${encode([['/', 'planted']])}`;
  assert.equal(bodyText(await visitor.get('/', { headers: { cookie } })), 'Saved.');
  assert.equal(bodyText(await visitor.get('/', { headers: { cookie } })), 'nothing');
});

test('a message with a log-in is stored in the new session, in either order of the calls', async () => {
  const visitor = createVisitor(router);
  await visitor.post('/welcome');
  assert.equal(visitor.cookie('flash'), null);
  assert.equal(bodyText(await visitor.get('/')), 'Welcome.');
});

test('a message after the end of a session is for the visitor; those of the session end with it', async () => {
  const visitor = createVisitor(router);
  await visitor.post('/login');
  const answer = await visitor.post('/logout');
  assert.equal([answer.headers['Set-Cookie'] ?? []].flat().length, 2);
  assert.equal(visitor.cookie('sid'), null);
  assert.equal(bodyText(await visitor.get('/')), 'Bye.');
});

test('a visitor sees a message without a path on the next page, whichever it is', async () => {
  const visitor = createVisitor(router);
  await visitor.post('/note');
  assert.equal(bodyText(await visitor.get('/file')), 'Note.');
  assert.equal(bodyText(await visitor.get('/any/page')), 'Note.');
  assert.equal(bodyText(await visitor.get('/any/page')), 'nothing');
});
