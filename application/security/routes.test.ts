/** Rows B7 to B9 of docs/hostile.md: matching, guards and invalid routes. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import test from 'node:test';
import fc from 'fast-check';
import { type Context, createRouter, text } from 'seeother';
import { get, request } from 'seeother/testing';
import { createMember, createTestApplication } from '../testing/create-test-application.ts';
import { costRatio, pathOf } from './probe.ts';

test('B7: matching takes linear time in the length of the path', async (t) => {
  // A pattern has no regular expression that could take longer.
  for (const pattern of ['/:a(([a-z]+-?)+)', '/:a-:b', '/*a/*b'])
    assert.throws(() => createRouter().get(pattern, () => text('')), /Cannot/, pattern);
  const application = await createTestApplication(t);
  const hostile = (size: number) => [
    `/${'a-'.repeat(size / 2)}`,
    '/'.repeat(size),
    `/items/${'1'.repeat(size)}x`,
    `/items/${'%31'.repeat(size / 3)}`,
    `/${'%25'.repeat(size / 3)}`,
    `/items/new${'/..'.repeat(size / 3)}`,
  ];
  const long = hostile(16 * 8_192);
  for (const [index, short] of hostile(8_192).entries()) {
    const longer = long[index] ?? '';
    assert.equal((await application.handle(get(short))).status, 404);
    const ask = (target: string) => () => application.handle(get(target));
    // 16 for linear time, 256 for quadratic time.
    const ratio = await costRatio(80, 0.02, ask(short), ask(longer));
    assert.ok(ratio < 80, `${short.slice(0, 20)}: ${ratio} times as much`);
  }
});

/** The number of random paths. About half match a route. */
const PATHS = 5_000;
const SEGMENTS = ['', 'items', 'new', 'login', '01', 'x', '.', '..', '%6eew', 'NEW', 'edit'];
const BEFORE = ['/', '/.', '/x/..', '/%2e', '/items'];
const AFTER = ['/', '?x=/items/new', '%20', ';x', '%00', '%2fnew', '.json', '%25'];

/** The guards that let no visitor without an account pass. */
const NEEDS_ACCOUNT = /^require(?:Session|Member|Administrator)$/;

/** Mostly empty. */
function rarely(texts: readonly string[]) {
  return fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom(...texts));
}

test('B8: if a handler runs, its guards have run before it', async (t) => {
  const application = await createTestApplication(t);
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

test('B9: a route that is registered twice or can never match is refused at the start', async (t) => {
  const answer = () => text('');
  const twice = createRouter().get('/items', answer).get('/items', answer);
  assert.throws(() => twice.prepare(), /Cannot reach a route[\s\S]*GET \/items, registered at/);
  const hidden = createRouter().get('/items/:name', answer).get('/items/new', answer);
  assert.throws(() => hidden.prepare(), /GET \/items\/new[\s\S]*Register it before that one/);
  // The routes of the application have none of these errors.
  assert.equal((await (await createTestApplication(t)).handle(get('/healthz'))).status, 200);
});
