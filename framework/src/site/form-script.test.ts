/** What the server does for the script of forms: e2e/typing.test.ts runs the script itself. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { dateField } from '../field/date-field.ts';
import { passwordField, textField, wholeNumberField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { rows } from '../form/field-set.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { seeOther, withSession } from '../http/response.ts';
import type { SecurityPolicy } from '../middleware/content-security-policy.ts';
import { requireSession } from '../session/require-session.ts';
import { startSession } from '../session/session-change.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { fileField } from '../upload/file-field.ts';
import { createSite } from './create-site.ts';
import { formPage } from './form-page.ts';
import { withScripts } from './site-scripts.ts';
import { createMemoryStores } from './stores.ts';

const form = defineForm({
  name: textField({ label: 'Name', required: 'Enter a name', maxLength: 10 }),
  seats: wholeNumberField({
    label: 'Seats',
    required: 'Enter the seats',
    min: 1,
    max: 9,
    default: null,
  }),
  day: dateField({ label: 'Day', as: 'parts' }),
  guests: rows({
    label: 'Guests',
    name: 'Guest',
    min: 1,
    max: 3,
    fields: { age: wholeNumberField({ label: 'Age', min: 0, max: 120, default: null }) },
  }),
});

function openSite({ script = true, base = '' } = {}) {
  const done: string[] = [];
  const site = createSite(createMemoryStores(), { log: false, base, forms: { script } });
  formPage(site, '/book', form, {
    button: 'Book',
    check: () => {
      done.push('check');
      return [];
    },
    show: ({ formHtml }) => html`<title>Book</title>${formHtml}`,
    send({ values }) {
      done.push(values.name);
      return localPath('/book');
    },
  });
  site.post('/login', () =>
    withSession(seeOther(localPath('/book')), startSession({ id: 1, name: 'ada' })),
  );
  return { site, done, visitor: createVisitor(site) };
}

const errorsIn = (markup: string) =>
  [...markup.matchAll(/id="([^"]+)-error"><span[^>]*>[^<]*<\/span> ([^<]*)/g)].map(
    ([, path, message]) => `${path}: ${message}`,
  );

test('a check shows the error of one field alone, and carries nothing out', async () => {
  const { visitor, done } = openSite();
  const typed = { name: '', seats: '12', 'guests.0.age': 'old', _change: 'check seats' };
  const answer = await visitor.submit('/book', typed);
  assert.equal(answer.status, 200);
  assert.deepEqual(errorsIn(bodyText(answer)), ['seats: Seats must be between 1 and 9']);
  const valid = { name: 'Ada', seats: '2', 'guests.0.age': '7', _change: 'check name' };
  assert.deepEqual(errorsIn(bodyText(await visitor.submit('/book', valid))), []);
  assert.deepEqual(done, []);
  for (const [name, expected] of [
    ['guests.0.age', /^guests\.0\.age: /],
    ['day.month', /^day: /],
    ['nothing', /^$/],
  ] as const) {
    const sent = { 'day.day': '31', 'day.month': '2', 'day.year': '2026', 'guests.0.age': 'old' };
    const page = await visitor.submit('/book', { ...sent, _change: `check ${name}` });
    assert.match(errorsIn(bodyText(page)).join(), expected, name);
  }
});

test('a site without the script answers no check, and its pages have no script', async () => {
  const { visitor } = openSite({ script: false });
  const page = await visitor.get('/book');
  assert.doesNotMatch(bodyText(page), /<script|data-typing/);
  assert.match(String(page.headers['Content-Security-Policy']), /^default-src 'none'; style-src/);
  const answer = await visitor.submit('/book', { seats: '12', _change: 'check seats' });
  assert.deepEqual(errorsIn(bodyText(answer)), []);
});

test('the script is served for ever at an address with its hash, and the policy has its hash alone', async () => {
  const { visitor } = openSite({ base: '/club' });
  const page = await visitor.get('/club/book');
  const [, path = '', digest = ''] =
    /<script type="module" src="(\/club\/form-[\da-f]{16}\.js)" integrity="(sha256-[^"]+)">/.exec(
      bodyText(page),
    ) ?? [];
  const policy = String(page.headers['Content-Security-Policy']);
  assert.ok(policy.includes(`script-src '${digest}'; connect-src 'self'`), policy);
  assert.match(policy, /require-trusted-types-for 'script'; trusted-types 'none'/);
  const file = await visitor.get(path);
  assert.equal(file.headers['Cache-Control'], 'public, max-age=31536000, immutable');
  assert.equal(file.headers['Content-Type'], 'text/javascript; charset=utf-8');
});

test('the policy of a site is added to, and never weakened', () => {
  const source = "'sha256-abc='";
  const add = (policy: SecurityPolicy) =>
    withScripts({ policy }, { all: [{ source, connects: true }] })?.policy ?? {};
  assert.deepEqual(add({ 'script-src': ["'none'"] })['script-src'], [source]);
  assert.deepEqual(add({ 'script-src': ["'self'"] })['script-src'], ["'self'"]);
  assert.deepEqual(add({ 'script-src': ["'nonce'", "'strict-dynamic'"] })['script-src'], [
    "'nonce'",
    "'strict-dynamic'",
    source,
  ]);
  // A hash would switch 'unsafe-inline' off.
  const inline = add({ 'script-src': ["'unsafe-inline'"] })['script-src'];
  assert.deepEqual(inline, ["'unsafe-inline'", "'self'"]);
  const elements = add({ 'script-src-elem': ['cdn.example'] });
  assert.deepEqual(elements['script-src-elem'], ['cdn.example', source]);
  assert.equal(elements['script-src'], undefined);
  assert.deepEqual(elements['connect-src'], ["'self'"]);
});

test('checks are limited, and forms are sent all the same', async () => {
  const { visitor, done } = openSite();
  await visitor.post('/login');
  const page = await visitor.get('/book');
  const ask = () => visitor.submit(page, { name: 'Ada', seats: '2', _change: 'check name' });
  let refused = await ask();
  let count = 1;
  for (; refused.status === 200 && count < 1_000; count++) refused = await ask();
  assert.ok(count > 120, `${count}`);
  assert.equal(refused.status, 429);
  assert.match(String(refused.headers['Retry-After']), /^\d+$/);
  const sent = await visitor.submit(page, { name: 'Ada', seats: '2', 'guests.0.age': '7' });
  assert.equal(sent.status, 303);
  assert.deepEqual(done, ['check', 'Ada']);
});

test('a check without a session is a 401, and one from another site a 403', async () => {
  const site = createSite(createMemoryStores(), { log: false, forms: { script: true } });
  formPage(site, '/book', form, {
    middleware: [requireSession],
    button: 'Book',
    show: ({ formHtml }) => formHtml,
    send: () => localPath('/book'),
  });
  const fields = { seats: '12', _change: 'check seats' };
  const visitor = createVisitor(site);
  assert.equal((await visitor.post('/book', fields)).status, 401);
  const headers = { 'sec-fetch-site': 'cross-site' };
  assert.equal((await visitor.post('/book', fields, { headers })).status, 403);
});

test('a check of a form with files or a password needs neither', async () => {
  const site = createSite(createMemoryStores(), { log: false, forms: { script: true } });
  const withSecret = defineForm({
    name: textField({ label: 'Name', required: 'Enter a name', maxLength: 10 }),
    secret: passwordField({
      label: 'Password',
      required: 'Enter a password',
      minLength: 8,
      maxLength: 100,
    }),
    paper: fileField({ label: 'Paper', required: 'Choose a paper', maxSize: 1_000 }),
  });
  formPage(site, '/', withSecret, {
    button: 'Send',
    show: ({ formHtml }) => formHtml,
    act: () => {
      throw new Error('carried out');
    },
  });
  const fields = { name: 'x'.repeat(11), _change: 'check name' };
  const answer = await createVisitor(site).submit('/', fields);
  assert.equal(answer.status, 200);
  assert.deepEqual(errorsIn(bodyText(answer)), ['name: Name must be 10 characters or less']);
});

test('an upload of the script is told where it leads; any other gets the redirect', async () => {
  const site = createSite(createMemoryStores(), { log: false, forms: { script: true } });
  formPage(site, '/', defineForm({ paper: fileField({ label: 'Paper', maxSize: 1_000 }) }), {
    button: 'Send',
    show: ({ formHtml }) => formHtml,
    send: () => localPath('/done'),
  });
  const visitor = createVisitor(site);
  const asked = await visitor.submit('/', {}, { headers: { 'tell-location': '1' } });
  assert.equal(asked.status, 204);
  assert.equal(asked.headers['Tell-Location'], '/done');
  assert.equal(asked.headers.Location, undefined);
  assert.equal((await visitor.submit('/', {})).status, 303);
});
