/** The endpoints and statuses of the specification, over a real socket to a real process. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { encodeFields, hiddenFields, type TypedFields } from 'seeother/testing';
import { ENGINE } from './testing/create-test-database.ts';
import { FROM_SOURCE } from './testing/find-program.ts';
import { type RunningApplication, startApplication } from './testing/start-application.ts';

const ADA = { username: 'ada', password: 'correct horse battery' };
const FORM = 'application/x-www-form-urlencoded';

let site: RunningApplication;
/** The Cookie header of somebody who is logged in. */
let cookie = '';

before(async () => {
  site = await startApplication({ REGISTRATION: 'open' }, ENGINE, FROM_SOURCE);
  cookie = cookieOf(await send('/register', ADA));
});
after(() => site.stop());

function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  // fetch asks for a compressed page otherwise, whose Content-Length is not that of its text.
  const all = { 'accept-encoding': 'identity', ...headers };
  return fetch(`${site.url}${path}`, { method, headers: all, redirect: 'manual' });
}

function send(
  path: string,
  body: TypedFields | string,
  headers: Readonly<Record<string, string>> = {},
) {
  return fetch(`${site.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': FORM, ...headers },
    body: typeof body === 'string' ? body : encodeFields(body),
    redirect: 'manual',
  });
}

function cookieOf(answer: Response): string {
  const [line = ''] = answer.headers.getSetCookie().filter((one) => one.startsWith('sid='));
  assert.match(line, /^sid=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
  return line.slice(0, line.indexOf(';'));
}

async function assertHtml(answer: Response, status: number, text: RegExp): Promise<string> {
  const markup = await answer.text();
  assert.equal(answer.status, status);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength(markup)));
  assert.match(markup, text);
  return markup;
}

test('a visitor registers, creates an item and sees it', async () => {
  const registered = await send('/register', { ...ADA, username: 'bob' });
  assert.equal(registered.status, 303);
  assert.equal(registered.headers.get('location'), '/items');
  const bob = { cookie: cookieOf(registered) };

  const form = await assertHtml(await ask('/items/new', bob), 200, /<h1>Add an item<\/h1>/);
  const fields = { ...hiddenFields(form), name: 'Drill', quantity: '2' };
  const created = await send('/items', fields, bob);
  assert.equal(created.status, 303);
  const path = created.headers.get('location') ?? '';
  assert.match(path, /^\/items\/\d+$/);
  await assertHtml(await ask(path), 200, /<h1>Drill /);
  await assertHtml(await ask('/items'), 200, new RegExp(`href="${path}">Drill<`));
});

test('GET /items is a 200 with HTML that lists the items', async () => {
  await assertHtml(await ask('/items'), 200, /Label printer/);
});

test('GET /items/<number> is a 200 with HTML for one item', async () => {
  await assertHtml(await ask('/items/1'), 200, /<h1>Label printer /);
});

test('a protected route is a 200 with a session, and redirects to the log-in without one', async () => {
  await assertHtml(await ask('/items/new', { cookie }), 200, /Logged in as<\/span> <strong>ada</);
  const answer = await ask('/items/new');
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('location'), '/login?next=%2Fitems%2Fnew');
  assert.equal(await answer.text(), '');
});

test('GET /styles.css needs no session', async () => {
  const answer = await ask('/styles.css');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/css; charset=utf-8');
  assert.match(await answer.text(), /\{[^}]*color/);
});

test('GET /styles.css with its ETag is a 304 without a body', async () => {
  const etag = (await ask('/styles.css')).headers.get('etag') ?? '';
  assert.match(etag, /^"[\w-]+"$/);
  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await ask('/styles.css', { 'if-none-match': tags });
    assert.equal(answer.status, 304, tags);
    assert.equal(await answer.text(), '', tags);
    assert.equal(answer.headers.get('etag'), etag, tags);
  }
  assert.equal((await ask('/styles.css', { 'if-none-match': '"other"' })).status, 200);
});

test('GET /styles.css with its date is a 304', async () => {
  const modified = (await ask('/styles.css')).headers.get('last-modified') ?? '';
  const statusSince = async (date: string) =>
    (await ask('/styles.css', { 'if-modified-since': date })).status;
  assert.equal(await statusSince(modified), 304);
  assert.equal(await statusSince('Sat, 01 Jan 2000 00:00:00 GMT'), 200);
  assert.equal(await statusSince('yesterday'), 200);
});

test('any path without a route is a 404 with a plain message', async () => {
  for (const [path, method] of [
    ['/favicon.ico', 'GET'],
    ['/items/', 'GET'],
    ['/items/1', 'POST'],
    ['/items', 'DELETE'],
    ['/items', 'OPTIONS'],
  ] as const) {
    const answer = await ask(path, {}, method);
    assert.equal(answer.status, 404, `${method} ${path}`);
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.match(await answer.text(), /^Not found/);
  }
});

test('an unknown item is a 404 with HTML and advice', async () => {
  await assertHtml(await ask('/items/4711'), 404, /What you can do now/);
});

test('an invalid form is a 400 with the form and its errors', async () => {
  const answer = await send('/items', { name: '', location: 'Cellar' }, { cookie });
  const markup = await assertHtml(answer, 400, /Enter a name/);
  assert.match(markup, /value="Cellar"/);
});

test('a malformed path is a 400', async () => {
  await assertHtml(await ask('/items/%ff'), 400, /couldn&#8217;t read that request/);
});

test('a form without a session is a 401 with the log-in form', async () => {
  const answer = await send('/items', { name: 'Drill' });
  await assertHtml(answer, 401, /action="\/login"/);
  assert.match(answer.headers.get('www-authenticate') ?? '', /^Cookie /);
});

test('wrong credentials are a 401 with the form again', async () => {
  const answer = await send('/login', { ...ADA, password: 'wrong horse' });
  await assertHtml(answer, 401, /Username or password is incorrect/);
});

test('a form from another site is a 403', async () => {
  const headers = { cookie, 'sec-fetch-site': 'cross-site' };
  await assertHtml(
    await send('/items', { name: 'Drill' }, headers),
    403,
    /not sent from this site/,
  );
});

test('a form that is too large is a 413 page that arrives, and another body is a 415', async () => {
  const large = encodeFields({ name: 'Drill', description: 'x'.repeat(3_000_000) });
  await assertHtml(await send('/items', large, { cookie }), 413, /larger than the 1,048,576 bytes/);
  const json = { cookie, 'content-type': 'application/json' };
  await assertHtml(await send('/items', '{"name":"Drill"}', json), 415, /not a form/);
});
