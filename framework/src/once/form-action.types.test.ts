import assert from 'node:assert/strict';
import test from 'node:test';
import type { Context } from '../chain/context.ts';
import { textField } from '../field/fields.ts';
import { blankForm, defineForm, errorsOf } from '../form/define-form.ts';
import { type FormContext, readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { empty, page, type Response, seeOther, text } from '../http/response.ts';
import { catchErrors } from '../middleware/catch-errors.ts';
import { createRouter } from '../router/router.ts';
import { get, post } from '../testing/make-request.ts';
import { type FormAction, refuse, statusOf } from './form-action.ts';

// Lines that must not compile have @ts-expect-error. The tests show that they are a 500 at run
// time.

const form = defineForm({
  name: textField({ label: 'Name', required: 'Enter a name', maxLength: 9 }),
});
type Names = typeof form.fields;

const save: FormAction<Names> = (context, next) => {
  const { validation } = context;
  if (!validation.valid) return next(refuse(context));
  return seeOther(localPath('/saved'));
};

/** One handler for the empty form and for the refused form. */
function show<C extends Context & Partial<FormContext<Names>>>(context: C) {
  const { form: shown = blankForm(form) } = context;
  return page(html`<input value="${shown.text.name}">`, statusOf(context));
}

const messages: string[] = [];
const site = () =>
  createRouter().use(
    catchErrors({
      page: ({ status }) => text('failed', status),
      report: ({ message }) => messages.push(message),
    }),
  );
const send = (router: { handle: (sent: ReturnType<typeof post>) => unknown }, name = 'Chair') =>
  router.handle(post('/', { name })) as Promise<Response>;
const AGAIN = /answered a form with a page and the status 200: a refresh would send the form again/;

test('an action redirects when it carries the form out, and the form is shown again when it refuses', async () => {
  const router = site().get('/', show).post('/', readForm(form), save, show);
  assert.equal((await router.handle(get('/'))).status, 200);
  assert.equal((await send(router)).status, 303);
  const refused = await send(router, '');
  assert.equal(refused.status, 400);
  assert.match(String(refused.body), /<input/);
});

test('an action can refuse a valid form only with errors, and with any error status', async () => {
  const taken: FormAction<Names> = (context, next) =>
    next(refuse(context, [{ field: 'name', message: 'This name is taken' }], 409));
  const showErrors = <C extends Context & FormContext<Names>>(context: C) =>
    text(JSON.stringify(errorsOf(context.validation)), context.status as 409);
  const router = site().post('/', readForm(form), taken, showErrors);
  const { status, body } = await send(router);
  assert.equal(status, 409);
  assert.equal(body, '[{"field":"name","message":"This name is taken"}]');

  const silent: FormAction<Names> = (context, next) => next(refuse(context));
  assert.equal((await send(site().post('/', readForm(form), silent, showErrors))).status, 500);
  assert.match(messages.at(-1) ?? '', /^Cannot refuse a form without saying why/);
  const wrong = [{ field: 'nam', message: 'Enter a name' }] as const;
  // @ts-expect-error the form has no such field
  const misspelt: FormAction<Names> = (context, next) => next(refuse(context, wrong));
  assert.equal(typeof misspelt, 'function');
});

test('a page with the status 200 as the answer to a form does not compile', async () => {
  // @ts-expect-error a refresh would send the form again
  const router = site().post('/', () => page(html`Saved`));
  assert.equal((await send(router)).status, 500);
  assert.match(messages.at(-1) ?? '', AGAIN);
  assert.match(messages.at(-1) ?? '', /in the chain of POST \//);
});

test('the page of a form without an action before it does not compile', async () => {
  // @ts-expect-error the form may be valid: then the status is 200
  const router = site().post('/', readForm(form), show);
  assert.equal((await send(router, '')).status, 400);
  assert.equal((await send(router)).status, 500);
  assert.match(messages.at(-1) ?? '', AGAIN);
});

test('a response literal with the status 200 does not compile', async () => {
  const headers = { 'Content-Type': 'text/html' };
  // @ts-expect-error its headers do not exclude a page
  const router = site().post('/', () => ({ status: 200, headers, body: 'Saved' }));
  assert.equal((await send(router)).status, 500);
});

test('XHTML is a page too, whatever its parameters and case', async () => {
  for (const type of ['application/xhtml+xml', ' Application/XHTML+xml ; charset=utf-8']) {
    const router = site().post('/', () => ({
      status: 200 as number as 400,
      headers: { 'Content-Type': type },
      body: '<p>Saved</p>',
    }));
    messages.length = 0;
    assert.equal((await send(router)).status, 500, type);
    assert.match(messages.at(-1) ?? '', AGAIN);
  }
});

test('register also rejects it', async () => {
  // @ts-expect-error a refresh would send the form again
  const router = site().register('POST', '/', [], () => page(html`Saved`));
  assert.equal((await send(router)).status, 500);
});

test('a page that only claims another status does not compile', async () => {
  // @ts-expect-error a status that is given as a type argument must be passed too
  const router = site().post('/', () => page<404>(html`Saved`));
  assert.equal((await send(router)).status, 500);
  // @ts-expect-error the same
  assert.equal(text<404>('Saved').status, 200);
  // @ts-expect-error the same
  assert.equal(empty<303>().status, 204);
});

test('register also rejects it for a method that may be POST', async () => {
  const method = 'POST' as 'GET' | 'POST';
  // @ts-expect-error a refresh would send the form again
  const router = site().register(method, '/', [], () => page(html`Saved`));
  assert.equal((await send(router)).status, 500);
});

test('an action that returns its own page with the status 200 does not compile', async () => {
  // @ts-expect-error an action redirects, returns an error, or calls next
  const shows: FormAction<Names> = () => page(html`Saved`);
  const router = site().post('/', readForm(form), shows, show);
  assert.equal((await send(router)).status, 500);
  assert.match(messages.at(-1) ?? '', AGAIN);
});

test('an action that calls next without refusing the form does not compile', async () => {
  // @ts-expect-error the next handler needs a refused form
  const forgets: FormAction<Names> = (context, next) => next(context);
  const router = site().post('/', readForm(form), forgets, show);
  assert.equal((await send(router)).status, 500);
});

test('an action that needs what no earlier middleware adds does not compile', async () => {
  const needy: FormAction<Names, { readonly colour: string }> = (context, next) =>
    context.colour === 'red'
      ? seeOther(localPath('/'))
      : next({ ...context, validation: { valid: false, errors: [] }, status: 409 });
  // @ts-expect-error no middleware adds a colour to the context
  const router = site().post('/', readForm(form), needy, show);
  assert.equal((await send(router)).status, 409);
});

test('the response to a form may be a redirect, an error page, empty, or plain text', async () => {
  const answers = [
    site().post('/', () => seeOther(localPath('/'))),
    site().post('/', () => page(html`Too late`, 409)),
    site().post('/', () => empty()),
    site().post('/', async () => text('noted')),
  ];
  const statuses = await Promise.all(answers.map(async (router) => (await send(router)).status));
  assert.deepEqual(statuses, [303, 409, 204, 200]);
});
