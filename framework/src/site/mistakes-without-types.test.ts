/**
 * Mistakes in JavaScript, or behind `any`, where no compiler finds them: each is a sentence that says what to write,
 * at start where that is possible.
 */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import * as database from '../../database.ts';
import * as fetch from '../../fetch.ts';
import * as kinds from '../../fields.ts';
import * as seeother from '../../index.ts';
import * as middleware from '../../middleware.ts';
import * as node from '../../node.ts';
import * as postgres from '../../postgres.ts';
import * as sqlite from '../../sqlite.ts';
import { type Mistake, testMistakes } from '../testing/test-mistakes.ts';

// biome-ignore lint/suspicious/noExplicitAny: this is what a user without types has.
type Untyped = any;
const { createSite, createMemoryStores, createRouter, createLinks, formPage, html }: Untyped =
  seeother;
const { textField, wholeNumberField, listField, passwordField, checkboxField }: Untyped = kinds;
const { dateField, timeField }: Untyped = kinds;
const { hiddenField, choiceField, buttonField, schemaField, fileField }: Untyped = kinds;
const { defineForm, readForm, startSession, createRequireSession, localPath }: Untyped = seeother;
const { requireSession }: Untyped = seeother;
const { limitRate, limitRequests }: Untyped = middleware;
const { onlyOnce, loadSession, secureHeaders, catchErrors, logRequests }: Untyped = middleware;
const { refuseForeignHost, refuseCrossOrigin, serveFiles }: Untyped = middleware;
const { serve, toNodeListener, createLineWriter }: Untyped = node;
const { toFetchHandler }: Untyped = fetch;
const { openSqlite }: Untyped = sqlite;
const { openPostgres }: Untyped = postgres;
const { createStores }: Untyped = database;

const stores = createMemoryStores();
const store = stores.sessions;
const name = () => textField({ label: 'Name', maxLength: 120 });
const form = defineForm({ name: name(), quantity: textField({ label: 'Quantity', maxLength: 9 }) });
const show = ({ formHtml }: Untyped) => html`${formHtml}`;
const send = () => localPath('/');
const text = { label: 'Name', maxLength: 120 };
const address = { host: '127.0.0.1', port: 0 };
const choices = [{ value: 'new', label: 'New' }];
const file = join(tmpdir(), 'seeother-never-made.db');
const never = 'Cannot reach';

const CALLS: readonly Mistake[] = [
  // Misspelt.
  [
    () => createSite(stores, { publicOrgin: 'https://a.example' }),
    'Cannot pass the option "publicOrgin" to createSite: it has none of this name. Did you mean publicOrigin?',
  ],
  [() => createSite(stores, { public_origin: 'x' }), /Did you mean publicOrigin\?$/],
  [
    () => createSite(stores, { csrf: true }),
    'Cannot pass the option "csrf" to createSite: it has none of this name. Its options are shadowedRoutes, base, notFound, publicOrigin, languages, except, around, log, headers, errors, host, files, session, crossOrigin, forms.',
  ],
  [() => createSite(stores, { log: { user: true } }), /"user" to logRequests.*mean users\?$/],
  [
    () => createSite(stores, { headers: { policies: {} } }),
    /"policies" to secureHeaders.*policy\?$/,
  ],
  [() => createSite(stores, { errors: { pages: show } }), /"pages" to catchErrors.*mean page\?$/],
  [() => createSite(stores, { host: { exept: [] } }), /"exept" to refuseForeignHost.*except\?$/],
  [
    () => createSite(stores, { session: { lifeTime: {} } }),
    /"lifeTime" to loadSession.*lifetime\?$/,
  ],
  [() => createSite(stores, { crossOrigin: { orgin: '' } }), /"orgin" to refuseCrossOrigin/],
  [() => limitRequests({ maxPerUser: 2 }), /"maxPerUser" to limitRequests/],
  [() => limitRate({ max: 1 }), /^Cannot call limitRate without within: pass .*within: 60_000/],
  [() => limitRequests(), /^Cannot limit requests without a number\. Pass max/],
  [() => createLineWriter(1, { limits: 1 }), /"limits" to createLineWriter.*mean limit\?$/],
  [() => createRouter({ notfound: send }), /"notfound" to createRouter.*mean notFound\?$/],
  [() => createLinks({ bas: '/a' }), /"bas" to createLinks.*mean base\?$/],
  [() => textField({ ...text, maxlength: 1 }), /"maxlength" to textField.*mean maxLength\?$/],
  [
    () => wholeNumberField({ ...text, min: 0, max: 9, default: 1 }),
    /"maxLength" to wholeNumberField/,
  ],
  [
    () => listField({ ...text, entry: 'Tag', maxEntryLength: 4, maxEntries: 2 }),
    /"maxLength" to listF/,
  ],
  [() => passwordField({ ...text, required: 'a', minLength: 8, min: 8 }), /"min" to passwordField/],
  [() => checkboxField({ label: 'Yes', ticked: true }), /"ticked" to checkboxField/],
  [() => hiddenField({ indraft: true }), /"indraft" to hiddenField.*mean inDraft\?$/],
  [() => choiceField({ label: 'State', choices, option: [] }), /"option" to choiceField/],
  [() => buttonField({ buttons: choices, label: 'a' }), /"label" to buttonField/],
  [() => schemaField({ label: 'a', scheme: {} }), /"scheme" to schemaField.*mean schema\?$/],
  [() => fileField({ label: 'a', maxsize: 1 }), /"maxsize" to fileField.*mean maxSize\?$/],
  [() => defineForm({ name: name() }, { shema: {} }), /"shema" to defineForm.*mean schema\?$/],
  [() => readForm(form, { limits: 1 }), /"limits" to readForm.*mean limit\?$/],
  [() => onlyOnce(stores.receipts, null, { message: '' }), /"message" to onlyOnce/],
  [() => formPage(site(), '/', form, { button: 'a', show, send, filled: send }), /mean fill\?$/],
  [() => loadSession({ store, lifetimes: {} }), /"lifetimes" to loadSession.*mean lifetime\?$/],
  [
    () => startSession({ id: 1, name: 'ada' }, { remember: true }),
    /"remember" to startSession.*mean remembered/,
  ],
  [
    () => createRequireSession({ loginPath: '/' }),
    /"loginPath" to createRequireSession.*logInPath\?$/,
  ],
  [() => serve(site(), { ...address, trusted: {} }), /"trusted" to serve.*mean trust\?$/],
  [() => serve(site(), { ...address, overload: { urgent: [] } }), /"urgent" to serve as overload/],
  [() => toNodeListener(site(), { reports: send }), /"reports" to toNodeListener.*mean report\?$/],
  [() => toFetchHandler(site(), { adress: send }), /"adress" to toFetchHandler.*mean address\?$/],
  [() => openSqlite(file, { timeOut: 1 }), /"timeOut" to openSqlite.*mean timeout\?$/],
  [() => openPostgres({ hosts: [] }, { migrations: 1 }), /"migrations" to openPostgres.*migrate/],
  // Missing.
  [
    () => textField({ label: 'Name' }),
    'Cannot call textField without maxLength: pass a whole number that is not negative, such as maxLength: 120.',
  ],
  [() => textField(), /^Cannot call textField without label: pass text, such as label: 'Name'\.$/],
  [
    () => textField('Name'),
    /^Cannot call textField with text for its options: pass an object with/,
  ],
  [
    () => wholeNumberField({ label: 'a', min: 0, max: 9 }),
    /without default: pass a whole number, or/,
  ],
  [() => listField({ label: 'a', entry: 'Tag', maxEntries: 4 }), /without maxEntryLength/],
  [() => passwordField({ label: 'a', maxLength: 9, minLength: 1 }), /without required/],
  [() => choiceField({ label: 'a' }), /without choices: pass a list, such as choices: \[\{ value/],
  [() => buttonField({}), /without buttons/],
  [() => schemaField({ label: 'a' }), /without schema: pass a Standard Schema/],
  [() => fileField({ label: 'a' }), /without maxSize: pass a whole number of bytes, such as/],
  [
    () => formPage(site(), '/', form, { show, send }),
    /without button: pass text, or null, such as/,
  ],
  [() => formPage(site(), '/', form, { button: 'a', send }), /without show: pass a function\.$/],
  [() => formPage(site(), '/', undefined, { button: 'a', show, send }), /without its definition/],
  [() => formPage(site(), '/', form), /^Cannot call formPage without button/],
  [() => logRequests({}), /without write: pass a function, such as write: console\.log\.$/],
  [
    () => createRequireSession({}),
    /without logInPath: pass text, such as logInPath: '\/log-in'\.$/,
  ],
  [() => serve(site(), {}), /^Cannot serve without an address: pass \{ host: '127\.0\.0\.1', port/],
  [() => serve(site()), /^Cannot serve without an address/],
  [() => serve(undefined, address), /^Cannot serve undefined: pass a router/],
  [() => createSite(), /^Cannot make a site without stores\. Pass createStores/],
  [() => createStores(), /^Cannot make stores of undefined: pass an open database/],
  // Of another kind.
  [
    () => textField({ ...text, required: true }),
    "Cannot pass true to textField as required: pass the error message that the user gets, such as required: 'Enter a name'.",
  ],
  [
    () => textField({ ...text, maxLength: '120' }),
    /^Cannot pass text to textField as maxLength: pass a/,
  ],
  [
    () => textField({ ...text, pattern: /a/ }),
    /as pattern: pass an object, such as pattern: \{ matches/,
  ],
  [
    () => textField({ ...text, default: 7 }),
    /^Cannot pass 7 to textField as default: pass text\.$/,
  ],
  [
    () => wholeNumberField({ label: 'a', min: 0, max: 9, default: '1' }),
    /text to wholeNumberField as d/,
  ],
  [
    () => choiceField({ label: 'a', choices: [['new', 'New']] }),
    /a list to choiceField as choices: pass a list, such/,
  ],
  [
    () => dateField({ label: 'a', min: '1.1.2026' }),
    /^Cannot pass "1\.1\.2026" to dateField as min: pass text of ISO 8601 for a real date or time, or/,
  ],
  [
    () => timeField({ label: 'a', max: '8:00' }),
    /^Cannot pass "8:00" to timeField as max: pass text/,
  ],
  [
    () => requireSession(),
    /^Cannot call requireSession without a context: it is the middleware its/,
  ],
  [
    () => site().group('/a', readForm(form), (group: Untyped) => group.get('/b', show)),
    /^Cannot use "readForm" in GET \/a\/b: a GET has no body with a form\. Put it into the chain of a/,
  ],
  [() => choiceField({ label: 'a', choices, required: true }), /true to choiceField as required/],
  [
    () => schemaField({ label: 'a', schema: (value: string) => value }),
    /a function to schemaField as/,
  ],
  [
    () => schemaField({ label: 'a', schema: null }),
    /^Cannot pass null to schemaField as schema: pass a/,
  ],
  [
    () => fileField({ label: 'a', maxSize: 0 }),
    /^Cannot pass 0 to fileField as maxSize: pass a whole/,
  ],
  [() => defineForm({ name: name() }, { schema: {} }), /an object to defineForm as schema/],
  [() => readForm(form, { limit: '1 MB' }), /^Cannot pass text to readForm as limit: pass a whole/],
  [
    () => createSite(stores, { log: true }),
    /^Cannot pass true to createSite as log: pass an object, or f/,
  ],
  [() => createSite(stores, { files: './public' }), /^Cannot pass text to createSite as files/],
  [() => createSite(stores, { shadowedRoutes: 'warn' }), /pass 'error', 'warning' or 'ignore'\.$/],
  [() => createSite({}), /^Cannot make a site with an object for its stores/],
  [() => serveFiles('./public'), /^Cannot serve text as files: pass what loadFiles returned/],
  [() => secureHeaders({ policy: "default-src 'self'" }), /text to secureHeaders as policy/],
  [() => catchErrors({ page: html`x` }), /an object to catchErrors as page: pass a function\.$/],
  [() => refuseForeignHost({ except: '/healthz' }), /as except: pass a list\.$/],
  [() => refuseCrossOrigin({ publicOrigin: true }), /as publicOrigin: pass text, or null\.$/],
  [
    () => loadSession({ store, lifetime: { idle: 30, absolute: 60 } }),
    'Cannot pass an object to loadSession as lifetime: pass milliseconds, at least a minute each, such as lifetime: { idle: 12 * 3_600_000, absolute: 14 * 86_400_000 }.',
  ],
  [() => loadSession({ store, rememberedLifetime: { idle: 9e9 } }), /as rememberedLifetime/],
  [
    () => createSite(stores, { session: { lifetime: 60 } }),
    /^Cannot pass 60 to loadSession as lifetime/,
  ],
  [
    () => formPage(site(), '/', form, { button: true, show, send }),
    /^Cannot pass true to formPage as but/,
  ],
  [
    () => formPage(site(), '/', form, { button: 'a', show: html`x`, send }),
    /as show: pass a function/,
  ],
  [
    () => serve(site(), { host: '127.0.0.1', port: '8000' }),
    'Cannot pass text to serve as port: pass a whole number from 0 to 65535, such as port: Number(process.env.PORT ?? 8000).',
  ],
  [
    () => openSqlite(),
    /^Cannot open SQLite with undefined as the file: pass its path, openSqlite\('/,
  ],
  [() => openSqlite(new URL('file:///a')), /^Cannot open SQLite with an object as the file/],
  [
    () => openPostgres('no URL, with a secret'),
    "Cannot open PostgreSQL with text as the address: pass what parsePostgresUrl returns, openPostgres(parsePostgresUrl('postgres://user:password@host:5432/name')).",
  ],
  [
    () => createStores(openLater()),
    /^Cannot make stores of a promise: pass an open database, createS/,
  ],
];

async function openLater() {
  return never;
}

function site(options: object = {}): Untyped {
  return createSite(createMemoryStores(), { log: false, ...options });
}

testMistakes(CALLS);

test('an option that is undefined counts as not given', () => {
  assert.doesNotThrow(() => textField({ ...text, hint: undefined, required: undefined }));
  assert.throws(() => textField({ label: 'a', maxLength: undefined }), /without maxLength/);
});
