/** What a client gets for an error that no middleware caught: the same from each of the three hosts. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { readBody } from '../http/body.ts';
import { HttpError } from '../http/http-error.ts';
import { text } from '../http/response.ts';
import { logRequests } from '../middleware/log-requests.ts';
import { createRouter } from '../router/router.ts';
import { connectRaw, exchange } from '../testing/raw-connection.ts';
import type { Application } from './application.ts';
import { toFetchHandler } from './fetch-handler.ts';
import { toNodeListener } from './node-listener.ts';
import { serve } from './node-server.ts';

const bug = new Error('SELECT secret FROM app');
const closed = new HttpError(503, 'Closed for an hour.', {
  headers: { 'Retry-After': '3600' },
  reason: 'the log says this',
});

const createApplication = (lines: string[] = []) =>
  createRouter()
    .use(logRequests({ write: (line) => lines.push(line) }))
    .get('/', () => text('alive'))
    .get('/bug', () => {
      throw bug;
    })
    .get('/closed', async () => {
      throw closed;
    })
    .post('/read', async ({ request }) => text(String((await readBody(request, 1_000)).length)));

type Report = (error: unknown) => void;

/** Each gives the function that a test asks with. */
const HOSTS: Readonly<
  Record<
    string,
    (t: TestContext, application: Application, report: Report) => Promise<typeof fetch>
  >
> = {
  async serve(t, application, report) {
    const { url, stop } = await serve(application, { host: '127.0.0.1', port: 0, report });
    t.after(() => stop(0));
    return (path, init) => fetch(url + path, init);
  },
  async toNodeListener(t, application, report) {
    const server = createServer(toNodeListener(application, { report })).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close().closeAllConnections());
    const { port } = server.address() as AddressInfo;
    return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
  },
  async toFetchHandler(_t, application, report) {
    const handle = toFetchHandler(application, { report });
    return (path, init) => handle(new Request(`http://things.example${path}`, init));
  },
};

for (const [name, start] of Object.entries(HOSTS)) {
  test(`${name} answers an HttpError that no middleware caught with its status and headers`, async (t) => {
    const reported: unknown[] = [];
    const lines: string[] = [];
    const ask = await start(t, createApplication(lines), (error) => reported.push(error));
    const assertAnswer = async (status: number, body: RegExp, answer: Response) => {
      assert.equal(answer.status, status);
      assert.match(await answer.text(), body);
      assert.equal(answer.headers.get('Content-Type'), 'text/plain; charset=utf-8');
      assert.match(answer.headers.get('Content-Security-Policy') ?? '', /default-src 'none'/);
      return answer;
    };
    await assertAnswer(400, /^The address contains a control character\.\n$/, await ask('/a%00b'));
    const large = { method: 'POST', body: 'x'.repeat(2_000) };
    await assertAnswer(413, /larger than the 1,000 bytes/, await ask('/read', large));
    assert.deepEqual(reported, []);
    const unavailable = await assertAnswer(503, /^Closed for an hour\.\n$/, await ask('/closed'));
    assert.equal(unavailable.headers.get('Retry-After'), '3600');
    await assertAnswer(500, /^Something went wrong on our side\.\n$/, await ask('/bug'));
    assert.deepEqual(reported, [closed, bug]);
    assert.deepEqual(
      lines.map((line) => line.slice(line.indexOf('] [') + 2)),
      ['[GET] /a%00b 400', '[POST] /read 413', '[GET] /closed 503', '[GET] /bug 500'],
    );
  });
}

test('targets that cannot be served get 400, a large body 413, and none is reported', async (t) => {
  const reported: unknown[] = [];
  const { url, stop } = await serve(createApplication(), {
    host: '127.0.0.1',
    port: 0,
    report: (error) => reported.push(error),
  });
  t.after(() => stop(0));
  const end = 'Host: seeother.test\r\nConnection: close\r\n';
  const requests = {
    'GET /a%00b': 400,
    'GET *': 400,
    'GET http://other/': 400,
    'OPTIONS *': 204,
  };
  for (const [line, status] of Object.entries(requests)) {
    const received = await exchange(url, `${line} HTTP/1.1\r\n${end}\r\n`);
    assert.equal(Number(received.slice(9, 12)), status, line);
  }
  const connection = await connectRaw(url);
  await connection.write(`POST /read HTTP/1.1\r\n${end}Content-Length: 999999999\r\n\r\nx`);
  assert.match(await connection.until('\r\n\r\n'), /^HTTP\/1\.1 413 /);
  connection.leave();
  assert.deepEqual(reported, []);
});

test('a client that leaves in the middle of its body is not reported', async () => {
  const reported: unknown[] = [];
  const left = Promise.withResolvers<unknown>();
  const application = createRouter().post('/read', ({ request }) =>
    readBody(request, 1_000).then(
      () => text('read'),
      (error) => {
        left.resolve(error);
        throw error;
      },
    ),
  );
  const report: Report = (error) => reported.push(error);
  const { url, stop } = await serve(application, { host: '127.0.0.1', port: 0, report });
  const connection = await connectRaw(url);
  const headers = 'Host: seeother.test\r\nContent-Length: 100\r\n';
  await connection.write(`POST /read HTTP/1.1\r\n${headers}\r\nthe first part`);
  connection.leave();
  assert.equal(((await left.promise) as HttpError).status, 400);
  await stop(1_000);
  assert.deepEqual(reported, []);
});
