import assert from 'node:assert/strict';
import test from 'node:test';
import type { Context, Middleware } from '../chain/context.ts';
import { localPath } from '../http/href.ts';
import { seeOther, text, withSession } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { loadSession } from '../session/load-session.ts';
import { requireSession } from '../session/require-session.ts';
import { type LoggedIn, type SessionContext, sessionOf } from '../session/session.ts';
import { startSession } from '../session/session-change.ts';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import { post, type RequestInit } from '../testing/make-request.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { acceptCrossOrigin } from './accept-cross-origin.ts';

const elsewhere: readonly RequestInit[] = [
  { from: 'program', scheme: 'https' },
  { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://pay.example' }, scheme: 'https' },
  { headers: { 'sec-fetch-site': undefined, origin: 'null' } },
];

const createTestSite = (reports: string[] = []) =>
  createSite(createMemoryStores(), {
    log: false,
    errors: { report: ({ message }) => reports.push(message) },
  })
    .post('/login', () =>
      withSession(seeOther(localPath('/')), startSession({ id: 1, name: 'Ada' })),
    )
    .post('/form', ({ session }) => text(`form of ${session?.user.name}`))
    .post('/hook', acceptCrossOrigin, ({ session, request }) => {
      const user: null = session;
      return text(`hook of ${user}, ${sessionOf(request)}`);
    });

test('a post from elsewhere is let into a route with acceptCrossOrigin, and into no other', async () => {
  const reports: string[] = [];
  const site = createTestSite(reports);
  for (const init of elsewhere) {
    assert.equal((await site.handle(post('/hook', '{}', init))).status, 200);
    assert.equal((await site.handle(post('/form', '{}', init))).status, 403);
    assert.equal((await site.handle(post('/nowhere', '{}', init))).status, 403);
  }
  assert.match(
    reports[0] ?? '',
    /A route for posts of programs needs acceptCrossOrigin, or readSi/,
  );
});

test('a cookie that comes with such a post logs nobody in, whoever sends it', async () => {
  const site = createTestSite();
  const visitor = createVisitor(site);
  await visitor.post('/login');
  assert.equal(bodyText(await visitor.post('/form')), 'form of Ada');
  for (const init of [...elsewhere.slice(2), {}])
    assert.equal(bodyText(await visitor.post('/hook', '{}', init)), 'hook of null, null');
});

test('no middleware before acceptCrossOrigin sees a session either', async () => {
  const seen: unknown[] = [];
  const look: Middleware<SessionContext> = (context, next) => {
    seen.push(context.session);
    return next(context);
  };
  const site = createSite(createMemoryStores(), { log: false })
    .use(look)
    .post('/login', () =>
      withSession(seeOther(localPath('/')), startSession({ id: 1, name: 'Ada' })),
    )
    .post('/hook', acceptCrossOrigin, () => text('done'));
  const visitor = createVisitor(site);
  await visitor.post('/login');
  await visitor.post('/hook', '{}');
  assert.deepEqual(seen, [null, null]);
});

test('the answer to such a post cannot log in', async () => {
  const reports: string[] = [];
  const site = createTestSite(reports).post('/callback', acceptCrossOrigin, () =>
    withSession(seeOther(localPath('/')), startSession({ id: 1, name: 'Ada' })),
  );
  const answer = await site.handle(post('/callback', {}, { from: 'program' }));
  assert.equal(answer.status, 500);
  assert.equal(answer.headers['Set-Cookie'], undefined);
  assert.match(reports[0] ?? '', /^Cannot start a session in the answer of POST \/callback: its/);
});

test('an error page gives back nothing that another site has sent', async () => {
  const site = createTestSite().post('/callback', acceptCrossOrigin, () => {
    throw new Error('broken');
  });
  const answer = await site.handle(post('/callback', { name: 'evil' }, elsewhere[1]));
  assert.equal(answer.status, 500);
  assert.doesNotMatch(bodyText(answer), /evil/);
});

test('requireSession and acceptCrossOrigin in one chain do not compile, and stop the start', () => {
  const show = (context: Context) => text(context.request.path);
  assert.throws(
    // @ts-expect-error nobody is logged in
    () => createTestSite().post('/hooks', acceptCrossOrigin, requireSession, show),
    /^TypeError: Cannot use "requireSession" in POST \/hooks: .*"acceptCrossOrigin"\), which have no/,
  );
  // @ts-expect-error nobody is logged in
  assert.throws(() => createTestSite().post('/hooks', requireSession, acceptCrossOrigin, show));
  assert.throws(() =>
    createTestSite().group('/api', acceptCrossOrigin, (api) =>
      // @ts-expect-error nobody is logged in
      api.post('/hooks', requireSession, show),
    ),
  );
  const greet = ({ session }: Context & LoggedIn) => text(session.user.name);
  // @ts-expect-error the handler needs a user
  createTestSite().post('/hooks', acceptCrossOrigin, greet);
});

test('acceptCrossOrigin on a GET route or for all routes stops the start', () => {
  assert.throws(
    () => createTestSite().get('/hooks', acceptCrossOrigin, () => text('')),
    /^TypeError: Cannot use "acceptCrossOrigin" in GET \/hooks: a GET is let in from everywhere/,
  );
  assert.throws(
    () => createRouter().use(acceptCrossOrigin),
    /^TypeError: Cannot use "acceptCrossOrigin" for all routes: a form of another site could/,
  );
  const chain = createRouter().use(loadSession({ store: createMemoryStores().sessions }));
  assert.throws(() => chain.use(acceptCrossOrigin));
});
