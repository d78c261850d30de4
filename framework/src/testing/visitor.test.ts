import assert from 'node:assert/strict';
import test from 'node:test';
import { readBody } from '../http/body.ts';
import { localPath } from '../http/href.ts';
import { html, trustedHtml } from '../http/html.ts';
import type { Request } from '../http/request.ts';
import { empty, page, type Response, seeOther, text, withCookie } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { get, post } from './make-request.ts';
import { bodyText, createVisitor, hiddenFields } from './visitor.ts';

const LASTING = 'Path=/; Max-Age=60; HttpOnly; SameSite=Lax';

/** Shows the cookie header and the body of every request, and sets or clears cookies when told. */
function createSite(pages: Readonly<Record<string, string>> = {}) {
  return createRouter()
    .get('/cookies', ({ request }) => text(request.headers['cookie'] ?? 'none'))
    .get('/set', () => withCookie(withCookie(empty(), `a=1; ${LASTING}`), `b=2; ${LASTING}`))
    .get('/clear', () => withCookie(empty(), 'a=; Path=/; Max-Age=0; SameSite=Lax'))
    .get('/pages/:name', ({ params }) => page(trustedHtml(pages[params.name] ?? '')))
    .get('/hop/:count', ({ params }) =>
      params.count === '0'
        ? text('arrived')
        : seeOther(localPath(`/hop/${Number(params.count) - 1}`)),
    )
    .get('/round', () => seeOther(localPath('/round')))
    .post('/pages/:name', ({ request }) => text(request.target))
    .post('/items/:number', async ({ request }) =>
      text(`${request.target}: ${Buffer.from(await readBody(request, 1_000)).toString()}`),
    );
}

test('a visitor sends no cookie before a site has set one', async () => {
  const visitor = createVisitor(createSite());
  assert.equal(bodyText(await visitor.get('/cookies')), 'none');
  assert.equal(visitor.cookie('a'), null);
});

test('a visitor keeps every cookie and sends it back, until it is cleared', async () => {
  const visitor = createVisitor(createSite());
  await visitor.get('/set');
  assert.equal(visitor.cookie('a'), '1');
  assert.equal(bodyText(await visitor.get('/cookies')), 'a=1; b=2');
  await visitor.get('/clear');
  assert.equal(visitor.cookie('a'), null);
  assert.equal(bodyText(await visitor.get('/cookies')), 'b=2');
});

test('two visitors share nothing', async () => {
  const site = createSite();
  await createVisitor(site).get('/set');
  assert.equal(bodyText(await createVisitor(site).get('/cookies')), 'none');
});

test('a header that a test sets wins over the cookies', async () => {
  const visitor = createVisitor(createSite());
  await visitor.get('/set');
  const answer = await visitor.get('/cookies', { headers: { cookie: 'c=3' } });
  assert.equal(bodyText(answer), 'c=3');
});

test('a visitor follows redirects until something else is answered', async () => {
  const visitor = createVisitor(createSite());
  const answer = await visitor.follow(await visitor.get('/hop/3'));
  assert.deepEqual(answer, text('arrived'));
  assert.deepEqual(await visitor.follow(answer), answer);
});

test('a visitor gives up on a redirect loop', async () => {
  const visitor = createVisitor(createSite());
  const answer = await visitor.follow(await visitor.get('/round'));
  assert.equal(answer.status, 303);
});

const FORM = `
  <header><form action="/logout" method="post"><button>Log out</button></form></header>
  <main><form class="big" action="/items/7?a=1&amp;b=2" method="post">
    <input type="hidden" name="_once" value="&lt;&quot;&#39;&amp;amp;&gt;">
    <input type="hidden" name="next" value="">
    <input name="name" value="">
  </form></main>`;

test('a visitor sends the form in the main part of a page, with its hidden fields', async () => {
  const visitor = createVisitor(createSite({ edit: FORM }));
  const answer = await visitor.submit('/pages/edit', { name: 'Lamp & shade' });
  const [target, body = ''] = bodyText(answer).split(': ');
  assert.equal(target, '/items/7?a=1&b=2');
  assert.deepEqual(
    [...new URLSearchParams(body)],
    [
      ['_once', `<"'&amp;>`],
      ['next', ''],
      ['name', 'Lamp & shade'],
    ],
  );
});

test('a form without an action is sent to the address of its page', async () => {
  const visitor = createVisitor(
    createSite({ edit: FORM.replace(/ action="[^"]*items[^"]*"/, '') }),
  );
  const answer = await visitor.submit('/pages/edit?a=1', {});
  assert.equal(bodyText(answer), '/pages/edit?a=1');
});

test('a page that another visitor has fetched cannot be submitted', async () => {
  const site = createSite({ edit: FORM });
  const edit = await createVisitor(site).get('/pages/edit');
  await assert.rejects(
    createVisitor(site).submit(edit, {}),
    /^Error: Cannot send the form of a page that another visitor has fetched/,
  );
});

test('typed values replace the values on the page', async () => {
  const visitor = createVisitor(createSite({ edit: FORM }));
  const answer = await visitor.submit('/pages/edit', { _once: 'typed', tags: ['a', 'b'] });
  assert.equal(bodyText(answer), '/items/7?a=1&b=2: _once=typed&next=&tags=a&tags=b');
});

test('a form is sent in its encoding, with its files; one that cannot send a file says so', async () => {
  const encoding = ' enctype="multipart/form-data"';
  const pages = { letter: FORM.replace(' class="big"', encoding), plain: FORM };
  const visitor = createVisitor(createSite(pages));
  const fields = { name: 'Lamp', scan: new File(['%PDF'], 'a.pdf') };
  const sent = bodyText(await visitor.submit('/pages/letter', fields));
  assert.match(sent, /name="next"\r\n\r\n\r\n/);
  assert.match(sent, /name="scan"; filename="a\.pdf"[\s\S]*%PDF/);
  assert.match(bodyText(await visitor.submit('/pages/letter', {})), /form-data; name="_once"/);
  await assert.rejects(
    visitor.submit('/pages/plain', fields),
    /^Error: Cannot send a file with the form on \/pages\/plain: it has no enctype=/,
  );
});

test('a request of a program has no headers of a browser, and the type that it gives itself', async () => {
  const headersOf = (request: Request) => {
    const { host, ...headers } = request.headers;
    assert.equal(host, 'localhost');
    return headers;
  };
  const program = { from: 'program', scheme: 'https' } as const;
  const hook = post('/hooks/pay', '{}', { ...program, headers: { 'content-type': 'a/b' } });
  assert.deepEqual(headersOf(hook), { 'content-type': 'a/b', 'content-length': '2' });
  assert.equal(hook.scheme, 'https');
  assert.deepEqual(headersOf(post('/hooks/pay', '{}', program)), { 'content-length': '2' });
  assert.deepEqual(headersOf(get('/', program)), {});
});

test('a page without a form cannot be submitted', async () => {
  const visitor = createVisitor(createSite());
  await assert.rejects(
    visitor.submit('/nowhere', {}),
    /^Error: Cannot fill the form on \/nowhere: the answer 404 has none\.$/,
  );
});

test('hidden fields are found by their type alone', () => {
  const markup = html`<input type="text" name="a" value="1"><input type="hidden" name="b">`;
  assert.deepEqual(hiddenFields(markup.markup), { b: '' });
});

test('the text of a body is read from text and from bytes, and is empty without a body', () => {
  const bodyOf = (body: Response['body']) => bodyText({ ...empty(), body });
  assert.equal(bodyOf('Größe'), 'Größe');
  assert.equal(bodyOf(new TextEncoder().encode('Größe')), 'Größe');
  assert.equal(bodyOf(null), '');
});

test('the text of a stream cannot be read', () => {
  async function* stream() {
    yield new Uint8Array(1);
  }
  assert.throws(() => bodyText({ ...empty(), body: stream() }), /^TypeError: .*stream/);
});

test('hidden fields of several forms are those of the last one that has them', () => {
  const field = (name: string, value: string) =>
    `<input type="hidden" name="${name}" value="${value}">`;
  const markup = `<form>${field('key', '1')}</form><form>${field('key', '2')}${field('file', 'a')}${field('file', 'b')}</form>`;
  assert.deepEqual(hiddenFields(markup), { key: '2', file: ['a', 'b'] });
});
