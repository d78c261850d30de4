import assert from 'node:assert/strict';
import test from 'node:test';
import { text, withSession } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { createVisitor } from '../testing/visitor.ts';
import { loadSession } from './load-session.ts';
import { createMemorySessionStore } from './memory-session-store.ts';
import { requireSession } from './require-session.ts';
import type { SessionUser } from './session.ts';
import { renewSession, setData, startSession } from './session-change.ts';

interface Member extends SessionUser {
  readonly id: string;
  readonly role: 'reader' | 'editor';
}

interface Settings {
  readonly theme: 'light' | 'dark';
  readonly columns: readonly string[];
}

const ADA: Member = { id: 'ada', name: 'Ada', role: 'editor' };

function createSite() {
  const store = createMemorySessionStore<Member, Settings>();
  const router = createRouter()
    .use(loadSession({ store }))
    .get('/', requireSession, ({ session: { user, data } }) => {
      // The types of the store, without a cast.
      const role: 'reader' | 'editor' = user.role;
      const theme: 'light' | 'dark' = data.theme ?? 'light';
      return text(`${user.id} ${role} ${theme} ${data.columns?.join() ?? 'all'}`);
    })
    .get('/open', ({ session }) => text(session?.data.theme ?? 'none'))
    .post('/log-in', () => withSession(text('in'), startSession(ADA)))
    .post('/log-in/dark', () =>
      withSession(text('in'), startSession(ADA, { data: { theme: 'dark' } })),
    )
    .post('/theme/:theme', requireSession, ({ session, params }) => {
      const theme = params.theme === 'none' ? undefined : (params.theme as 'light' | 'dark');
      return withSession(text('set'), setData(session, { theme }));
    })
    .post('/late', requireSession, async ({ session }) => {
      await store.update(session.key, (one) => ({ ...one, data: { columns: ['name'] } }));
      return withSession(text('set'), setData(session, { theme: 'dark' }));
    })
    .post('/columns', requireSession, ({ session }) =>
      withSession(text('set'), setData(session, { columns: ['name'] }), renewSession),
    );
  const visitor = createVisitor(router);
  return {
    visitor,
    store,
    see: async (path = '/') => String((await visitor.get(path)).body),
  };
}

test('a session starts without data, or with the data that the log-in passes', async () => {
  const { visitor, see } = createSite();
  assert.equal(await see('/open'), 'none');
  await visitor.post('/log-in');
  assert.equal(await see(), 'ada editor light all');
  await visitor.post('/log-in/dark');
  assert.equal(await see(), 'ada editor dark all');
});

test('a change of the data changes only the given fields, and undefined removes one', async () => {
  const { visitor, see, store } = createSite();
  await visitor.post('/log-in');
  await visitor.post('/theme/dark');
  await visitor.post('/columns');
  assert.equal(await see(), 'ada editor dark name');
  await visitor.post('/theme/none');
  assert.equal(await see(), 'ada editor light name');
  const [session] = await store.list('ada', new Date());
  assert.deepEqual(session?.data, { columns: ['name'] });
});

test('a change of the data keeps fields that a concurrent request has changed', async () => {
  const { visitor, see } = createSite();
  await visitor.post('/log-in');
  await visitor.post('/late');
  assert.equal(await see(), 'ada editor dark name');
});

test('the data stay under a new id, and do not go to the next log-in', async () => {
  const { visitor, see } = createSite();
  await visitor.post('/log-in/dark');
  const before = visitor.cookie('sid');
  await visitor.post('/columns');
  assert.notEqual(visitor.cookie('sid'), before);
  assert.equal(await see(), 'ada editor dark name');
  await visitor.post('/log-in');
  assert.equal(await see(), 'ada editor light all');
});

test('data that the type does not declare, or that are not JSON, do not compile', async () => {
  const store = createMemorySessionStore<SessionUser, { readonly at: string }>();
  const router = createRouter()
    .use(loadSession({ store }))
    .post('/log-in', () =>
      // @ts-expect-error a Date comes back from a store as text
      withSession(text('in'), startSession(ADA, { data: { at: new Date(0) } })),
    )
    .post('/unknown', requireSession, ({ session }) =>
      // @ts-expect-error the data has no field of that name
      withSession(text('set'), setData(session, { on: 'x' })),
    )
    .post('/number', requireSession, ({ session }) =>
      // @ts-expect-error the field is a text
      withSession(text('set'), setData(session, { at: 1 })),
    );
  const visitor = createVisitor(router);
  await visitor.post('/log-in');
  const [session] = await store.list(ADA.id, new Date());
  assert.deepEqual(session?.data, { at: '1970-01-01T00:00:00.000Z' });
  await visitor.post('/unknown');
  await visitor.post('/number');
  const [changed] = await store.list(ADA.id, new Date());
  assert.deepEqual(changed?.data, { at: 1, on: 'x' });
});
