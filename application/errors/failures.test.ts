import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Response } from 'seeother';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  type TestApplication,
} from '../testing/create-test-application.ts';

const SECRET = 'SELECT secret FROM /srv/things';
const PROGRAM = { headers: { accept: 'application/json' } };

/** An application whose items cannot be read or written any more. */
function createBroken(t: TestContext): Promise<TestApplication> {
  const fail = () => Promise.reject(new Error(SECRET));
  return createTestApplication(t, {
    replace: ({ items }) => ({ items: { ...items, list: fail, add: fail, range: fail } }),
  });
}

function assertHtml(answer: Response, status: number): string {
  assert.equal(answer.status, status);
  assert.equal(headerOf(answer, 'Content-Type'), 'text/html; charset=utf-8');
  return bodyText(answer);
}

test('a bug is a 500 page with a reference and no internals', async (t) => {
  const markup = assertHtml(await createVisitor(await createBroken(t)).get('/items'), 500);
  assert.match(markup, /It’s not your fault/);
  assert.match(markup, /Reference: <code>[0-9a-f-]{36}<\/code>/);
  assert.match(markup, /What you can do now/);
  assert.doesNotMatch(markup, /SELECT|srv|\.ts\b|\bat .+:\d+/);
});

test('a bug is reported once, with its stack, under the reference of the page', async (t) => {
  const broken = await createBroken(t);
  const markup = bodyText(await createVisitor(broken).get('/items?page=1'));
  assert.equal(broken.reports.length, 1);
  const [report] = broken.reports;
  assert.ok(markup.includes(report?.id ?? 'none'));
  assert.equal(report?.status, 500);
  assert.equal(report?.method, 'GET');
  assert.equal(report?.path, '/items');
  assert.equal(report?.route, 'GET /items');
  assert.match(report?.error?.stack ?? '', /SELECT secret[\s\S]+failures\.test\.ts/);
  assert.equal(broken.log.length, 1);
  assert.match(broken.log[0] ?? '', /\[GET\] \/items 500$/);
});

test('a form that hits a bug returns the typed text', async (t) => {
  const member = await createMember(await createBroken(t));
  const typed = { name: 'Drill', description: '<b>Two</b>' };
  const markup = assertHtml(await member.submit('/items/new', typed), 500);
  assert.match(markup, /may not have been saved\. Check before you send it again/);
  assert.match(markup, /<dt>Name<\/dt><dd>Drill<\/dd>/);
  assert.match(markup, /<dd>&lt;b&gt;Two&lt;\/b&gt;<\/dd>/);
  assert.doesNotMatch(markup, /_once/);
});

test('the error page shows who is logged in', async (t) => {
  const member = await createMember(await createBroken(t));
  assert.match(assertHtml(await member.get('/items'), 500), /Logged in as<\/span> <strong>ada</);
});

test('a client that does not take HTML gets errors in plain text', async (t) => {
  const broken = await createBroken(t);
  const answer = await createVisitor(broken).get('/items', PROGRAM);
  assert.equal(answer.status, 500);
  assert.equal(headerOf(answer, 'Content-Type'), 'text/plain; charset=utf-8');
  const { id } = broken.reports[0] ?? { id: 'none' };
  assert.equal(bodyText(answer), `Something went wrong on our side.\nReference: ${id}\n`);
  const malformed = await createVisitor(broken).get('/%zz', PROGRAM);
  assert.equal(malformed.status, 400);
  assert.match(bodyText(malformed), /^The address contains a percent escape that is not UTF-8\.\n/);
});

test('a client without an Accept header gets HTML, and so does every form', async (t) => {
  const visitor = createVisitor(await createTestApplication(t));
  for (const accept of [undefined, '*/*', 'text/*', 'image/png, text/html;q=0.5']) {
    const markup = assertHtml(await visitor.get('/%zz', { headers: { accept } }), 400);
    assert.match(markup, /<li>Check the address\.<\/li>/);
    assert.doesNotMatch(markup, /the form/);
  }
  assertHtml(await visitor.post('/items', {}, PROGRAM), 401);
});

test('every form that was refused says that nothing was saved, and what to do now', async (t) => {
  const visitor = createVisitor(await createTestApplication(t));
  const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
  const text = { headers: { 'content-type': 'text/plain' } };
  const forbidden = assertHtml(await visitor.post('/items', { name: 'Drill' }, foreign), 403);
  const unsupported = assertHtml(await visitor.post('/login', 'x', text), 415);
  for (const markup of [forbidden, unsupported]) {
    assert.match(markup, /Nothing was saved or changed\./);
    assert.match(markup, /<h2>What you can do now<\/h2>/);
  }
  assert.doesNotMatch(forbidden, /Drill|What you typed/);
});

test('a form that is too large is returned completely, to copy', async (t) => {
  const member = await createMember(
    await createTestApplication(t, { environment: { BODY_LIMIT: '2000' } }),
  );
  const description = 'x'.repeat(7_000);
  const markup = assertHtml(await member.post('/items', { name: 'Drill', description }), 413);
  assert.match(markup, /Nothing was saved or changed\./);
  assert.match(markup, new RegExp(`<dt>Description</dt><dd>${description}</dd>`));
  assert.match(markup, /<dt>Name<\/dt><dd>Drill<\/dd>/);
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('a person who opens an unknown address gets a page, with the way back', async (t) => {
  const member = await createMember(await createTestApplication(t));
  for (const sign of [{ 'sec-fetch-mode': 'navigate' }, { 'upgrade-insecure-requests': '1' }]) {
    const headers = { accept: BROWSER, ...sign };
    const markup = assertHtml(await member.get('/nothing/<b>', { headers }), 404);
    assert.match(markup, /<h1>Page not found<\/h1>/);
    assert.match(markup, /<code>\/nothing\/&lt;b&gt;<\/code>/);
    assert.match(markup, /<a href="\/items">list of items<\/a>/);
    assert.match(markup, /Logged in as/);
  }
});

test('a program, a form and a request for a file get the plain 404 for an unknown address', async (t) => {
  const visitor = createVisitor(await createTestApplication(t));
  const headers = { accept: BROWSER, 'sec-fetch-mode': 'navigate' };
  const answers = [
    await visitor.get('/nothing'),
    await visitor.get('/nothing', { headers: { accept: BROWSER } }),
    await visitor.get('/nothing', { headers: { ...headers, accept: '*/*' } }),
    await visitor.get('/nothing', { headers: { ...headers, 'sec-fetch-mode': 'cors' } }),
    await visitor.get('/favicon.ico', { headers }),
    await visitor.post('/nothing', {}, { headers }),
    await visitor.post('/items/1', {}, { headers }),
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 404);
    assert.equal(bodyText(answer), 'Not found: there is nothing at this address.\n');
  }
});

test('the page of a form that is refused for its origin names no setting, and the log does', async (t) => {
  const application = await createTestApplication(t);
  const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
  await createMember(application);
  const member = await createMember(application, 'grace');
  for (const visitor of [createVisitor(application), member]) {
    const answer = await visitor.post('/items', { name: 'Drill' }, foreign);
    const markup = assertHtml(answer, 403);
    assert.doesNotMatch(markup, /Sec-Fetch-Site|Origin|PUBLIC_ORIGIN|proxy|administrator/);
    const report = application.reports.at(-1);
    assert.match(report?.message ?? '', /Sec-Fetch-Site is "cross-site"/);
    assert.match(markup, new RegExp(`Reference: <code>${report?.id}</code>`));
  }
});

test('an administrator whose form is refused for its origin reads why', async (t) => {
  const ada = await createMember(await createTestApplication(t));
  const foreign = { headers: { 'sec-fetch-site': 'same-site' } };
  const markup = assertHtml(await ada.post('/items', { name: 'Drill' }, foreign), 403);
  assert.match(markup, /as an administrator: [^<]* Sec-Fetch-Site is &quot;same-site&quot;/);
  assert.doesNotMatch(markup, /Drill/);
});

test('a request for another host gets the address of the site, and the log names the setting', async (t) => {
  const headers = { host: 'other.example' };
  for (const origin of [null, 'https://things.example']) {
    const environment = origin === null ? {} : { PUBLIC_ORIGIN: origin };
    const application = await createTestApplication(t, { environment });
    const answer = await createVisitor(application).get('/items', { headers });
    const markup = assertHtml(answer, 421);
    assert.match(markup, /This site can’t be opened at this address\./);
    assert.equal(markup.includes(`Its address is ${origin}.`), origin !== null);
    assert.doesNotMatch(markup, /publicOrigin|PUBLIC_ORIGIN|proxy|other\.example|list of items/);
    const [report] = application.reports;
    assert.match(report?.message ?? '', /host "other\.example".*(?:PUBLIC_ORIGIN|Host header)/);
    assert.match(markup, new RegExp(`Reference: <code>${report?.id}</code>`));
  }
});
