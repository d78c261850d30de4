import assert from 'node:assert/strict';
import test from 'node:test';
import { blankForm, defineForm, errorsOf } from '../form/define-form.ts';
import { errorSummary, formField } from '../form/form-markup.ts';
import { readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { text } from '../http/response.ts';
import { createMemoryReceiptStore } from '../once/memory-receipt-store.ts';
import { onlyOnce } from '../once/only-once.ts';
import { createRouter } from '../router/router.ts';
import { loadSession } from '../session/load-session.ts';
import { createMemorySessionStore } from '../session/memory-session-store.ts';
import { post, type TypedFields } from '../testing/make-request.ts';
import { buttonField } from './button-field.ts';
import { ok } from './field.ts';
import { textField } from './fields.ts';

const form = defineForm({
  name: textField({ label: 'Name', maxLength: 9 }),
  button: buttonField({
    buttons: [
      { value: 'show', label: 'Save' },
      { value: 'another', label: 'Save & add another' },
    ],
  }),
});

test('the value is that of the button that was pressed, and of the first without one', () => {
  const { button } = form.fields;
  assert.deepEqual(button.parse('another'), ok('another'));
  assert.deepEqual(button.parse('show'), ok('show'));
  assert.deepEqual(button.parse(''), ok('show'));
});

test('an unknown button is an error of the whole form, which links to no field', async () => {
  const router = createRouter().post(
    '/',
    readForm(form),
    ({ form: filled, validation, status }) => {
      const errors = errorsOf(validation);
      return text(`${errors.map(({ field }) => field)} ${errorSummary(filled)?.markup}`, status);
    },
  );
  const send = async (fields: TypedFields | string) => {
    const { status, body } = await router.handle(post('/', fields));
    assert.equal(status, 400);
    assert.ok(!String(body).includes('href'), String(body));
    return String(body);
  };
  for (const button of ['Show', ' show', 'delete', '__proto__', 'constructor'])
    assert.ok((await send({ button })).includes('<li>Use one of the buttons</li>'), button);
  for (const fields of ['button=show&button=show', 'button=show&button=another', 'button=%ff'])
    assert.ok((await send(fields)).includes('This form could not be read'), fields);
});

test('all buttons are rendered, the first as the main one, whichever was pressed', () => {
  const expected =
    '<button name="button" value="show">Save</button>\n' +
    '<button name="button" value="another" class="quiet">Save &amp; add another</button>';
  assert.equal(formField(blankForm(form), 'button').markup, expected);
  assert.equal(formField(blankForm(form, { button: 'another' }), 'button').markup, expected);
});

test('the same form sent by another button is another form', async () => {
  const done: string[] = [];
  const router = createRouter()
    .use(loadSession({ store: createMemorySessionStore() }))
    .post('/', readForm(form), onlyOnce(createMemoryReceiptStore()), ({ once, form }) =>
      once(async () => localPath(`/${done.push(form.text.button)}`)),
    );
  const send = async (button: string) =>
    (await router.handle(post('/', { name: 'Drill', button, _once: 'one-key' }))).headers[
      'Location'
    ];
  assert.deepEqual(
    [await send('show'), await send('another'), await send('show'), await send('another')],
    ['/1', '/2', '/1', '/2'],
  );
  assert.deepEqual(done, ['show', 'another']);
});

test('buttons with equal or empty values are refused, and so are none', () => {
  const define = (...values: string[]) =>
    buttonField({ buttons: values.map((value) => ({ value, label: value })) as never });
  for (const values of [['a', 'b', 'a'], ['a', ''], []])
    assert.throws(() => define(...values), /^TypeError: Cannot define buttons with the values/);
});
