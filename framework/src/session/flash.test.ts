import assert from 'node:assert/strict';
import test from 'node:test';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { page, type Response, seeOther, text, withSession } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { get, post, request } from '../testing/make-request.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { hasShownFlash } from './flash.ts';
import { loadSession } from './load-session.ts';
import { createMemorySessionStore } from './memory-session-store.ts';
import type { Session } from './session.ts';
import { addFlash, endSession, startSession, withFlash } from './session-change.ts';
import { toTokenKey } from './token.ts';

const ADA = { id: 1, name: 'ada' };
const ITEM = localPath('/items/7');
const UNDO = { label: 'Undo', path: localPath('/items/7/restore') };

/** A logged-in user of a site whose pages show their message, except those under `broken`. */
async function createSite() {
  const store = createMemorySessionStore();
  let broken: 'throws' | 'leads on' | 'is missing' | 'is text' | null = null;
  const router = createRouter()
    .use(loadSession({ store }))
    .post('/login', () => withSession(text('in'), startSession(ADA)))
    .post('/save', () => withFlash(seeOther(ITEM), 'Saved.'))
    .post('/delete', () => withFlash(seeOther(ITEM), 'Deleted.', UNDO))
    .post('/save/:word', ({ params, request }) =>
      withFlash(seeOther(localPath(request.query.get('to') ?? ITEM)), params.word),
    )
    .post('/nothing', () => text('done'))
    .post('/note', () => withSession(seeOther(ITEM), addFlash(null, 'Note.')))
    .post('/logout', () => withSession(text('out'), endSession))
    .get('/*rest', ({ flash, flashAction }) => {
      if (broken === 'throws') throw new Error('broken');
      if (broken === 'leads on') return seeOther(localPath('/login'));
      if (broken === 'is missing') return page(html`missing`, 404);
      if (broken === 'is text') return text('data');
      const action = flashAction === null ? '' : ` ${flashAction.label}: ${flashAction.path}`;
      return page(html`${flash ?? 'nothing'}${action}`);
    });
  const visitor = createVisitor(router);
  await visitor.post('/login');
  const token = visitor.cookie('sid') ?? assert.fail('no cookie');
  return {
    router,
    visitor,
    /** Requests the page; its answer is lost on the way to the browser. */
    lose: async (target = '/items/7') => {
      const awaited = visitor.cookie('awaited');
      const cookie = `sid=${token}${awaited === null ? '' : `; awaited=${awaited}`}`;
      return bodyText(await router.handle(get(target, { headers: { cookie } })));
    },
    see: async (target = '/items/7') => bodyText(await visitor.get(target)),
    breakPages: (how: typeof broken) => {
      broken = how;
    },
    stored: async () => (await store.find(toTokenKey(token)))?.flashes ?? null,
    store: (change: (session: Session) => Session) => store.update(toTokenKey(token), change),
    cookie: `sid=${token}`,
  };
}

test('a message without a path is shown on the next page, whichever it is, and once; a page that fails takes none', async () => {
  const { visitor, see, breakPages, stored } = await createSite();
  await visitor.post('/note');
  await visitor.post('/save');
  for (const [how, target] of [
    ['throws', ITEM],
    ['is missing', ITEM],
    ['is text', ITEM],
    ['leads on', '/elsewhere'],
  ] as const) {
    breakPages(how);
    await visitor.get(target).catch(() => {});
    assert.deepEqual(
      (await stored())?.map(({ message }) => message),
      ['Note.', 'Saved.'],
      how,
    );
  }
  breakPages(null);
  assert.equal(await see('/any/page'), 'Note.');
  assert.equal(await see('/any/page'), 'nothing');
  assert.equal(await see(), 'Saved.');
});

test('a message brings its action along, once; of several messages the newest action is shown', async () => {
  const { visitor, see } = await createSite();
  await visitor.post('/delete');
  assert.equal(await see('/items'), 'nothing');
  assert.equal(await see(), 'Deleted. Undo: /items/7/restore');
  assert.equal(await see(), 'nothing');
  await visitor.post('/delete');
  await visitor.post('/save');
  assert.equal(await see(), 'Deleted. Saved. Undo: /items/7/restore');
});

test('a visitor without a session gets a message without its action', async () => {
  const { router } = await createSite();
  const visitor = createVisitor(router);
  await visitor.post('/delete');
  assert.equal(bodyText(await visitor.get('/items/7')), 'Deleted.');
});

test('a message is shown only by its own page, whatever the query', async () => {
  const { visitor, see } = await createSite();
  await visitor.post('/save');
  for (const other of ['/items', '/items/77', '/items/7/', '/Items/7']) {
    assert.equal(await see(other), 'nothing', other);
  }
  assert.equal(await see('/items/%37?page=2'), 'Saved.');
});

test('a message is shown at the path that a browser makes of the address', async () => {
  for (const [to, page] of [
    ['/a#top', '/a'],
    ['/a?page=2#top', '/a?page=2'],
    ['/b/../a', '/a'],
    ['/b/./../a/.', '/a/'],
    ['/b/%2e%2E/a', '/a'],
    ['/caf%C3%A9', '/caf%C3%A9'],
    ['/a%2Fb', '/a%2fb'],
    ['/a"b', '/a%22b'],
  ] as const) {
    const { router, visitor, see } = await createSite();
    const target = `/save/Done?to=${encodeURIComponent(to)}`;
    await visitor.post(target);
    assert.equal(await see(page), 'Done', to);
    const stranger = createVisitor(router);
    await stranger.post(target);
    assert.equal(bodyText(await stranger.get(page)), 'Done', `${to} of a visitor`);
  }
});

test('a message goes on with a redirect of its page, and no other message does', async () => {
  const { router, visitor, see, breakPages, lose } = await createSite();
  const stranger = createVisitor(router);
  for (const one of [visitor, stranger]) {
    await one.post('/save');
    await one.post('/save/Other?to=/items');
    breakPages('leads on');
    await one.get('/items/7', { headers: { 'sec-purpose': 'prefetch' } });
    await one.get('/items/7');
    breakPages(null);
    if (one === visitor) assert.equal(await lose('/login'), 'Saved.');
    assert.equal(bodyText(await one.get('/items/7')), 'nothing');
    assert.equal(bodyText(await one.get('/login')), 'Saved.');
    assert.equal(bodyText(await one.get('/login')), 'nothing');
    assert.equal(bodyText(await one.get('/items')), 'Other');
  }
  assert.equal(await see(), 'nothing');
});

test('a page whose answer was lost, or that was requested twice, has its message again', async () => {
  const { visitor, see, lose, stored } = await createSite();
  await visitor.post('/delete');
  const lost = await Promise.all([lose(), lose()]);
  assert.deepEqual(lost, Array(2).fill('Deleted. Undo: /items/7/restore'));
  assert.equal(await lose(), lost[0]);
  assert.equal(await see(), lost[0]);
  assert.equal(visitor.cookie('awaited'), null);
  for (const answer of [await see(), await lose()]) assert.equal(answer, 'nothing');
  await visitor.post('/save');
  assert.deepEqual(
    (await stored())?.map(({ message }) => message),
    ['Saved.'],
  );
});

test('without the cookie of its messages, a browser sees each once', async () => {
  const { router, visitor, see, cookie } = await createSite();
  for (let count = 0; count < 2; count++) {
    await visitor.post('/save');
    const alone = () => router.handle(get(ITEM, { headers: { cookie } }));
    assert.equal(bodyText(await alone()), 'Saved.');
    assert.equal(bodyText(await alone()), 'nothing');
    assert.equal(await see(), 'Saved.');
  }
});

test('a message is shown on the page that the redirect leads to, and once, also with the text of an earlier one', async () => {
  const { visitor, see } = await createSite();
  for (let count = 0; count < 2; count++) {
    await visitor.post('/save');
    assert.equal(await see(), 'Saved.');
    assert.equal(await see(), 'nothing');
  }
});

test('messages of several pages are awaited apart', async () => {
  const { visitor, see, lose } = await createSite();
  for (const word of ['one', 'two']) await visitor.post(`/save/${word}?to=/${word}`);
  assert.deepEqual([await lose('/two'), await lose('/one')], ['two', 'one']);
  assert.deepEqual([await see('/two'), await see('/two')], ['two', 'nothing']);
  assert.deepEqual([await see('/one'), await see('/one')], ['one', 'nothing']);
});

test('the cookie of awaited messages is for five minutes, this host and no script', async () => {
  const { router, visitor, cookie, lose } = await createSite();
  const lineOf = ({ headers }: Response) => String(headers['Set-Cookie']);
  assert.match(
    lineOf(await visitor.post('/save')),
    /^awaited=[\w-]{8}; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax$/,
  );
  // A planted one shows and hides nothing, and does not grow.
  const planted = `${cookie}; awaited=x; awaited=${'a.'.repeat(2_000)}`;
  const answer = await router.handle(get(ITEM, { headers: { cookie: planted } }));
  assert.deepEqual([bodyText(answer), lineOf(answer).slice(0, 9)], ['Saved.', 'awaited=;']);
  assert.equal(await lose(), 'Saved.');
  const secure = { scheme: 'https', headers: { cookie: `__Host-${cookie}` } } as const;
  assert.match(
    lineOf(await router.handle(post('/save', {}, secure))),
    /^__Host-awaited=[\w-]{8}; Path=\/; Max-Age=300; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test('HEAD and prefetches do not use up a message', async () => {
  const { router, visitor, see, cookie } = await createSite();
  await visitor.post('/save');
  await router.handle(request('HEAD', ITEM, null, { headers: { cookie } }));
  for (const purpose of ['prefetch', 'prefetch;prerender', 'Prefetch; anonymous-client-ip']) {
    const ahead = await visitor.get(ITEM, { headers: { cookie, 'sec-purpose': purpose } });
    assert.equal(bodyText(ahead), 'nothing', purpose);
  }
  assert.equal(await see(), 'Saved.');
});

test('a page of XHTML shows its message too', () => {
  const answerWith = (type: string) =>
    hasShownFlash({ status: 200, headers: { 'Content-Type': type }, body: '' });
  assert.equal(answerWith('application/xhtml+xml; charset=utf-8'), true);
  assert.equal(answerWith('application/xml'), false);
});

test('messages for one page are shown together, and equal ones once', async () => {
  const { visitor, see } = await createSite();
  for (const path of ['/save', '/save/again', '/save']) await visitor.post(path);
  assert.equal(await see(), 'again Saved.');
});

test('a session has at most ten messages: a further one removes the oldest', async () => {
  const { visitor, stored } = await createSite();
  for (let count = 1; count <= 12; count++) await visitor.post(`/save/${count}`);
  const kept = (await stored())?.map(({ message }) => message);
  assert.deepEqual(kept, ['3', '4', '5', '6', '7', '8', '9', '10', '11', '12']);
});

test('a message is cut to 500 characters, and never within a character', () => {
  const cut = (message: string) => {
    const change = addFlash(ITEM, message);
    return change.kind === 'flash' ? change.flash.message : assert.fail();
  };
  assert.equal(cut('a'.repeat(501)), 'a'.repeat(500));
  assert.equal(cut('😀'.repeat(501)), '😀'.repeat(500));
  assert.equal(cut(`a${'😀'.repeat(600)}`), `a${'😀'.repeat(499)}`);
});

test('a message ends with its session', async () => {
  const { visitor, see, stored } = await createSite();
  await visitor.post('/save');
  await visitor.post('/logout');
  assert.equal(await stored(), null);
  await visitor.post('/login');
  assert.equal(await see(), 'nothing');
});

test('a message needs a redirect to a page of this site', () => {
  const elsewhere = { status: 303, headers: { Location: 'https://other.example/' }, body: null };
  for (const answer of [text('done'), elsewhere]) {
    assert.throws(() => withFlash(answer, 'Saved.'), /does not redirect to a page of this site/);
  }
});
