/** Mistakes in JavaScript, or behind `any`, that show while a form is answered. */
import assert from 'node:assert/strict';
import test from 'node:test';
import * as kinds from '../../fields.ts';
import * as seeother from '../../index.ts';
import * as middleware from '../../middleware.ts';
import { createVisitor, get } from '../../testing.ts';
import { type Mistake, testMistakes } from '../testing/test-mistakes.ts';

// biome-ignore lint/suspicious/noExplicitAny: this is what a user without types has.
type Untyped = any;
const { createSite, createMemoryStores, formPage, html }: Untyped = seeother;
const { defineForm, blankForm, localPath }: Untyped = seeother;
const { textField }: Untyped = kinds;
const { onlyOnce }: Untyped = middleware;

const name = textField({ label: 'Name', maxLength: 120 });
const form = defineForm({ name, quantity: textField({ label: 'Quantity', maxLength: 9 }) });
const show = ({ formHtml }: Untyped) => html`${formHtml}`;
const send = () => localPath('/');

const CALLS: readonly Mistake[] = [
  [
    () => blankForm(form, { quantity: 3 }),
    'Cannot fill the field "quantity" with 3: pass text, such as quantity: String(value).',
  ],
];

testMistakes(CALLS);

/** Sends the form of a page, and returns the error that was reported. */
async function reportOf(options: object): Promise<string> {
  const reports: Error[] = [];
  const errors = { report: ({ error }: { error: Error }) => reports.push(error) };
  const router = formPage(createSite(createMemoryStores(), { log: false, errors }), '/form', form, {
    button: 'Save',
    show,
    send,
    ...options,
  });
  const visitor = createVisitor(router);
  await visitor.get('/form');
  await visitor.post('/form', { name: 'Ladder', quantity: '1', _once: 'key' });
  return reports.map(({ message }) => message).join('\n');
}

test('a page of a form whose send returns nothing says what to return', async () => {
  for (const done of [undefined, null, 7, {}, { message: 'Saved' }]) {
    assert.match(
      await reportOf({ send: () => done }),
      /^Cannot carry out the form: send of \/form returned (undefined|null|7|an object), and the user needs a page that follows\. Return its path, localPath\('\/'\), or \{ path, message \}\.$/,
    );
  }
});

test('the work of once that returns nothing says what to return', async () => {
  const context = { ...(await sentContext()), session: null };
  const middleware = onlyOnce(createMemoryStores().receipts);
  await assert.rejects(
    async () => middleware(context, ({ once }: Untyped) => once(async () => {})),
    /^TypeError: Cannot carry out the form: its work returned undefined/,
  );
});

async function sentContext(): Promise<Untyped> {
  return { request: get('/form'), form: blankForm(form), route: null };
}

test('a page of a form whose show returns text says what to return', async () => {
  for (const shown of ['<h1>Add</h1>', undefined]) {
    assert.match(
      await reportOf({ show: () => shown }),
      /^Cannot show the form page of \/form: its show returned (text|undefined)\. Return the html of the/,
    );
  }
});

test('a page of a form whose fill returns a number says what to return', async () => {
  assert.match(
    await reportOf({ fill: () => ({ quantity: 3 }) }),
    /^Cannot fill the field "quantity" with 3: pass text/,
  );
});

test('a page of a form whose send refuses it without a field or a sentence says what to write', async () => {
  for (const [errors, message] of [
    [[{ field: 'nmae', message: 'Taken' }], /"nmae": .*name, quantity\. Did you mean name\?$/],
    [[{ field: 'city', message: 'a' }], /name, quantity\. Use one of these names, or null/],
    [[{ field: 'name' }], /with undefined for the message of an error: pass a sentence/],
    ['Taken', /with text for its errors: pass a list, \[\{ field, message/],
    [[], /Cannot refuse a form without saying why/],
  ] as const)
    assert.match(await reportOf({ send: () => ({ errors }) }), message);
});
