import assert from 'node:assert/strict';
import test from 'node:test';
import type { AnyMiddleware, Middleware } from '../chain/context.ts';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { readForm } from '../form/read-form.ts';
import { seeOther, text } from '../http/response.ts';
import { createMemoryReceiptStore } from '../once/memory-receipt-store.ts';
import { onlyOnce } from '../once/only-once.ts';
import { loadSession } from '../session/load-session.ts';
import { createMemorySessionStore } from '../session/memory-session-store.ts';
import { requireSession } from '../session/require-session.ts';
import { createRouter } from './router.ts';

// What JavaScript can write: the compiler refuses all of it.
const form = defineForm({ name: textField({ label: 'Name', maxLength: 9 }) });
const load = loadSession({ store: createMemorySessionStore() });
const once = onlyOnce(createMemoryReceiptStore()) as AnyMiddleware;
const pass: Middleware = (context, next) => next(context);
const answer = () => text('x');
const redirect = () => seeOther('/' as never);
const missing = undefined as never;
const none = undefined as unknown as AnyMiddleware;

test('a route without a handler, or with one that is no function, is refused', () => {
  const noHandler =
    /^TypeError: Cannot register GET \/x with undefined as its handler. Put a function/;
  // @ts-expect-error there is no handler
  assert.throws(() => createRouter().get('/x'), noHandler);
  assert.throws(() => createRouter().get('/x', missing), noHandler);
  assert.throws(() => createRouter().register('GET', '/x', [], missing), noHandler);
  assert.throws(
    () => createRouter().post('/x', text('x') as never),
    /^TypeError: Cannot register POST \/x with an object as its handler/,
  );
});

test('a middleware of the framework in the place of the handler is refused', () => {
  assert.throws(
    () =>
      createRouter()
        .use(load)
        .get('/x', requireSession as never),
    /^TypeError: Cannot register GET \/x with "requireSession" as its handler: it is a middleware/,
  );
});

test('a middleware that is no function is refused', () => {
  const notOne = /^TypeError: Cannot use undefined as a middleware in GET \/x: it is no function/;
  assert.throws(() => createRouter().get('/x', none, answer), notOne);
  assert.throws(() => createRouter().register('GET', '/x', [none], answer), notOne);
  assert.throws(
    () => createRouter().use(none),
    /^TypeError: Cannot use undefined as a middleware: it is no function/,
  );
  assert.throws(
    () => createRouter().group('/a', none, (group) => group),
    /^TypeError: Cannot use undefined as a middleware in the group \/a/,
  );
});

test('a middleware that needs what no middleware before it adds is refused', () => {
  const loggedIn: AnyMiddleware = requireSession;
  assert.throws(
    () => createRouter().get('/x', loggedIn, answer),
    /^TypeError: Cannot use "requireSession" in GET \/x: it needs context.session, which no middleware before it adds. Put loadSession\(\{ store \}\) before it.$/,
  );
  assert.throws(
    () => createRouter().use(load).post('/x', once, readForm(form), redirect),
    /"onlyOnce" in POST \/x: it needs context.form, .* Put readForm\(form\) before it.$/,
  );
  createRouter().use(load).post('/x', loggedIn, readForm(form), once, redirect);
});

test('a middleware that is not described may add anything', () => {
  const loggedIn: AnyMiddleware = requireSession;
  createRouter().use(pass).get('/x', loggedIn, answer);
  createRouter().get('/x', pass, loggedIn, answer);
  assert.throws(() => createRouter().get('/x', loggedIn, pass, answer), TypeError);
});

test('a group knows what the middleware around it adds', () => {
  createRouter()
    .use(load)
    .group('/a', requireSession, (group) =>
      group.use(readForm(form)).group('/b', (inner) => inner.post('/c', once, redirect)),
    );
});
