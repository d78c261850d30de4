import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import test, { type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { text } from '../http/response.ts';
import { serverTiming } from '../middleware/server-timing.ts';
import { createRouter } from '../router/router.ts';
import { get } from '../testing/make-request.ts';
import type { Middleware } from './context.ts';
import { CHAIN_ENTER, CHAIN_EXIT, type ElementEntry, type ElementExit, isTraced } from './trace.ts';

function listen<T>(t: TestContext, name: string): T[] {
  const messages: T[] = [];
  const note = (message: unknown) => void messages.push(message as T);
  subscribe(name, note);
  t.after(() => unsubscribe(name, note));
  return messages;
}

/** The clock of the traces in milliseconds, if a test replaces it. */
let time = 0;

const slowly: Middleware = async function slowly(context, next) {
  await turn();
  time += 30;
  return next(context);
};
const quickly: Middleware = function quickly(context, next) {
  return next(context);
};

const createSite = () =>
  createRouter()
    .use(quickly)
    .use(slowly)
    .get('/items', async function listItems() {
      await turn();
      time += 60;
      return text('listed');
    })
    .get('/broken', function fails() {
      throw new Error('Broken.');
    });

test('without subscribers nothing is traced, and each element gets the original next', async () => {
  const names: string[] = [];
  const look: Middleware = (context, next) => {
    names.push(next.name);
    return next(context);
  };
  const site = createRouter()
    .use(look)
    .get('/', () => text('x'));
  assert.equal(isTraced(), false);
  await site.handle(get('/'));
  assert.deepEqual(names, ['next']);
});

test('each element publishes its entry and its exit, with request, route and name', async (t) => {
  const entries = listen<ElementEntry>(t, CHAIN_ENTER);
  const exits = listen<ElementExit>(t, CHAIN_EXIT);
  const request = get('/items');
  await createSite().handle(request);
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['quickly', 'slowly', 'listItems'],
  );
  assert.deepEqual(
    exits.map(({ name }) => name),
    ['listItems', 'slowly', 'quickly'],
  );
  for (const entry of [...entries, ...exits]) {
    assert.equal(entry.request, request);
    assert.equal(entry.route?.pattern, '/items');
  }
});

test('the own time of an element excludes the time inside next', async (t) => {
  t.mock.method(performance, 'now', () => time);
  const exits = listen<ElementExit>(t, CHAIN_EXIT);
  await createSite().handle(get('/items'));
  assert.deepEqual(
    exits.map(({ name, ownTime }) => [name, ownTime]),
    [
      ['listItems', 60],
      ['slowly', 30],
      ['quickly', 0],
    ],
  );
});

test('an element that throws publishes its exit too, and its error is unchanged', async (t) => {
  const exits = listen<ElementExit>(t, CHAIN_EXIT);
  await assert.rejects(async () => createSite().handle(get('/broken')), /^Error: Broken\.$/);
  assert.deepEqual(
    exits.map(({ name }) => name),
    ['fails', 'slowly', 'quickly'],
  );
});

test('misuse is detected and named in the same way with subscribers', async (t) => {
  listen(t, CHAIN_EXIT);
  const site = createRouter()
    .use(function drops(context, next) {
      next(context);
      return text('too early');
    })
    .get('/', async () => {
      await turn();
      return text('late');
    });
  await assert.rejects(
    async () => site.handle(get('/')),
    /^TypeError: "drops" in the chain of GET \/ /,
  );
});

test('serverTiming lists the chain in the header, in its order, with names that are tokens', async () => {
  const site = createRouter()
    .use(serverTiming())
    .use(Object.defineProperty(quickly.bind(null) as Middleware, 'name', { value: 'two words' }))
    .get('/', () => text('x'));
  const { headers } = await site.handle(get('/'));
  assert.match(
    String(headers['Server-Timing']),
    /^1-two_words;dur=\d+\.\d{3}, 2-nameless;dur=\d+\.\d{3}$/,
  );
});
