/** A store that fails during a request: which errors a page ignores, and which it does not. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { page, seeOther, text, withSession } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { loadSession } from './load-session.ts';
import { createMemorySessionStore } from './memory-session-store.ts';
import {
  addFlash,
  dropDraft,
  endSession,
  keepDraft,
  renewSession,
  startSession,
  withFlash,
} from './session-change.ts';
import type { SessionStore } from './session-store.ts';

const ADA = { id: 1, name: 'ada' };
const HOME = localPath('/');
const DRAFT = { action: '/', path: '/', fields: { name: 'Drill' }, once: null, language: 'en' };
const MINUTE = 60_000;

/** A logged-in user; `allow` sets how many more writes succeed before the store fails. */
async function createSite(t: TestContext) {
  const warn = t.mock.method(process, 'emitWarning', (_: string | Error) => {});
  const memory = createMemorySessionStore();
  let time = new Date('2026-11-20T12:00:00Z').getTime();
  let writes = Number.POSITIVE_INFINITY;
  const write = async <T>(carryOut: () => T): Promise<Awaited<T>> => {
    if (writes-- <= 0) throw new Error('disk full');
    return await carryOut();
  };
  const store: SessionStore = {
    ...memory,
    create: (session, replaced) => write(() => memory.create(session, replaced)),
    update: (key, change) => write(() => memory.update(key, change)),
    renew: (key, change) => write(() => memory.renew(key, change)),
    delete: (key) => write(() => memory.delete(key)),
  };
  const router = createRouter()
    .use(loadSession({ store, now: () => new Date(time) }))
    .get('/', ({ session, flash }) => page(html`${session?.user.name} ${flash ?? 'nothing'}`))
    .get('/broken', () => {
      throw new Error('a bug of the handler');
    })
    .post('/login', () => withSession(text('in'), startSession(ADA)))
    .post('/logout', () => withSession(text('out'), endSession))
    .post('/renew', () => withSession(withFlash(seeOther(HOME), 'Renewed.'), renewSession))
    .post('/save', () => withFlash(seeOther(HOME), 'Saved.'))
    .post('/keep', () => withSession(text('kept'), keepDraft(DRAFT)))
    .post('/drop', () => withSession(text('dropped'), dropDraft))
    .post('/warn', () => withSession(text('warned'), addFlash(localPath('/broken'), 'Look.')));
  const visitor = createVisitor(router);
  await visitor.post('/login');
  return {
    visitor,
    allow: (count: number) => {
      writes = count;
    },
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    warnings: () => warn.mock.calls.map(({ arguments: [warning] }) => String(warning)),
  };
}

test('a session whose visit cannot be stored is used, with a warning', async (t) => {
  const { visitor, allow, pass, warnings } = await createSite(t);
  pass(2 * MINUTE);
  allow(0);
  assert.equal(bodyText(await visitor.get('/')), 'ada nothing');
  assert.equal(warnings().length, 1);
  assert.match(warnings()[0] ?? '', /^Warning: Cannot write to the session store: disk full\. /);
});

test('an expired session is ignored, and nothing is written for it', async (t) => {
  const { visitor, allow, pass, warnings } = await createSite(t);
  pass(13 * 60 * MINUTE);
  allow(0);
  assert.equal(bodyText(await visitor.get('/')), ' nothing');
  assert.deepEqual(warnings(), []);
});

test('a page shows its message also while the store cannot be written', async (t) => {
  const { visitor, allow, warnings } = await createSite(t);
  await visitor.post('/save');
  allow(0);
  assert.equal(bodyText(await visitor.get('/')), 'ada Saved.');
  assert.equal(warnings().length, 1);
  // Nothing says that it was shown: twice is better than never.
  allow(9);
  assert.equal(bodyText(await visitor.get('/')), 'ada Saved.');
  assert.equal(bodyText(await visitor.get('/')), 'ada nothing');
});

test("a message or a draft that cannot be stored does not replace the handler's response", async (t) => {
  const { visitor, allow, warnings } = await createSite(t);
  allow(0);
  assert.equal((await visitor.post('/save')).headers['Location'], HOME);
  assert.deepEqual(await visitor.post('/keep'), text('kept'));
  assert.deepEqual(await visitor.post('/drop'), text('dropped'));
  assert.equal(warnings().length, 3);
  assert.equal(bodyText(await visitor.get('/')), 'ada nothing');
});

test('a start, an end and a new id of a session that cannot be stored are errors', async (t) => {
  const { visitor, allow } = await createSite(t);
  const id = visitor.cookie('sid');
  for (const path of ['/login', '/logout', '/renew']) {
    allow(0);
    await assert.rejects(visitor.post(path), /disk full/, path);
    assert.equal(visitor.cookie('sid'), id);
  }
});

test('the error of the handler is thrown, also if its message cannot be put back', async (t) => {
  const { visitor, allow } = await createSite(t);
  await visitor.post('/warn');
  // Removing the message succeeds; putting it back fails.
  allow(1);
  await assert.rejects(visitor.get('/broken'), /a bug of the handler/);
});

test('loadSession without a store is an error where it is called', () => {
  const withoutStore = /^TypeError: Cannot load sessions without a store. Pass one: loadSession/;
  // @ts-expect-error the options are missing
  assert.throws(() => loadSession(), withoutStore);
  // @ts-expect-error the store is missing
  assert.throws(() => loadSession({}), withoutStore);
});
