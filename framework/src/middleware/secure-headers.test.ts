import assert from 'node:assert/strict';
import test from 'node:test';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { empty, page, seeOther, text, withHeader } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { get } from '../testing/make-request.ts';
import { catchErrors } from './catch-errors.ts';
import { secureHeaders } from './secure-headers.ts';

const EVERYWHERE = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

const site = createRouter()
  .use(secureHeaders)
  .use(catchErrors({ page: ({ status }) => text('An error page', status), report: () => {} }))
  .get('/page', async () => page(html`<p>Hello`))
  .get('/redirect', () => seeOther(localPath('/page')))
  .get('/not-modified', () => empty(304))
  .get('/cached', () => withHeader(text('cached'), 'Cache-Control', 'no-cache'))
  .get('/fails', () => {
    throw new Error('a bug');
  });

const STATUSES = {
  '/page': 200,
  '/redirect': 303,
  '/not-modified': 304,
  '/nowhere': 404,
  '/%ff': 400,
  '/fails': 500,
};

test('every answer carries the whole set, whatever its status', async () => {
  for (const [path, status] of Object.entries(STATUSES)) {
    const answer = await site.handle(get(path));
    assert.equal(answer.status, status);
    assert.deepEqual({ ...answer.headers, ...EVERYWHERE }, answer.headers, path);
  }
});

test('Strict-Transport-Security is sent over https, and over http never', async () => {
  for (const path of Object.keys(STATUSES)) {
    const plain = await site.handle(get(path));
    assert.ok(!('Strict-Transport-Security' in plain.headers), path);
    const secure = await site.handle(get(path, { scheme: 'https' }));
    assert.equal(
      secure.headers['Strict-Transport-Security'],
      'max-age=63072000; includeSubDomains',
      path,
    );
    assert.deepEqual({ ...secure.headers, ...EVERYWHERE }, secure.headers, path);
  }
});

test("a response's own value wins", async () => {
  const answer = await site.handle(get('/cached'));
  assert.equal(answer.headers['Cache-Control'], 'no-cache');
  assert.equal(answer.headers['Referrer-Policy'], EVERYWHERE['Referrer-Policy']);
});

test('what the response had besides its headers stays as it was', async () => {
  const answer = await site.handle(get('/redirect'));
  assert.equal(answer.headers['Location'], '/page');
  assert.equal(answer.body, null);
});

test('nothing says what the server is made of', async () => {
  for (const path of Object.keys(STATUSES)) {
    const { headers } = await site.handle(get(path));
    for (const name of ['Server', 'X-Powered-By']) assert.ok(!(name in headers));
  }
});
