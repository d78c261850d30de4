import assert from 'node:assert/strict';
import test from 'node:test';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import { empty, text, withSession } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { loadSession } from '../session/load-session.ts';
import { createMemorySessionStore } from '../session/memory-session-store.ts';
import { startSession } from '../session/session-change.ts';
import { get, post, request } from '../testing/make-request.ts';
import { createVisitor } from '../testing/visitor.ts';
import { catchErrors } from './catch-errors.ts';
import { logRequests } from './log-requests.ts';

const TIME = '2026-11-20T18:02:11.123Z';

function createSite(options: { readonly users?: boolean } = {}) {
  const lines: string[] = [];
  const router = createRouter()
    .use(logRequests({ ...options, write: (line) => lines.push(line), now: () => new Date(TIME) }))
    .use(catchErrors({ page: ({ status }) => text('An error page', status), report: () => {} }))
    .use(loadSession({ store: createMemorySessionStore() }))
    .get('/items', () => text('items'))
    .get('/later', async () => text('later'))
    .get('/fails', () => {
      throw new Error('a bug');
    })
    .get('/fails-later', async () => {
      throw new Error('a bug');
    })
    .get('/files/:name', () => empty())
    .post('/items', () => {
      throw new HttpError(413, 'Too large.');
    })
    .post('/login', ({ request: { query } }) =>
      withSession(text('in'), startSession({ id: 1, name: query.get('as') ?? '' })),
    );
  return { lines, router };
}

async function lineOf(sent: Request): Promise<string> {
  const { lines, router } = createSite();
  await router.handle(sent);
  assert.equal(lines.length, 1);
  return lines[0] ?? '';
}

test('a request is one line: time, method, path and status', async () => {
  assert.equal(await lineOf(get('/items')), `[${TIME}] [GET] /items 200`);
  assert.equal(await lineOf(get('/later')), `[${TIME}] [GET] /later 200`);
  assert.equal(await lineOf(request('HEAD', '/items', null)), `[${TIME}] [HEAD] /items 200`);
});

test('each line has the time at which it was written', async () => {
  const times = [TIME, TIME, '2026-11-20T18:02:11.124Z', '2026-11-20T18:02:11.122Z'];
  const lines: string[] = [];
  const rest = [...times];
  const now = () => new Date(rest.shift() ?? TIME);
  const router = createRouter().use(logRequests({ write: (line) => lines.push(line), now }));
  for (const _ of times) await router.handle(get('/'));
  assert.deepEqual(
    lines,
    times.map((time) => `[${time}] [GET] / 404`),
  );
});

test('a request that no route matches is logged with its 404', async () => {
  assert.equal(await lineOf(get('/favicon.ico')), `[${TIME}] [GET] /favicon.ico 404`);
  assert.equal(await lineOf(request('PUT', '/items', null)), `[${TIME}] [PUT] /items 404`);
});

test('the status is the final one, also of an error page', async () => {
  assert.equal(await lineOf(get('/fails')), `[${TIME}] [GET] /fails 500`);
  assert.equal(await lineOf(get('/fails-later')), `[${TIME}] [GET] /fails-later 500`);
  assert.equal(await lineOf(post('/items')), `[${TIME}] [POST] /items 413`);
});

test('an uncaught error is logged with its status and thrown on', async () => {
  const lines: string[] = [];
  const router = createRouter()
    .use(logRequests({ write: (line) => lines.push(line), now: () => new Date(TIME) }))
    .get('/now', () => {
      throw new Error('a bug');
    })
    .get('/later', async () => {
      throw new HttpError(503, 'later');
    });
  assert.throws(() => router.handle(get('/now')), /^Error: a bug$/);
  await assert.rejects(async () => router.handle(get('/later')), /^HttpError: later$/);
  assert.deepEqual(lines, [`[${TIME}] [GET] /now 500`, `[${TIME}] [GET] /later 503`]);
});

test('the line is written when the response is known, not before', async () => {
  const { lines, router } = createSite();
  const answer = router.handle(get('/later'));
  assert.deepEqual(lines, []);
  await answer;
  assert.equal(lines.length, 1);
});

test('the time is UTC with milliseconds', async () => {
  const lines: string[] = [];
  const router = createRouter().use(logRequests({ write: (line) => lines.push(line) }));
  await router.handle(get('/'));
  assert.match(lines[0] ?? '', /^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] \[GET\] \/ 404$/);
});

test('the query is not logged', async () => {
  assert.equal(await lineOf(get('/items?q=secret&token=abc')), `[${TIME}] [GET] /items 200`);
});

test('no path can forge a second line, or make one line look like another', async () => {
  const paths = {
    '/files/a%20b': '/files/a%20b',
    '/files/%5b31mred%c2%a0%e2%80%a8': '/files/[31mred%C2%A0%E2%80%A8',
    '/files/%e2%82%ac%f0%9f%92%a1': '/files/%E2%82%AC%F0%9F%92%A1',
  };
  for (const [path, logged] of Object.entries(paths)) {
    assert.equal(await lineOf(get(path)), `[${TIME}] [GET] ${logged} 204`);
  }
});

test('a malformed path is encoded too', async () => {
  assert.equal(await lineOf(get('/a\r\nb\u2028c')), `[${TIME}] [GET] /a%0D%0Ab%E2%80%A8c 400`);
  assert.equal(await lineOf(get('/a\ud800b')), `[${TIME}] [GET] /a%EF%BF%BDb 400`);
  for (const path of ['/%00', '/files/a%0d%0a[forged]%20200', '/%1b[31mred', '/%7f%c2%85'])
    assert.equal(await lineOf(get(path)), `[${TIME}] [GET] ${path} 400`);
});

test('a method cannot forge a line either', async () => {
  assert.equal(await lineOf(request('A]\n[', '/', null)), `[${TIME}] [A]%0A[] / 404`);
});

test('a path takes up at most 2048 characters of a line', async () => {
  const paths = [
    `/${'a'.repeat(9_000)}`,
    `/${'%e2%82%ac'.repeat(3_000)}`,
    `/${'😀'.repeat(3_000)}`,
  ];
  for (const path of paths) {
    const line = await lineOf(get(path));
    assert.equal(line.length, `[${TIME}] [GET]  404`.length + 2_048);
    assert.match(line, /^[\x20-\x7e]+ 40[04]$/);
  }
});

/** The lines of a request of a user who has logged in. */
async function linesOfUser(path: string, options?: { readonly users?: boolean }, name = 'ada') {
  const { lines, router } = createSite(options);
  const visitor = createVisitor(router);
  await visitor.post(`/login?as=${encodeURIComponent(name)}`);
  lines.length = 0;
  await visitor.get(path);
  return lines;
}

test('a logged-in user is named on the following line, also when the request fails or no route matches', async () => {
  for (const [path, status] of [
    ['/items', 200],
    ['/fails-later', 500],
    ['/nowhere', 404],
  ] as const) {
    const line = `[${TIME}] [GET] ${path} ${status}`;
    assert.deepEqual(await linesOfUser(path, { users: true }), [line, 'logged in as ada']);
  }
});

test('no user is named for a visitor who has not logged in, or unless users are logged', async () => {
  const { lines, router } = createSite({ users: true });
  await router.handle(get('/items'));
  assert.deepEqual(lines, [`[${TIME}] [GET] /items 200`]);
  assert.deepEqual(await linesOfUser('/items'), [`[${TIME}] [GET] /items 200`]);
});

test('a user name cannot forge a line', async () => {
  const lines = await linesOfUser('/items', { users: true }, 'a\nlogged in as root');
  assert.equal(lines.at(-1), 'logged in as a%0Alogged%20in%20as%20root');
});
