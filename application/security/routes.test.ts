/** Rows B5 and B8 of docs/hostile.md: no path leads past a guard, and no account into another. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import test from 'node:test';
import fc from 'fast-check';
import type { Context } from 'seeother';
import { request } from 'seeother/testing';
import { createMember, createTestApplication } from '../testing/create-test-application.ts';
import { openEveryWay, pathOf } from './probe.ts';

/** The number of random paths. About half match a route. */
const PATHS = 2_000;
const SEGMENTS = ['', 'items', 'new', 'login', '01', 'x', '.', '..', '%6eew', 'NEW', 'edit'];
const BEFORE = ['/', '/.', '/x/..', '/%2e', '/items'];
const AFTER = ['/', '?x=/items/new', '%20', ';x', '%00', '%2fnew', '.json', '%25'];

/** The guards that let no visitor without an account pass. */
const NEEDS_ACCOUNT = /^require(?:Session|Member|Administrator|Role|Recent)$/;

/** Mostly empty. */
function rarely(texts: readonly string[]) {
  return fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom(...texts));
}

test('B8: if a handler runs, its guards have run before it', async (t) => {
  const application = await createTestApplication(t, { signIn: await openEveryWay() });
  const member = await createMember(application);
  const headers = { cookie: `sid=${member.cookie('sid')}` };
  const chainOf = new Map(
    application.routes.map(({ name, middleware, handler }) => [
      name,
      { guards: middleware.map((one) => one.name), handler: handler.name },
    ]),
  );
  let entered: (Pick<Context, 'route'> & { readonly name: string })[] = [];
  const listen = (message: unknown) => void entered.push(message as (typeof entered)[number]);
  subscribe('seeother:chain:enter', listen);
  t.after(() => unsubscribe('seeother:chain:enter', listen));

  const made = fc.array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 3 });
  const base = fc.oneof(
    fc.constantFrom(...application.routes.map(({ pattern }) => pathOf(pattern))),
    made.map((segments) => `/${segments.join('/')}`),
  );
  const path = fc.tuple(rarely(BEFORE), base, rarely(AFTER));
  const method = fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PUT');
  let handled = 0;
  let guarded = 0;
  await fc.assert(
    fc.asyncProperty(path, method, fc.boolean(), async (parts, method, isMember) => {
      const target = parts.join('');
      entered = [];
      const body = method === 'POST' ? new Uint8Array() : null;
      // A log-out would end the session that the other requests use.
      const init = isMember && !target.includes('logout') ? { headers } : {};
      await application.handle(request(method, target, body, init));
      const last = entered.at(-1);
      const chain = last?.route && chainOf.get(`${last.route.method} ${last.route.pattern}`);
      if (!chain || last.name !== chain.handler) return;
      handled++;
      const ran = entered.map(({ name }) => name);
      assert.deepEqual(ran.slice(-1 - chain.guards.length), [...chain.guards, chain.handler]);
      if (!chain.guards.some((name) => NEEDS_ACCOUNT.test(name))) return;
      guarded++;
      assert.ok(isMember, `${method} ${target} was let in without a session`);
    }),
    { numRuns: PATHS },
  );
  assert.ok(handled > PATHS / 20 && guarded > PATHS / 50, `${handled} handled, ${guarded} guarded`);
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
