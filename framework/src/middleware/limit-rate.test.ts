import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Context, Middleware } from '../chain/context.ts';
import { HttpError } from '../http/http-error.ts';
import { createRequest } from '../http/request.ts';
import { empty, type Response, text } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { sessionSlot } from '../session/session.ts';
import { catchErrors } from './catch-errors.ts';
import type { RefusedRequests } from './client-shares.ts';
import { limitRate, type RateLimits } from './limit-rate.ts';

const MINUTE = 60_000;

interface From {
  readonly address?: string;
  readonly user?: string;
  /** The status of the answer. */
  readonly answer?: string;
  readonly key?: string;
  readonly method?: string;
}

function createSite(t: TestContext, limits: RateLimits<Context>) {
  let now = Date.now();
  t.mock.method(Date, 'now', () => now);
  let running = 0;
  const logIn: Middleware = (context, next) => {
    const { user } = context.request.headers;
    if (user !== undefined) sessionSlot.set(context.request, { user: { id: user, name: user } });
    return next(context);
  };
  const router = createRouter()
    .use(
      catchErrors({ page: ({ message, status }) => text(`${message}`, status), report: () => {} }),
    )
    .use(logIn)
    .get('/', limitRate(limits), () => empty(200))
    .post('/', limitRate(limits), async ({ request }): Promise<Response<never>> => {
      running++;
      const status = Number(request.headers['answer'] ?? 303);
      if (status >= 500) throw status === 500 ? new Error('a bug') : new HttpError(503, 'Away.');
      if (status === 429) throw new HttpError(429, 'Elsewhere.');
      return empty(status) as Response<never>;
    });
  const send = ({ address = '192.0.2.1', method = 'POST', ...headers }: From = {}) =>
    router.handle(createRequest({ method, target: '/', address, headers: { ...headers } }));
  return {
    send,
    status: async (from?: From) => (await send(from)).status,
    running: () => running,
    pass(time: number) {
      now += time;
    },
  };
}

test('a network beyond its rate gets 429, with the time until its next request, and others none of it', async (t) => {
  const { send, status, pass, running } = createSite(t, { maxPerNetwork: 2, within: MINUTE });
  assert.deepEqual([await status(), await status()], [303, 303]);
  const refused = await send();
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['Retry-After'], '30');
  assert.equal(refused.body, 'Too many such requests were sent. You can try again in 30 seconds.');
  assert.equal(await status({ address: '192.0.2.2' }), 303);
  pass(29_001);
  assert.equal((await send()).headers['Retry-After'], '1');
  pass(999);
  assert.equal(await status(), 303);
  assert.equal(await status(), 429);
  assert.equal(running(), 4);
});

test('an IPv6 client cannot evade its rate with the other addresses of its site', async (t) => {
  const { status } = createSite(t, { maxPerNetwork: 3, within: MINUTE });
  const statuses = [];
  for (let at = 0; at < 20; at++) statuses.push(await status({ address: `3031:db8:0:${at}00::1` }));
  assert.deepEqual(statuses, [...Array(12).fill(303), ...Array(8).fill(429)]);
  assert.equal(await status({ address: '3031:db8:1::1' }), 303);
});

test('a user counts for the account, and all together get 503', async (t) => {
  const words = { message: 'Many are.', ownMessage: 'You are.' };
  const { send, status } = createSite(t, { max: 3, maxPerAccount: 1, within: MINUTE, ...words });
  assert.equal(await status({ user: 'ada' }), 303);
  const own = await send({ user: 'ada', address: '192.0.2.2' });
  assert.deepEqual([own.status, own.body], [429, 'You are. You can try again in 60 seconds.']);
  assert.deepEqual([await status({ user: 'bo' }), await status()], [303, 303]);
  const all = await send();
  assert.deepEqual([all.status, all.body], [503, 'Many are. You can try again in 20 seconds.']);
});

test('a key counts together, whatever its length and letters, and null counts for nothing', async (t) => {
  const { status } = createSite(t, {
    key: async ({ request }) => request.headers['key'] ?? null,
    maxPerKey: 1,
    within: MINUTE,
  });
  for (const key of ['ada', '', 'ü', 'a\0', 'x'.repeat(100_000), `${'x'.repeat(100_000)}y`]) {
    assert.equal(await status({ key }), 303);
    assert.equal(await status({ key, address: '192.0.2.2' }), 429);
  }
  assert.deepEqual([await status(), await status()], [303, 303]);
});

test('of requests at once, no more run than the limit', async (t) => {
  const { send, running } = createSite(t, {
    key: async () => 'ada',
    ...{ maxPerKey: 5, maxPerNetwork: 8, within: MINUTE, counts: (status) => status === 401 },
  });
  await Promise.all(Array.from({ length: 30 }, () => send({ answer: '401' })));
  assert.equal(running(), 5);
});

test('with counts, only some answers count; a refusal of another limit and a button of the form never do', async (t) => {
  const failed = createSite(t, {
    ...{ maxPerNetwork: 2, within: MINUTE, counts: (status) => status === 401 },
  });
  const sent = ['303', '429', '503', '500', '401', '303', '401'];
  for (const answer of sent) assert.equal(await failed.status({ answer }), Number(answer));
  assert.equal(await failed.status({ answer: '303' }), 429);

  const all = createSite(t, { maxPerNetwork: 2, within: MINUTE });
  for (const answer of ['429', '503', '500', '200', '404'])
    assert.equal(await all.status({ answer }), Number(answer));
  assert.equal(await all.status(), 429);
});

test('a place that cannot be given back changes no answer', async (t) => {
  const store = {
    take: () => null,
    giveBack: () => Promise.reject(new Error('away')),
  };
  const { status } = createSite(t, { max: 1, within: 1_000, counts: () => false, store });
  assert.equal(await status(), 303);
});

test('pages count only if the limit says so', async (t) => {
  const limits = { maxPerNetwork: 1, within: MINUTE };
  const [forms, both] = [createSite(t, limits), createSite(t, { ...limits, reads: true })];
  assert.equal(await forms.status(), 303);
  for (const method of ['GET', 'HEAD', 'GET']) assert.equal(await forms.status({ method }), 200);
  assert.equal(await forms.status(), 429);
  assert.equal(await both.status({ method: 'GET' }), 200);
  assert.equal(await both.status({ method: 'HEAD' }), 429);
});

test('refusals are counted and reported, and are no errors in the log', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const reports: RefusedRequests[] = [];
  const report = (refused: RefusedRequests) => reports.push(refused);
  const { status } = createSite(t, { maxPerNetwork: 1, within: MINUTE, report });
  for (let count = 0; count < 4; count++) await status();
  t.mock.timers.tick(5_000);
  assert.deepEqual(reports, [{ count: 3, account: null, network: '192.0.2.1' }]);
});

test('the time to wait is told in seconds, minutes or hours', async (t) => {
  for (const [within, words] of [
    [1, '1 second'],
    [90_000, '90 seconds'],
    [90_001, '2 minutes'],
    [86_400_000, '24 hours'],
  ] as const) {
    const { send, status } = createSite(t, { max: 1, within });
    await status();
    assert.match(`${(await send()).body}`, new RegExp(` in ${words}\\.$`));
  }
});

test('a rate that limits nothing, or not as it says, is refused', () => {
  for (const [limits, message] of [
    [{ within: MINUTE }, /without a number/],
    [{ max: 0, within: MINUTE }, /max 0: it must be a whole number from 1/],
    [{ max: 1, within: 0 }, /within 0: it must be a whole number from 1/],
    [{ max: 1, within: MINUTE, key: () => 'ada' }, /key alone: .* Pass both/],
    [{ maxPerKey: 1, within: MINUTE }, /maxPerKey alone/],
    [{ maxPerNetwork: 30, within: 100 }, /120 within 100 ms: .* Pass a longer time/],
  ] as const)
    assert.throws(() => limitRate(limits), message);
});
