import assert from 'node:assert/strict';
import test from 'node:test';
import type { Context, Handler } from '../chain/context.ts';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import { type PlainText, type Response, text } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { get, post } from '../testing/make-request.ts';
import { bodyText } from '../testing/visitor.ts';
import { type CatchOptions, catchErrors } from './catch-errors.ts';
import type { ErrorReport } from './error-report.ts';
import { refuseForeignHost } from './refuse-foreign-host.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const plainPage: CatchOptions['page'] = ({ status, message, id }) =>
  text(message ?? `Our fault. Reference: ${id}`, status);

async function answerTo(
  sent: Request,
  handler: Handler<Context, PlainText>,
  page = plainPage,
): Promise<{ answer: Response; reports: ErrorReport[] }> {
  const reports: ErrorReport[] = [];
  const router = createRouter()
    .use(catchErrors({ page, report: (report) => reports.push(report) }))
    .get('/items/:number', handler)
    .post('/items', handler);
  return { answer: await router.handle(sent), reports };
}

/** The same error, thrown synchronously and asynchronously. */
function waysToThrow(error: unknown): readonly (() => Promise<PlainText>)[] {
  return [
    () => {
      throw error;
    },
    async () => {
      throw error;
    },
  ];
}

test('a response without an error is not changed', async () => {
  for (const handler of [() => text('fine'), async () => text('fine')]) {
    const { answer, reports } = await answerTo(get('/items/7'), handler);
    assert.deepEqual(answer, text('fine'));
    assert.deepEqual(reports, []);
  }
});

test('a bug is a 500 that shows a reference of its own, and is reported once under it, with its route', async () => {
  const error = new Error('SELECT secret FROM /srv/app.db');
  const ids = new Set<string>();
  for (const handler of waysToThrow(error)) {
    const { answer, reports } = await answerTo(get('/items/7?q=private'), handler);
    const [{ id = '', ...report } = {}, ...others] = reports;
    assert.equal(answer.status, 500);
    assert.match(id, UUID);
    assert.equal(answer.body, `Our fault. Reference: ${id}`);
    assert.ok(!JSON.stringify(answer).includes('secret'));
    assert.deepEqual(others, []);
    assert.deepEqual(report, {
      status: 500,
      method: 'GET',
      path: '/items/7',
      address: '127.0.0.1',
      route: 'GET /items/:number',
      message: error.message,
      error,
    });
    ids.add(id);
  }
  assert.equal(ids.size, 2);
});

test('an HttpError keeps its status and headers, and the page shows its message', async () => {
  const challenge = { 'WWW-Authenticate': 'Cookie realm="account"' };
  const refusals = [
    new HttpError(401, 'You are not logged in.', { headers: challenge }),
    new HttpError(429, 'Too many attempts.', { headers: { 'Retry-After': '180' } }),
    new HttpError(503, 'Back soon.', { headers: { 'Retry-After': '5' } }),
    new HttpError(404, 'No such item.'),
  ];
  for (const refusal of refusals) {
    for (const handler of waysToThrow(refusal)) {
      const { answer } = await answerTo(post('/items'), handler);
      assert.equal(answer.status, refusal.status);
      assert.equal(answer.body, refusal.message);
      assert.deepEqual(answer.headers, {
        'Content-Type': 'text/plain; charset=utf-8',
        ...refusal.headers,
      });
    }
  }
});

test('an HttpError is reported with its message, and with its stack only from status 500 on', async () => {
  const refused = await answerTo(post('/items'), () => {
    throw new HttpError(413, 'Too large.');
  });
  const [{ id: _, ...report } = {}, ...others] = refused.reports;
  assert.deepEqual(others, []);
  assert.deepEqual(report, {
    status: 413,
    method: 'POST',
    path: '/items',
    address: '127.0.0.1',
    route: 'POST /items',
    message: 'Too large.',
  });
  const unavailable = new HttpError(503, 'Back soon.', { cause: new Error('disk full') });
  const { reports } = await answerTo(post('/items'), () => Promise.reject(unavailable));
  assert.equal(reports[0]?.error, unavailable);
});

test('a report has the address of the client, no route if none matches, and the path as cut as in the request log', async () => {
  const request = get(`/${'x'.repeat(9_000)}%zz`, { address: '203.0.113.9' });
  const { reports } = await answerTo(request, () => text('never'));
  assert.equal(reports[0]?.path.length, 2_048);
  assert.equal(reports[0]?.address, '203.0.113.9');
  assert.equal(reports[0]?.route, null);
});

test('refused hosts and addresses are counted: a line for the first, and one for the others', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const reports: ErrorReport[] = [];
  const references: boolean[] = [];
  const page: CatchOptions['page'] = (failure) => {
    references.push(failure.isInLog);
    return plainPage(failure, { request: get('/'), route: null });
  };
  const router = createRouter()
    .use(catchErrors({ page, report: (report) => reports.push(report) }))
    .use(refuseForeignHost());
  const evil = () => get('/', { headers: { host: 'evil.example' } });
  for (const request of [evil(), get('/%zz'), evil(), evil(), get('/%ff')])
    assert.ok((await router.handle(request)).status >= 400);
  assert.deepEqual(
    reports.map(({ status, path }) => [status, path]),
    [
      [421, '/'],
      [400, '/%zz'],
    ],
  );
  assert.deepEqual(references, [true, false, false, false, false]);
  t.mock.timers.tick(5_000);
  const [, , hosts, addresses, ...others] = reports;
  assert.deepEqual(others, []);
  assert.match(
    hosts?.message ?? '',
    /^2 more requests were answered with 421\. The last: The request/,
  );
  assert.match(addresses?.message ?? '', /^1 more request was answered with 400\. The last: /);
  assert.equal(addresses?.path, '/%ff');
});

test('when the error page fails too, the response is one line of text with the status and headers', async () => {
  const refusal = new HttpError(503, 'Back soon.', { headers: { 'Retry-After': '5' } });
  const pages: readonly CatchOptions['page'][] = [
    () => {
      throw new Error('secret of the page');
    },
    async () => {
      throw new Error('secret of the page');
    },
  ];
  for (const page of pages) {
    const { answer, reports } = await answerTo(
      get('/items/7'),
      () => Promise.reject(refusal),
      page,
    );
    assert.equal(answer.status, 503);
    assert.deepEqual(answer.headers, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Retry-After': '5',
    });
    assert.equal(
      bodyText(answer),
      `Something went wrong on our side. Reference: ${reports[0]?.id}\n`,
    );
    assert.deepEqual(
      reports.map(({ id, message }) => [id, message]),
      [
        [reports[0]?.id, 'Back soon.'],
        [reports[0]?.id, 'secret of the page'],
      ],
    );
  }
});

test('without options, the page is a line of text, and the report goes to standard error', async (t) => {
  const written = t.mock.method(console, 'error', () => {});
  const router = createRouter()
    .use(catchErrors())
    .get('/gone', () => {
      throw new HttpError(404, 'It is gone.');
    })
    .get('/bug', () => {
      throw new Error('a bug');
    });
  assert.deepEqual(await router.handle(get('/gone')), text('It is gone.\n', 404));
  const { status, body } = await router.handle(get('/bug'));
  assert.equal(status, 500);
  assert.match(String(body), /^Something went wrong on our side\. Reference: [\w-]{36}\n$/);
  const [gone, bug] = written.mock.calls.map(({ arguments: [line] }) => String(line));
  assert.match(gone ?? '', /^\[.+Z\] 404 GET \/gone: It is gone\.$/);
  assert.match(
    bug ?? '',
    /^\[.+Z\] 500 GET \/bug \(GET \/bug, reference [\w-]{36}\)\n {4}Error: a bug/,
  );
});

test('the error page gets the context', async () => {
  const { answer } = await answerTo(
    get('/items/7'),
    () => Promise.reject(new HttpError(404, 'Gone.')),
    ({ status, message }, { request }) => text(`${request.path}: ${message}`, status),
  );
  assert.equal(answer.body, '/items/7: Gone.');
});
