/** Asks for every page of the documents, and follows every link of it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import type { Response } from 'seeother';
import { bodyText, get } from 'seeother/testing';
import { listFiles, ROOT } from '../../scripts/project-files.ts';
import { findFlaws } from './find-flaws.ts';
import { listLinks } from './list-links.ts';
import { toText } from './markdown.ts';
import { readPages, readTexts } from './read-pages.ts';
import { createDocuments } from './router.ts';
import { openSearch } from './search.ts';

const pages = readPages();
const search = await openSearch(pages);
const site = createDocuments({ pages, search, texts: readTexts() });
after(() => search.close());

const shown = new Map<string, Response>();
for (const { path } of pages) shown.set(path, await site.handle(get(path)));
const markup = new Map([...shown].map(([path, response]) => [path, bodyText(response)]));

test('every Markdown file is a page that is found', () => {
  const documents = listFiles('docs').filter((file) => file.endsWith('.md'));
  assert.ok(documents.length > 70, `only ${documents.length} documents were found`);
  for (const file of documents) {
    const title = /^# (.*)$/m.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1];
    const isShown = pages.some((page) => page.title === title?.replaceAll('`', ''));
    assert.ok(isShown, `${file} is on no page`);
  }
  for (const [path, { status }] of shown) assert.equal(status, 200, path);
});

test('every page is well-formed, its ids are unique and its headings are in order', () => {
  for (const [path, text] of markup) assert.deepEqual(findFlaws(text), [], path);
});

test('every link and anchor leads somewhere', () => {
  const broken = [...markup].flatMap(([from, text]) =>
    listLinks(text)
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => {
        const [path, id] = link.split('#');
        const target = markup.get(path || from);
        return target === undefined || (id !== undefined && !target.includes(` id="${id}"`));
      })
      .map((link) => `${from} has ${link}`),
  );
  assert.deepEqual(broken, []);
});

test('llms.txt leads to every document as Markdown, and to the API report', async () => {
  const list = bodyText(await site.handle(get('/llms.txt')));
  const links = [...list.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, link = '']) => link);
  assert.ok(links.length > 70, `only ${links.length} links`);
  for (const link of links)
    assert.match(bodyText(await site.handle(get(link))), /^(?:# |Every name)/, link);
});

test('no page needs more than the strict Content-Security-Policy', () => {
  for (const [path, { headers }] of shown) {
    assert.match(String(headers['Content-Security-Policy']), /default-src 'none'/, path);
    assert.doesNotMatch(
      markup.get(path) ?? '',
      /<(?:script|style|iframe|base)\b|<[^>]* (?:style|on\w+)=/,
      path,
    );
  }
});

test('a link to a file that is no document is its text', () => {
  const guide = markup.get('/decisions/') ?? '';
  assert.doesNotMatch(guide, /href="[^"]*\.(?:ts|md)"/);
});

test('the navigation names the section, the page and its neighbours', () => {
  const guide = markup.get('/guides/forms/') ?? '';
  assert.match(guide, /<a href="\/guides\/" aria-current="true">Guides<\/a>/);
  assert.match(guide, /<a href="\/guides\/forms\/" aria-current="page">Forms<\/a>/);
  assert.match(guide, /<a href="#exactly-once">Exactly once<\/a>/);
  assert.equal(guide.match(/rel="(?:prev|next)"/g)?.length, 2);
});

test('the address of a page without its last slash leads to the page', async () => {
  for (const base of ['', '/seeother']) {
    const documents = createDocuments({ pages, base });
    for (const { path } of pages.filter(({ path }) => path !== '/')) {
      const { status, headers } = await documents.handle(get(base + path.slice(0, -1)));
      assert.deepEqual([status, headers['Location']], [301, base + path]);
    }
  }
});

test('an unknown address is a 404 that offers pages and the search', async () => {
  const answer = await site.handle(get('/guide/session-store.html'));
  assert.equal(answer.status, 404);
  assert.match(bodyText(answer), /<a href="\/guides\/session-stores\/">/);
  assert.match(bodyText(answer), /<form class="search"/);
});

const ANSWERS = [
  ['radio', '/guides/field-gallery/'],
  ['checkbox', '/guides/field-gallery/'],
  ['date', '/guides/field-gallery/'],
  ['money', '/guides/field-gallery/'],
  ['dropdown', '/guides/form-fields/'],
  ['rows', '/guides/form-rows/'],
  ['add another', '/guides/form-rows/'],
  ['ModelChoiceField', '/guides/form-choices/'],
  ['choices from the database', '/guides/form-choices/'],
  ['dependent select', '/guides/form-choices/'],
  ['prefill', '/guides/form-choices/'],
  ['index page', '/guides/lists/'],
  ['ListView', '/guides/lists/'],
  ['django-filter', '/guides/lists/'],
  ['Ransack', '/guides/lists/'],
  ['datatable', '/guides/lists/'],
  ['data grid', '/guides/lists/'],
  ['bulk actions', '/guides/lists/'],
  ['scaffold', '/guides/crud/'],
  ['generate scaffold', '/guides/crud/'],
  ['phx.gen.html', '/guides/crud/'],
  ['generic views', '/guides/crud/'],
  ['resource controller', '/guides/crud/'],
  ['CRUD', '/guides/crud/'],
  ['admin', '/guides/crud/'],
  ['ModelForm', '/coming-from/words/'],
  ['roles', '/guides/accounts/'],
  ['Devise', '/coming-from/words/'],
  ['allauth', '/reference/comparison/'],
  ['magic link', '/guides/accounts/'],
  ['sudo mode', '/guides/accounts/'],
  ['2FA', '/guides/accounts/'],
  ['MFA', '/guides/accounts/'],
  ['invitation', '/guides/accounts/'],
  ['password reset', '/guides/accounts/'],
  ['forgot password', '/guides/accounts/'],
  ['sign up', '/guides/accounts/'],
  ['TOTP', '/recipes/one-time-codes/'],
  ['passkeys', '/recipes/passkeys/'],
  ['WebAuthn', '/recipes/passkeys/'],
  ['SSO', '/recipes/company-sign-in/'],
  ['OIDC', '/recipes/company-sign-in/'],
  ['permission', '/guides/sessions/'],
  ['Pundit', '/guides/sessions/'],
  ['permission_required', '/guides/sessions/'],
  ['authorization', '/guides/sessions/'],
  ['upload', '/guides/uploads/'],
  ['changeset', '/coming-from/words/'],
  ['useActionState', '/coming-from/words/'],
  ['autosave', '/guides/form-typing/'],
  ['unsaved changes', '/guides/form-typing/'],
  ['csrf_exempt', '/recipes/webhooks/'],
  ['StreamingHttpResponse', '/guides/answers/'],
  ['ListView', '/guides/lists/'],
  ['bulk actions', '/guides/lists/'],
  ['celery beat', '/recipes/schedules/'],
  ['audit log', '/guides/audit/'],
  ['scaffold', '/guides/crud/'],
  ['postal code', '/recipes/addresses/'],
  ['phone input', '/recipes/telephone-numbers/'],
  ['invoice pdf', '/recipes/pdf/'],
  ['e-signature', '/recipes/signatures/'],
  ['feature toggles', '/recipes/feature-flags/'],
  ['multi-tenant', '/recipes/several-addresses/'],
  ['translate', '/guides/languages/'],
  ['rate limit', '/recipes/rate-limits/'],
  ['wizard', '/recipes/wizard/'],
  ['webhook', '/recipes/webhooks/'],
  ['Stripe', '/recipes/webhooks/'],
  ['GitHub', '/recipes/webhooks/'],
  ['CSRF exempt', '/recipes/webhooks/'],
  ['csrf_exempt', '/recipes/webhooks/'],
  ['skip_forgery_protection', '/recipes/webhooks/'],
  ['VerifyCsrfToken except', '/recipes/webhooks/'],
  ['form_post', '/recipes/return-posts/'],
  ['payment page', '/recipes/return-posts/'],
  ['pagination', '/recipes/pagination/'],
  ['mail', '/recipes/mail-after-commit/'],
  ['drag', '/guides/form-limits/'],
  ['moneyField', '/reference/fields/moneyField/'],
] as const;

test('a search for what people want in a form finds the page that says how', async () => {
  const first = await Promise.all(
    ANSWERS.map(async ([query]) => [query, (await search.find(query))[0]?.path]),
  );
  assert.deepEqual(first, ANSWERS);
});

test('every export has a page with its docstring, its signature and the documents that use it', () => {
  const report = readFileSync(join(ROOT, 'docs/api-report.txt'), 'utf8');
  const [exported = ''] = report.split('=== types of options');
  const entries = exported.split(/^=== seeother\/?/m).slice(1);
  let count = 0;
  for (const entry of entries) {
    const folder = entry.split('\n')[0] || 'seeother';
    const names = entry.matchAll(
      /^export (?:declare )?(?:const|function|class|interface|type) (\w+)/gm,
    );
    for (const name of new Set([...names].map(([, found = '']) => found))) {
      const page = pages.find(
        ({ path, title }) => path.startsWith(`/reference/${folder}/`) && title === name,
      );
      const [docs = '', rest = ''] = page?.body.markup.split(/<pre[^>]*>/) ?? [];
      assert.notEqual(toText(docs).trim(), '', `${name} has no docstring`);
      assert.match(toText(rest), new RegExp(`import .*\\b${name}\\b`));
      assert.match(page?.body.markup ?? '', /id="used-in"/, `${name} is used nowhere`);
      count++;
    }
  }
  assert.ok(count > 150, `only ${count} names were found`);
});
