import assert from 'node:assert/strict';
import test from 'node:test';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { page, text } from '../http/response.ts';
import { get, post, request } from '../testing/make-request.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { createSite } from './create-site.ts';
import { createFormHandlers, type FormNeeds } from './form-handlers.ts';
import { formPage } from './form-page.ts';
import { createMemoryStores } from './stores.ts';

const form = defineForm({
  name: textField({ label: 'Name', required: 'Enter a name', maxLength: 9 }),
});
const button = defineForm({});

function createShop() {
  const site = createSite(createMemoryStores(), { log: false, errors: { report: () => {} } });
  return site
    .get('/account', ({ flash }) => page(html`account ${flash}`))
    .post('/account/password', readForm(form, { page: '/account' }), () => text('done', 400))
    .get('/items/:number<int>', ({ params }) => page(html`item ${params.number}`))
    .post('/items/:number<int>/delete', readForm(button, { page: '/items/:number<int>' }), () =>
      text('done', 400),
    )
    .get('/tags/:name', ({ params }) => page(html`tag ${params.name}`))
    .post('/tags/:name/rename', readForm(button, { page: '/tags/:name' }), () => text('', 400))
    .post('/logout', () => text('bye'))
    .post('/alone', readForm(form), () => text('done', 400))
    .post('/lost', readForm(form, { page: '/nowhere' }), () => text('done', 400))
    .post('/self', readForm(form, { page: '/self' }), () => text('done', 400));
}

test('GET and HEAD of an address that only takes a form lead to the page of the form', async () => {
  const shop = createShop();
  for (const [target, location] of [
    ['/account/password', '/account'],
    ['/account/password?send', '/account'],
    ['/items/7/delete?send=&q=a%26b', '/items/7?q=a%26b'],
    ['/tags/a%2Fb%20%C3%A9/rename', '/tags/a%2Fb%20%C3%A9'],
    ['/%61ccount/password', '/account'],
  ] as const)
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await shop.handle(request(method, target, null));
      assert.deepEqual([answer.status, answer.headers['Location']], [303, location], target);
    }
});

test('with a base, the page is named with it', async () => {
  const stores = createMemoryStores();
  const site = createSite(stores, { base: '/app', log: false })
    .get('/items/:number<int>', () => page(html`item`))
    .post('/items/:number<int>/delete', readForm(button, { page: '/app/items/:number<int>' }), () =>
      text('', 400),
    );
  const answer = await site.handle(get('/app/items/7/delete?q=a'));
  assert.equal(answer.headers['Location'], '/app/items/7?q=a');
});

test('an address without such a page stays unknown, for every method', async () => {
  const shop = createShop();
  for (const target of ['/logout', '/alone', '/lost', '/self', '/items/0/delete', '/account/'])
    assert.equal((await shop.handle(get(target))).status, 404, target);
  for (const method of ['PUT', 'OPTIONS', 'PROPFIND'])
    assert.notEqual(
      (await shop.handle(request(method as 'GET', '/account/password', null))).status,
      303,
      method,
    );
  assert.equal((await shop.handle(post('/account', {}))).status, 404);
});

test('the query of a page is kept for load, send, the refused page and the page that follows', async () => {
  const seen: string[] = [];
  const site = createSite(createMemoryStores(), { log: false, errors: { report: () => {} } });
  const router = formPage(site, '/new', form, {
    button: 'Send',
    load: ({ request }) => ({ course: request.query.get('course') }),
    show: ({ formHtml, course, flash }) => html`<p>${flash} ${course}</p>${formHtml}`,
    send({ request, values }) {
      seen.push(`${request.query.get('course')} ${values.name}`);
      return { path: localPath('/new?course=7#top'), message: 'Sent.' };
    },
  });
  const visitor = createVisitor(router);
  const page = '/new?course=7&x=%22%3E&send=no';
  assert.match(
    bodyText(await visitor.get(page)),
    / action="\?send&amp;course=7&amp;x=%22%3E&amp;send=no"/,
  );
  const refused = bodyText(await visitor.submit(page, { name: '' }));
  assert.match(refused, /<p> 7<\/p>/);
  assert.match(refused, / action="\?send&amp;course=7&amp;x=%22%3E&amp;send=no"/);
  const done = await visitor.submit(page, { name: 'Ann' });
  assert.match(String(done.headers['Location']), /^\/new\?course=7&sent=[\w-]{8}#top$/);
  assert.deepEqual(seen, ['7 Ann']);
  const again = bodyText(await visitor.follow(done));
  assert.match(again, /<p>Sent\. 7<\/p>[\s\S]* action="\?send&amp;course=7"/);
  const key = await visitor.post('/new?send', { name: 'Ann', _once: '\\#&\\"' });
  assert.equal(key.status, 303);
});

test('a button that changes only its page is a 400 for a form without one', async () => {
  const { send, show } = createFormHandlers<FormNeeds>()(button, {
    name: 'press',
    send: () => localPath('/'),
  });
  const site = createSite(createMemoryStores(), { log: false, errors: { report: () => {} } });
  const router = site.post('/press', readForm(button), send, show);
  for (const change of ['x', 'add rows', 'remove file'])
    assert.equal((await router.handle(post('/press', { _change: change }))).status, 400, change);
});
