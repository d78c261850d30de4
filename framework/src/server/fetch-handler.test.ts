import assert from 'node:assert/strict';
import test from 'node:test';
import { readBody } from '../http/body.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import type { Response as Answer } from '../http/response.ts';
import { page, seeOther, text, withCookie } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { toFetchHandler } from './fetch-handler.ts';
import { parseProxies } from './forwarded.ts';

const SITE = 'https://things.example';

test('a page of the router is a fetch response', async () => {
  const handle = toFetchHandler(
    createRouter().get('/hello/:name', ({ params, request }) =>
      page(html`Hello, ${params.name}! ${request.query.get('again') ?? ''}`),
    ),
  );
  const answer = await handle(new Request(`${SITE}/hello/%C3%89va?again=yes`));
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(await answer.text(), 'Hello, Éva! yes');
  assert.equal((await handle(new Request(`${SITE}/nothing`))).status, 404);
});

test('a form that is sent is read, and its redirect carries each of its cookies', async () => {
  const router = createRouter().post('/things', async ({ request }) => {
    const body = await readBody(request, 1_000);
    const name = new URLSearchParams(new TextDecoder().decode(body)).get('name') ?? '';
    return withCookie(withCookie(seeOther(localPath(`/things/${name}`)), 'one=1'), 'two=2');
  });
  const form = { method: 'POST', body: new URLSearchParams({ name: 'lamp' }) };
  const answer = await toFetchHandler(router)(new Request(`${SITE}/things`, form));
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('location'), '/things/lamp');
  assert.deepEqual(answer.headers.getSetCookie(), ['one=1', 'two=2']);
  assert.equal(await answer.text(), '');
});

test('HEAD, 204 and 304 have no body', async () => {
  const statuses = toFetchHandler({
    handle: ({ path }) => ({ status: Number(path.slice(1)), headers: {}, body: 'some text' }),
  });
  for (const status of [204, 304]) {
    const answer = await statuses(new Request(`${SITE}/${status}`));
    assert.equal(answer.status, status);
    assert.equal(answer.body, null);
  }
  assert.equal((await statuses(new Request(`${SITE}/200`, { method: 'HEAD' }))).body, null);
});

test('bytes and streams are sent, and a stream ends when its client has left', async () => {
  let ended = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield new Uint8Array([1, 2, 3]);
    } finally {
      ended = true;
    }
  }
  const answerWith = (body: Answer['body']) =>
    toFetchHandler({ handle: () => ({ status: 200, headers: {}, body }) })(new Request(SITE));
  const bytes = new Uint8Array([4, 5]);
  assert.deepEqual(await (await answerWith(bytes)).bytes(), bytes);
  const reader = (await answerWith(endless())).body?.getReader();
  assert.deepEqual((await reader?.read())?.value, new Uint8Array([1, 2, 3]));
  await reader?.cancel();
  assert.ok(ended);
});

test('a stream that is not sent is closed', { timeout: 10_000 }, async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const stream: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => stream,
    next: () => Promise.reject(new Error('It was read.')),
    async return() {
      resolve();
      return { done: true, value: undefined };
    },
  };
  const handle = toFetchHandler({ handle: () => ({ status: 200, headers: {}, body: stream }) });
  assert.equal((await handle(new Request(SITE, { method: 'HEAD' }))).body, null);
  await closed;
});

test('the host names the client, and only a trusted proxy is believed', async () => {
  const clients = (proxies: string) =>
    toFetchHandler(
      { handle: ({ address, scheme }) => text(`${address} ${scheme}`) },
      {
        address: (_request, host: { readonly ip: string }) => host.ip,
        trust: { isProxy: parseProxies(proxies), scheme: null },
      },
    );
  const headers = { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' };
  const request = () => new Request('http://things.example/', { headers });
  const ask = async (proxies: string) =>
    (await clients(proxies)(request(), { ip: '::ffff:10.0.0.1' })).text();
  assert.equal(await ask('10.0.0.0/8'), '192.0.2.7 https');
  assert.equal(await ask(''), '10.0.0.1 http');
  const unknown = toFetchHandler({ handle: ({ address, scheme }) => text(`${address} ${scheme}`) });
  assert.equal(await (await unknown(new Request(SITE))).text(), '0.0.0.0 https');
});

test('toFetchHandler throws for invalid routes', () => {
  const router = createRouter()
    .get('/:any', () => text('any'))
    .get('/hidden', () => text('never'));
  assert.throws(() => toFetchHandler(router), /hidden/);
});
