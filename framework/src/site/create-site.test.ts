import assert from 'node:assert/strict';
import test from 'node:test';
import type { Middleware } from '../chain/context.ts';
import { DatabaseUnavailable } from '../database/database.ts';
import { passwordField, textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { onceField } from '../form/form-markup.ts';
import { readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { HttpError } from '../http/http-error.ts';
import { page, seeOther, text, withSession } from '../http/response.ts';
import { english } from '../language/english.ts';
import { french } from '../language/french.ts';
import { german } from '../language/german.ts';
import type { ErrorReport } from '../middleware/error-report.ts';
import { createStaticFile } from '../middleware/static-file.ts';
import { createLinks } from '../router/links.ts';
import { requireSession } from '../session/require-session.ts';
import { startSession } from '../session/session-change.ts';
import { get, post } from '../testing/make-request.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { createSite, type SiteContext, type SiteOptions } from './create-site.ts';
import { createFormHandlers } from './form-handlers.ts';
import { createMemoryStores } from './stores.ts';

const PARTS = {
  log: 'logRequests',
  headers: 'secureHeaders',
  errors: 'catchErrors answerUnavailable',
  host: 'refuseForeignHost',
  origin: 'noteOrigin',
  session: 'loadSession',
  crossOrigin: 'refuseCrossOrigin',
  draft: 'claimDraft',
};

const chainOf = (options?: SiteOptions) =>
  createSite(createMemoryStores(), options).middleware.map(({ name }) => name);

const form = defineForm({
  name: textField({ label: 'Name', maxLength: 9 }),
  kennwort: passwordField({ label: 'Kennwort', required: 'x', minLength: 1, maxLength: 9 }),
});

const HOME = localPath('/');
const guestForm = defineForm({ name: textField({ label: 'Name', maxLength: 999 }) });

/** A site that notes what it reports, with routes that fail. */
function createFailing(options: SiteOptions = {}) {
  const reports: ErrorReport[] = [];
  const lines: string[] = [];
  const log = { write: (line: string) => lines.push(line), now: () => new Date(0) };
  const errors = { report: (report: ErrorReport) => reports.push(report) };
  const fail = (error: Error) => (): never => {
    throw error;
  };
  const site = createSite(createMemoryStores(), { log, errors, ...options })
    .get('/', () => page(html`home`))
    .post('/', readForm(form), () => text('done', 400))
    .get('/gone', fail(new HttpError(404, 'There is no such guest.')))
    .get('/bug', fail(new Error('secret')))
    .post('/bug', readForm(form), fail(new Error('secret')))
    .get('/away', fail(new DatabaseUnavailable('secret')))
    .post('/away', readForm(form), fail(new DatabaseUnavailable('secret', { outcome: 'unknown' })))
    .post('/account', requireSession, readForm(form), ({ session }) => text(session.user.name));
  return { site, reports, lines };
}

test('every part of the chain is there, in its order', () => {
  assert.equal(chainOf().join(' '), `provideStores ${Object.values(PARTS).join(' ')} leadToForm`);
});

test('each part can be switched off by its name, and all others stay', () => {
  // Each of these goes with another part.
  const { origin, draft, ...parts } = PARTS;
  for (const [name, part] of Object.entries(parts)) {
    const names = `provideStores ${Object.values(PARTS).join(' ')} leadToForm`;
    const left = names
      .replace(` ${part}`, '')
      .replace(name === 'crossOrigin' ? ` ${origin}` : '', '')
      .replace(name === 'session' ? ` ${draft}` : '', '');
    assert.equal(chainOf({ [name]: false }).join(' '), left);
  }
});

test('files are served behind the errors and before the session', () => {
  const files = new Map([['/a.css', createStaticFile(Buffer.from('a'), 'text/css', 0)]]);
  assert.deepEqual(chainOf({ files }).slice(5, 8), [
    'refuseForeignHost',
    'serveFiles',
    'noteOrigin',
  ]);
});

test('what is around stands before all other middleware', () => {
  const around: Middleware[] = [(context, next) => next(context)];
  assert.deepEqual(chainOf({ around }).slice(0, 2), ['', 'provideStores']);
});

test('one limit and one message for repeats hold for all forms of a site', async () => {
  const { show, send } = createFormHandlers<SiteContext<null>>()(guestForm, {
    name: 'addGuest',
    show: ({ form }) => html`${onceField(form)}`,
    send: () => HOME,
  });
  const site = createSite(createMemoryStores(), {
    log: false,
    errors: { report: () => {} },
    forms: { limit: 99, repeatedMessage: 'Sent before.' },
  })
    .get('/', ({ flash }) => page(html`${flash ?? 'nothing'}`))
    .post('/login', () => withSession(seeOther(HOME), startSession({ id: 1, name: 'ada' })))
    .post('/', readForm(guestForm), send, show)
    .post('/long', readForm(guestForm, { limit: 1_000 }), send, show);
  const visitor = createVisitor(site);
  await visitor.post('/login');
  for (const message of ['nothing', 'Sent before.']) {
    assert.equal((await visitor.post('/', { name: 'Bo', _once: 'key' })).status, 303);
    assert.equal(bodyText(await visitor.get('/')), message);
  }
  const name = 'x'.repeat(100);
  const refused = await visitor.post('/', { name });
  assert.equal(refused.status, 413);
  assert.match(bodyText(refused), /<dd>x{100}<\/dd>/);
  assert.doesNotMatch(bodyText(await visitor.post('/', { name: 'x'.repeat(4 * 99) })), /<dd>/);
  assert.equal((await visitor.post('/long', { name })).status, 303);
});

test('an exception has no session and is served at any host', async () => {
  const site = createSite(createMemoryStores(), { log: false, except: ['/healthz'] })
    .get('/healthz', ({ session }) => text(String(session)))
    .post('/login', () => withSession(seeOther(HOME), startSession({ id: 1, name: 'ada' })));
  const visitor = createVisitor(site);
  await visitor.post('/login');
  const answer = await visitor.get('/healthz', { headers: { host: '10.evil.example' } });
  assert.equal(bodyText(answer), 'null');
});

test('a layout of its own frames the error pages of the site', async () => {
  const layout: NonNullable<Exclude<SiteOptions['errors'], false>>['layout'] = (
    title,
    main,
    { request },
  ) => html`<header>${request.path}</header><h1>${title}</h1>${main}`;
  const { site } = createFailing({ errors: { layout, report: () => {} } });
  const gone = await site.handle(get('/gone'));
  assert.equal(gone.status, 404);
  assert.equal(
    bodyText(gone),
    '<header>/gone</header><h1>Page not found</h1><p>There is no such guest.</p>\n<p>Check the address.</p>\n',
  );
  assert.match(bodyText(await site.handle(get('/bug'))), /^<header>\/bug<.*<h1>Something/);
});

test('an error page shows no password, also if readForm is wrapped in another middleware', async () => {
  const site = createSite(createMemoryStores(), { log: false, errors: { report: () => {} } });
  const fail = (): never => {
    throw new Error('A bug.');
  };
  site
    .post('/read', (context, next) => readForm(form)(context, next), fail)
    .post(
      '/before',
      fail,
      (context, next) => readForm(form)(context, next),
      () => text('x'),
    );
  const send = async (path: string) =>
    bodyText(await site.handle(post(path, { name: 'Ada', kennwort: 'swordfish', colour: 'red' })));
  assert.match(await send('/read'), /<dl>\n<dt>Name<\/dt>\n<dd>Ada<\/dd>\n<\/dl>/);
  assert.doesNotMatch(await send('/before'), /swordfish|What you typed/);
});

test('the options of a part are added to its defaults', async () => {
  const { site, reports, lines } = createFailing({
    headers: { policy: { 'img-src': ["'self'", 'data:'] } },
  });
  const answer = await site.handle(get('/bug'));
  assert.match(String(answer.headers['Content-Security-Policy']), /img-src 'self' data:/);
  assert.match(bodyText(answer), /<h1>Something went wrong on our side<\/h1>/);
  assert.equal(reports[0]?.error?.message, 'secret');
  assert.deepEqual(lines, ['[1970-01-01T00:00:00.000Z] [GET] /bug 500']);
});

test('a nonce of the policy is on the context, in its type too', async () => {
  const site = createSite(createMemoryStores(), {
    log: false,
    headers: { policy: { 'style-src': ["'nonce'"] } },
  }).get('/', ({ nonce }) => page(html`<style nonce="${nonce()}"></style>`));
  assert.match(bodyText(await site.handle(get('/'))), /nonce="[\w-]{22}"/);
});

test('a site without sessions has none in the type of its context', () => {
  const site = createSite(createMemoryStores(), { session: false });
  // @ts-expect-error there is no session
  site.get('/', ({ session }) => text(String(session)));
  assert.throws(
    // @ts-expect-error there is no session
    () => site.get('/account', requireSession, () => text('x')),
    /it needs context\.session/,
  );
});

test('createLinks takes the routes from the type of a site', () => {
  const { site } = createFailing();
  const { href } = createLinks<typeof site>();
  assert.equal(href('/gone'), '/gone');
  // @ts-expect-error there is no such route
  assert.equal(href('/nowhere'), '/nowhere');
});

test('over http a host name that an attacker can own is refused until the public origin is set', async () => {
  const ask = (site: ReturnType<typeof createFailing>['site'], host: string) =>
    site.handle(get('/', { headers: { host } }));
  const { site, reports } = createFailing();
  for (const host of ['localhost:8000', '127.0.0.1:8000', '[::1]'])
    assert.equal((await ask(site, host)).status, 200, host);
  const refused = await ask(site, 'guests.example');
  assert.equal(refused.status, 421);
  assert.doesNotMatch(bodyText(refused), /publicOrigin/);
  assert.match(reports[0]?.message ?? '', /Set publicOrigin/);
  const { site: known } = createFailing({ publicOrigin: 'https://Guests.example/' });
  assert.equal((await ask(known, 'guests.example')).status, 200);
  assert.equal((await ask(known, 'localhost')).status, 421);
});

test('with the public origin no other origin sends forms, whatever the host says', async () => {
  const { site } = createFailing({ publicOrigin: 'https://guests.example', host: false });
  const send = (origin: string) =>
    site.handle(
      post('/', {}, { headers: { origin, host: 'evil.example', 'sec-fetch-site': undefined } }),
    );
  assert.equal((await send('https://guests.example')).status, 400);
  assert.equal((await send('http://evil.example')).status, 403);
});

test('the page of an error says nothing of what another site has sent, wherever the error comes from', async () => {
  const away = () => Promise.reject(new DatabaseUnavailable('secret'));
  const stores = createMemoryStores();
  const site = createSite(
    { ...stores, sessions: { ...stores.sessions, find: away } },
    { log: false, errors: { report: () => {} } },
  ).post('/', readForm(guestForm), () => text('done', 400));
  const send = (headers: Readonly<Record<string, string | undefined>>) => {
    const cookie = `sid=${'a'.repeat(43)}`;
    return site.handle(post('/', { name: 'Mallory' }, { headers: { cookie, ...headers } }));
  };
  const own = await send({});
  assert.deepEqual([own.status, /Mallory/.test(bodyText(own))], [503, true]);
  for (const headers of [
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': undefined, origin: 'http://localhost:9999' },
  ]) {
    const foreign = await send(headers);
    assert.equal(foreign.status, 503);
    assert.doesNotMatch(bodyText(foreign), /Mallory/);
  }
});

test('a 403 of the site gives back what was typed; one of another origin says where to send the form', async () => {
  const forbid = (): never => {
    throw new HttpError(403, 'This page is for stewards.');
  };
  const site = createSite(createMemoryStores(), {
    log: false,
    errors: { report: () => {} },
    languages: [english, german, french],
  })
    .get('/', forbid, () => page(html``))
    .post('/', forbid, readForm(guestForm), () => text('done', 400));
  const own = [
    ['en', /You may not do this.*for stewards.*ask the people/s, /What you typed.*Ada/s],
    ['de', /Das dürfen Sie nicht.*an die Betreiber/s, /Ihre Eingaben.*Ada/s],
    ['fr', /pas le droit.*aux responsables/s, /Votre saisie.*Ada/s],
  ] as const;
  for (const [language, said, typed] of own) {
    const headers = { 'accept-language': language };
    const opened = bodyText(
      await site.handle(get('/', { headers: { ...headers, accept: 'text/html' } })),
    );
    assert.match(opened, said);
    const sent = await site.handle(post('/', { name: 'Ada' }, { headers }));
    assert.equal(sent.status, 403);
    assert.match(bodyText(sent), said);
    assert.match(bodyText(sent), typed);
  }
  const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
  const refused = bodyText(await site.handle(post('/', { name: 'Ada' }, foreign)));
  assert.match(refused, /You can’t do that from here.*Open the form on this site/s);
  assert.doesNotMatch(refused, /Ada/);
});

test('a misspelt option does not compile, and throws', () => {
  assert.throws(
    // @ts-expect-error it is publicOrigin
    () => createSite(createMemoryStores(), { log: false, publicOrgin: 'https://guests.example' }),
    /Did you mean publicOrigin\?$/,
  );
});

test('an invalid public origin is refused when the site is created', () => {
  for (const publicOrigin of [
    '',
    'guests.example',
    'ftp://a',
    'https://a/b',
    'https://a?b',
    'https://u@a',
  ])
    assert.throws(
      () => createSite(createMemoryStores(), { publicOrigin }),
      /Cannot use .* as the public origin of a site: write the scheme and the host alone/,
      publicOrigin,
    );
});

test('an error page says what happened, what became of the form and what to do, and gives the text back', async () => {
  const { site } = createFailing();
  const typed = { name: 'Ada & Bo', kennwort: 'hidden' };
  const cases = [
    [get('/gone'), 404, /There is no such guest[\s\S]*Check the address/],
    [get('/bug'), 500, /not your fault[\s\S]*Reference: <code>/],
    [get('/away'), 503, /can’t reach the database[\s\S]*Try again in a minute/],
    [post('/bug', typed), 500, /may not have been saved[\s\S]*<dd>Ada &amp; Bo<\/dd>/],
    [post('/away', typed), 503, /send the same form again: it is saved only once[\s\S]*<dd>Ada/],
    [
      post('/account', typed),
      401,
      /Nothing was saved[\s\S]*next=%2Faccount%3F_draft[\s\S]*<dd>Ada/,
    ],
  ] as const;
  for (const [request, status, words] of cases) {
    const answer = await site.handle(request);
    assert.equal(answer.status, status);
    assert.match(String(answer.headers['Content-Type']), /^text\/html/);
    assert.match(bodyText(answer), words);
    assert.doesNotMatch(bodyText(answer), /secret|hidden/);
  }
});

test('a program that accepts no HTML gets an error as text', async () => {
  const { site } = createFailing();
  const answer = await site.handle(get('/gone', { headers: { accept: 'application/json' } }));
  assert.match(String(answer.headers['Content-Type']), /^text\/plain/);
  assert.match(bodyText(answer), /^Page not found: There is no such guest\.\nReference: /);
});

test('a report goes to standard error, and text of a client begins no line there', async (t) => {
  const said = t.mock.method(console, 'error', () => {});
  const site = createSite(createMemoryStores(), { log: false })
    .get('/bug', () => {
      throw new Error('one\n[2026-11-20] two \u001b[31m\u202e');
    })
    .get('/gone', () => {
      throw new HttpError(404, 'one\ntwo\r');
    });
  await site.handle(get('/bug'));
  await site.handle(get('/gone'));
  const [bug, gone] = said.mock.calls.map((call) => String(call.arguments[0]));
  assert.match(
    bug ?? '',
    /^\[\S+\] 500 GET \/bug \(GET \/bug, reference [\w-]{36}\)\n {4}Error: one\n/,
  );
  assert.match(bug ?? '', /\n {4}\[2026-11-20\] two \\u\{1b\}\[31m\\u\{202e\}\n {8}at /);
  assert.match(gone ?? '', /^\[\S+\] 404 GET \/gone: one\n {4}two\\u\{d\}$/);
});
