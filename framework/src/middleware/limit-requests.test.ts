import assert from 'node:assert/strict';
import test from 'node:test';
import type { Context, Middleware } from '../chain/context.ts';
import { createRequest, type Request } from '../http/request.ts';
import { empty, type Response, text } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { sessionSlot } from '../session/session.ts';
import { catchErrors } from './catch-errors.ts';
import type { RefusedRequests } from './client-shares.ts';
import type { ErrorReport } from './error-report.ts';
import { limitRequests, type RequestLimits } from './limit-requests.ts';

interface From {
  readonly address?: string;
  readonly user?: string;
  readonly method?: string;
  readonly body?: Request['body'];
}

/** A site with one limited route. Each request waits until the test answers it. */
function createSite(limits: RequestLimits) {
  const running: { readonly answer: (response: Response) => void; readonly fail: () => void }[] =
    [];
  const reports: ErrorReport[] = [];
  const logIn: Middleware = (context, next) => {
    const { user } = context.request.headers;
    if (user !== undefined) sessionSlot.set(context.request, { user: { id: user, name: user } });
    return next(context);
  };
  const work = (_: Context) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    running.push({ answer: resolve, fail: () => reject(new Error('a bug')) });
    return promise;
  };
  const router = createRouter()
    .use(
      catchErrors({
        page: ({ message, status, isInLog }) => text(`${message} ${isInLog}`, status),
        report: (report) => reports.push(report),
      }),
    )
    .use(logIn)
    .get('/', limitRequests(limits), work)
    .post('/', limitRequests(limits), work as () => Promise<Response<303>>);

  const send = ({ address = '192.0.2.1', user, method = 'GET', body = null }: From = {}) => {
    const headers = user === undefined ? {} : { user };
    return router.handle(createRequest({ method, target: '/', address, headers, body }));
  };
  return {
    running,
    reports,
    send,
    /** The request is left running. */
    start: (from: From) => void send(from),
    /** Resolves to the status of a refused request, or to 0 for one that runs; it is then answered. */
    async probe(from: From, answer: Response = empty(200)): Promise<number> {
      const before = running.length;
      const sent = send(from);
      if (running.length === before) return (await sent).status;
      running.pop()?.answer(answer);
      await sent;
      return 0;
    },
  };
}

test('a request that never ends gives its place back after a time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { start, probe, running } = createSite({ max: 2, timeout: 60_000 });
  start({});
  t.mock.timers.tick(30_000);
  start({});
  t.mock.timers.tick(29_999);
  assert.equal(await probe({}), 503);
  t.mock.timers.tick(1);
  assert.equal(await probe({}), 0);
  start({});
  assert.equal(await probe({}), 503);
  // Its end does not count a second time.
  running[0]?.answer(empty(200));
  await new Promise(setImmediate);
  assert.equal(await probe({}), 503);
});

test('a network has its share, beyond which it gets 429, and others none of it', async () => {
  const { start, probe, running } = createSite({ max: 3, maxPerNetwork: 2 });
  start({ address: '192.0.2.1' });
  start({ address: '192.0.2.1' });
  assert.equal(await probe({ address: '192.0.2.1' }), 429);
  assert.equal(await probe({ address: '192.0.2.2' }), 0);
  start({ address: '192.0.2.2' });
  assert.equal(await probe({ address: '192.0.2.3' }), 503);
  running[0]?.answer(empty(200));
  await new Promise(setImmediate);
  assert.equal(await probe({ address: '192.0.2.3' }), 0);
  assert.equal(await probe({ address: '192.0.2.1' }), 0);
});

test('a /56 has twice the share of a /64, and a /48 four times', async () => {
  for (const [toAddress, share] of [
    [(at: number) => `2001:db8::${at}`, 3],
    [(at: number) => `2001:db8:0:${at}::1`, 6],
    [(at: number) => `2001:db8:0:${at}00::1`, 12],
  ] as const) {
    const { start, probe, running } = createSite({ maxPerNetwork: 3 });
    for (let at = 1; at <= 20; at++) start({ address: toAddress(at) });
    assert.equal(running.length, share);
    assert.equal(await probe({ address: toAddress(30) }), 429);
    assert.equal(await probe({ address: '2001:db8:1::1' }), 0);
  }
});

test('a user counts for the account, and visitors never get the last places', async () => {
  const limits = { max: 4, maxPerAccount: 1, maxPerNetwork: 3, reservedForAccounts: 2 };
  const { start, probe } = createSite(limits);
  start({});
  start({});
  assert.equal(await probe({}), 503);
  assert.equal(await probe({ user: 'ada' }), 0);
  start({ user: 'ada' });
  assert.equal(await probe({ user: 'ada', address: '192.0.2.9' }), 429);
  assert.equal(await probe({ user: 'bob' }), 0);
  start({ user: 'bob' });
  assert.equal(await probe({ user: 'cleo' }), 503);
});

test('without a limit for accounts, users count for their network', async () => {
  const { start, probe } = createSite({ maxPerNetwork: 1 });
  start({ user: 'ada' });
  assert.equal(await probe({ user: 'bob' }), 429);
  assert.equal(await probe({}), 429);
});

test('a refusal says when to come back, reads nothing of the body, and is no error of the log', async () => {
  const words = { message: 'Too many at once.', ownMessage: 'You have one.' };
  const { start, send, reports } = createSite({ max: 2, maxPerNetwork: 1, ...words });
  start({ method: 'POST' });
  let isRead = false;
  async function* body() {
    isRead = true;
    yield new Uint8Array(1);
  }
  const answer = await send({ method: 'POST', body: body() });
  assert.equal(answer.status, 429);
  assert.equal(answer.headers['Retry-After'], '5');
  assert.equal(answer.body, 'You have one. false');
  start({ method: 'POST', address: '192.0.2.2' });
  const full = await send({ method: 'POST', address: '192.0.2.3' });
  assert.equal(full.body, 'Too many at once. false');
  assert.deepEqual([isRead, reports], [false, []]);
});

test('a request that fails gives its place back', async () => {
  const { running, send, probe } = createSite({ max: 1 });
  const sent = send();
  running.pop()?.fail();
  assert.equal((await sent).status, 500);
  assert.equal(await probe({}), 0);
});

test('refusals are counted, and reported at most every five seconds with the last client', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const reports: RefusedRequests[] = [];
  const { start, probe } = createSite({
    ...{ max: 2, maxPerAccount: 1, maxPerNetwork: 1 },
    report: (refused) => reports.push(refused),
  });
  start({});
  for (let count = 0; count < 3; count++) await probe({});
  t.mock.timers.tick(5_000);
  start({ user: 'ada' });
  await probe({ user: 'ada' });
  t.mock.timers.tick(5_000);
  await probe({ user: 'bob' });
  t.mock.timers.tick(5_000);
  assert.deepEqual(reports, [
    { count: 3, account: null, network: '192.0.2.1' },
    { count: 1, account: 'ada', network: null },
    { count: 1, account: null, network: null },
  ]);
});

/** A response whose stream the test reads. */
async function startStream(limits: RequestLimits) {
  const site = createSite(limits);
  let isClosed = false;
  async function* chunks() {
    try {
      for (let count = 0; count < 2; count++) yield new Uint8Array(1);
      if (limits.message === 'fails') throw new Error('gone');
    } finally {
      isClosed = true;
    }
  }
  const sent = site.send();
  site.running.pop()?.answer({ ...empty(200), body: chunks() });
  const { body } = await sent;
  assert.ok(body !== null && typeof body === 'object' && Symbol.asyncIterator in body);
  return { ...site, stream: body[Symbol.asyncIterator](), isClosed: () => isClosed };
}

test('a response with a stream counts until it has been read', async () => {
  const { probe, stream } = await startStream({ max: 1 });
  for (let count = 0; count < 2; count++) {
    assert.equal(await probe({}), 503);
    assert.equal((await stream.next()).done, false);
  }
  assert.equal(await probe({}), 503);
  assert.equal((await stream.next()).done, true);
  assert.equal(await probe({}), 0);
});

test('a stream that fails, or whose reader leaves before or after its start, gives its place back', async () => {
  const failing = await startStream({ max: 1, message: 'fails' });
  for (let count = 0; count < 2; count++) await failing.stream.next();
  await assert.rejects(failing.stream.next(), /gone/);
  assert.equal(await failing.probe({}), 0);
  for (const read of [0, 1]) {
    const left = await startStream({ max: 1 });
    for (let count = 0; count < read; count++) await left.stream.next();
    await left.stream.return?.();
    assert.equal(await left.probe({}), 0);
    assert.equal(left.isClosed(), read > 0);
  }
});

test('a reader that takes too long loses the place, and the stream ends with an error', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { probe, stream, isClosed } = await startStream({ max: 1, timeout: 60_000 });
  await stream.next();
  t.mock.timers.tick(59_999);
  assert.equal(await probe({}), 503);
  t.mock.timers.tick(1);
  assert.equal(await probe({}), 0);
  assert.equal(isClosed(), true);
  await assert.rejects(stream.next(), /its client took longer than 60000 ms/);
});

test('the stream of a response to HEAD, which nobody reads, holds no place', async () => {
  const { probe } = createSite({ max: 1 });
  async function* chunks() {
    yield new Uint8Array(1);
  }
  for (let count = 0; count < 2; count++)
    assert.equal(await probe({ method: 'HEAD' }, { ...empty(200), body: chunks() }), 0);
});

test('a limit that limits nothing, or not as it says, is refused', () => {
  for (const [limits, message] of [
    [{}, /without a number/],
    [{ max: 0 }, /max 0: it must be a whole number from 1/],
    [{ maxPerNetwork: 1.5 }, /maxPerNetwork 1\.5/],
    [{ maxPerAccount: Number.NaN }, /maxPerAccount NaN/],
    [{ max: 2 ** 31 }, /max 2147483648: it must be a whole number from 1 to 2147483647/],
    [{ max: 2, reservedForAccounts: 2 }, /reservedForAccounts 2: .* from 0 to 1, less than max/],
    [{ maxPerNetwork: 2, reservedForAccounts: 1 }, /reservedForAccounts 1/],
  ] as const)
    assert.throws(() => limitRequests(limits), message);
});
