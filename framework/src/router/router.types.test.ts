import assert from 'node:assert/strict';
import test from 'node:test';
import type { Context, Middleware } from '../chain/context.ts';
import { textField, wholeNumberField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { readForm } from '../form/read-form.ts';
import type { Request } from '../http/request.ts';
import { text } from '../http/response.ts';
import type { Application } from '../server/application.ts';
import { loadSession } from '../session/load-session.ts';
import { createMemorySessionStore } from '../session/memory-session-store.ts';
import { requireSession } from '../session/require-session.ts';
import { get, post } from '../testing/make-request.ts';
import { createRouter, type Router } from './router.ts';

// Each line that must not compile says so, and the test shows what would have happened had it run.

const store = createMemorySessionStore();
const itemForm = defineForm({
  name: textField({ label: 'Name', required: 'Enter a name', maxLength: 120 }),
  quantity: wholeNumberField({ label: 'Quantity', min: 0, max: 9, default: 1 }),
});

/** What the compiler refused fails when it runs. */
async function fails(router: Application, sent: Request, error: RegExp | typeof TypeError) {
  await assert.rejects(async () => router.handle(sent), error);
}

/** Adds a number under the name. */
function add<Name extends string>(
  name: Name,
): Middleware<unknown, { readonly [N in Name]: number }> {
  return (context, next) => next({ ...context, [name]: name.length } as never);
}

/** Needs a number under the name. */
function need<Name extends string>(name: Name): Middleware<{ readonly [N in Name]: number }> {
  return (context, next) => {
    if (typeof context[name] !== 'number') throw new RangeError(`There is no ${name}.`);
    return next(context);
  };
}

test('a handler that reads the user without requireSession does not compile', async () => {
  const router = createRouter()
    .use(loadSession({ store }))
    .get('/guarded', requireSession, ({ session }) => text(session.user.name))
    // @ts-expect-error the session may be null
    .get('/open', (context) => text(context.session.user.name));
  assert.equal((await router.handle(get('/guarded'))).status, 303);
  await fails(router, get('/open'), TypeError);
});

test('a router whose chain lacks what a function needs does not compile', async () => {
  const addStaff = (router: Router<Context & { readonly staff: number }>) =>
    router.get('/', ({ staff }) => text(staff.toFixed()));
  const router = createRouter();
  // @ts-expect-error nobody has put staff on the context
  addStaff(router);
  await fails(router, get('/'), TypeError);
  const whole = createRouter().use(add('staff')).use(add('more'));
  addStaff(whole);
  assert.equal((await whole.handle(get('/'))).body, '5');
});

test('a handler that reads the session without loadSession does not compile', async () => {
  // @ts-expect-error nobody has put a session on the context
  const router = createRouter().get('/', (context) => text(context.session.key));
  await fails(router, get('/'), TypeError);
});

test('a handler with a declared context that the chain does not reach does not compile', async () => {
  const show = ({ user }: { readonly user: { readonly name: string } }) => text(user.name);
  // @ts-expect-error nobody has put a user on the context
  const router = createRouter().get('/', add('one'), show);
  await fails(router, get('/'), TypeError);
});

test('a global middleware with an unmet need does not compile', async () => {
  const met = createRouter()
    .use(add('one'))
    .use(need('one'))
    .get('/', () => text('x'));
  assert.equal((await met.handle(get('/'))).status, 200);
  // @ts-expect-error no earlier middleware adds one
  const unmet = createRouter().use(need('one'));
  await fails(unmet, get('/'), /There is no one/);
  assert.throws(
    // @ts-expect-error loadSession comes too late
    () => createRouter().use(requireSession).use(loadSession({ store })),
    /^TypeError: Cannot use "requireSession": it needs context.session, which no middleware before/,
  );
});

test('a function that makes a middleware and is not called does not compile', async () => {
  const makers = [
    // @ts-expect-error it is not called
    createRouter().use(loadSession),
    // @ts-expect-error it is not called
    createRouter().post('/', readForm, () => text('x')),
    // @ts-expect-error it is not called
    createRouter().register('POST', '/', [readForm], () => text('x')),
  ];
  for (const router of makers) {
    await fails(
      router,
      post('/'),
      /^TypeError: Cannot (load sessions without a store|read a form without its definition)/,
    );
  }
});

test('a route-level middleware with an unmet need does not compile', async () => {
  const router = createRouter()
    .use(add('one'))
    .get('/met', add('two'), need('one'), need('two'), ({ one, two }) => text(`${one + two}`))
    // @ts-expect-error no earlier middleware adds two
    .get('/unmet', need('two'), ({ one }) => text(`${one}`))
    // @ts-expect-error two is added too late
    .get('/late', need('two'), add('two'), ({ two }) => text(`${two}`));
  assert.deepEqual(await router.handle(get('/met')), text('6'));
  await fails(router, get('/unmet'), /There is no two/);
  await fails(router, get('/late'), /There is no two/);
});

test('an unmet need does not compile either when the handler takes no parameters', async () => {
  const router = createRouter()
    // @ts-expect-error no earlier middleware adds one
    .get('/get', need('one'), () => text('x'))
    // @ts-expect-error no earlier middleware adds one
    .post('/post', need('one'), () => text('x'))
    // @ts-expect-error no earlier middleware adds one
    .register('GET', '/register', [need('one')], () => text('x'));
  for (const request of [get('/get'), post('/post'), get('/register')]) {
    await fails(router, request, /There is no one/);
  }
});

test('a middleware that calls next without the addition it declares does not compile', async () => {
  const liar: Middleware<unknown, { readonly user: { readonly name: string } }> = (context, next) =>
    // @ts-expect-error the user is missing
    next(context);
  const router = createRouter().get('/', liar, ({ user }) => text(user.name));
  await fails(router, get('/'), TypeError);
});

test('a middleware that adds another type than it declares does not compile', async () => {
  const liar: Middleware<unknown, { readonly name: string }> = (context, next) =>
    // @ts-expect-error the name is a number
    next({ ...context, name: 7 });
  const router = createRouter().get('/', liar, ({ name }) => text(name.toUpperCase()));
  await fails(router, get('/'), TypeError);
});

test('a middleware that drops a field of the context does not compile', async () => {
  const dropper: Middleware<unknown, { readonly two: number }> = ({ request, route }, next) =>
    // @ts-expect-error what others have added is lost
    next({ request, route, two: 2 });
  const router = createRouter()
    .use(add('one'))
    .get('/', dropper, need('one'), () => text('x'));
  await fails(router, get('/'), /There is no one/);
});

test('a middleware that returns no response does not compile', async () => {
  // @ts-expect-error what next returns must be returned
  const forgetful: Middleware = (context, next) => {
    next(context);
  };
  const router = createRouter().use(forgetful);
  await fails(router, get('/'), /returned nothing/);
});

test('a handler that returns no response does not compile', async () => {
  // @ts-expect-error text is no response
  const router = createRouter().get('/', () => 'x');
  await fails(router, get('/'), /returned "x"/);
});

test('a parameter that is not in the pattern does not compile', async () => {
  const router = createRouter()
    .get('/items/:number<int>', ({ params }) => text(params.number.toFixed(1)))
    // @ts-expect-error the pattern has a number and no id
    .get('/tags/:number', ({ params }) => text(params.id.toUpperCase()));
  assert.deepEqual(await router.handle(get('/items/7')), text('7.0'));
  await fails(router, get('/tags/7'), TypeError);
});

test('a method other than GET and POST does not compile', () => {
  assert.throws(
    // @ts-expect-error forms know GET and POST only
    () => createRouter().register('PUT', '/', [], () => text('x')),
    /^TypeError: Cannot register PUT \/: an HTML form sends GET or POST/,
  );
});

test('chains of twelve middleware compile, and the handler sees what each of them adds', async () => {
  const router = createRouter()
    .use(add('a'))
    .use(add('bb'))
    .use(loadSession({ store }))
    .post(
      '/items/:number',
      add('ccc'),
      need('a'),
      add('dddd'),
      need('ccc'),
      add('eeeee'),
      readForm(itemForm),
      need('bb'),
      add('ffffff'),
      need('eeeee'),
      add('ggggggg'),
      need('ffffff'),
      need('ggggggg'),
      ({ a, bb, ccc, dddd, eeeee, ffffff, ggggggg, params, session, validation, status }) => {
        const sum: number = a + bb + ccc + dddd + eeeee + ffffff + ggggggg;
        const kept: number = status;
        if (!validation.valid)
          return text(validation.errors.map(({ field }) => field).join(), kept);
        const { name, quantity } = validation.values;
        const doubled: number = quantity * 2;
        return text(`${sum} ${params.number} ${session} ${name.toUpperCase()} ${doubled}`, kept);
      },
    );
  const sent = post('/items/7', { name: 'chair', quantity: '4' });
  assert.deepEqual(await router.handle(sent), text('28 7 null CHAIR 8'));
  assert.deepEqual(
    await router.handle(post('/items/7', { quantity: '10' })),
    text('name,quantity', 400),
  );
});

test('a value that the form does not define does not compile', async () => {
  const router = createRouter().post('/', readForm(itemForm), ({ validation, form }) => {
    assert.equal(form.text.quantity, '2');
    if (!validation.valid) return text('invalid', 400);
    // @ts-expect-error the form has no field "colour"
    return text(validation.values.colour ?? 'none');
  });
  assert.deepEqual(
    await router.handle(post('/', { name: 'x', quantity: '2', colour: 'red' })),
    text('none'),
  );
});
