import assert from 'node:assert/strict';
import test from 'node:test';
import * as v from 'valibot';
import { z } from 'zod';
import { hiddenField, passwordField, textField, wholeNumberField } from '../field/fields.ts';
import { schemaField } from '../field/schema-field.ts';
import type { SchemaIssue, SchemaResult } from '../field/standard-schema.ts';
import { empty } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { post, type TypedFields } from '../testing/make-request.ts';
import { runReadForm } from '../testing/run-read-form.ts';
import { defineForm, errorsOf, type Fields, type Form } from './define-form.ts';
import { readForm } from './read-form.ts';

const text = (label: string) => textField({ label, required: `Enter ${label}`, maxLength: 99 });
const number = (label: string) => wholeNumberField({ label, min: 0, max: 9, default: 0 });
const range = { from: number('From'), to: number('To') };
const message = 'To must be From or more';

async function read<F extends Fields, V>(form: Form<F, V>, typed: TypedFields) {
  const { validation, status } = await runReadForm(form, typed);
  assert.equal(status, validation.valid ? 200 : 400);
  return validation;
}

/** A form whose schema has these issues. */
function refusing(issues: readonly SchemaIssue[]) {
  const validate = (): SchemaResult<never> => ({ issues });
  const password = passwordField({ label: 'Password', required: 'x', minLength: 1, maxLength: 99 });
  return defineForm(
    { one: text('One'), two: text('Two'), next: hiddenField(), password },
    { schema: { '~standard': { version: 1, vendor: 'test', validate } } },
  );
}

const TYPED = { one: '1', two: '2', password: 'correct horse' };

const schemas = {
  zod: z
    .object({ from: z.number(), to: z.number() })
    .refine(({ from, to }) => from <= to, { path: ['to'], message })
    .transform(({ from, to }) => ({ length: to - from })),
  valibot: v.pipe(
    v.object({ from: v.number(), to: v.number() }),
    v.forward(
      v.partialCheck([['from'], ['to']], ({ from, to }) => from <= to, message),
      ['to'],
    ),
    v.transform(({ from, to }) => ({ length: to - from })),
  ),
};
const forms = [
  ['zod', defineForm(range, { schema: schemas.zod })],
  ['valibot', defineForm(range, { schema: schemas.valibot })],
] as const;

for (const [vendor, form] of forms) {
  test(`a schema of ${vendor} gets the values of a form and returns others`, async () => {
    assert.deepEqual(await read(form, { from: '2', to: '5' }), {
      valid: true,
      values: { length: 3 },
      parsed: { from: 2, to: 5 },
    });
  });

  test(`an issue of ${vendor} is the error of the field that it names`, async () => {
    assert.deepEqual(await read(form, { from: '5', to: '2' }), {
      valid: false,
      errors: [{ field: 'to', message }],
      parsed: { from: 5, to: 2 },
    });
  });
}

test('the schema runs only when every field is valid', async () => {
  let asked = 0;
  const schema = z.unknown().refine(() => ++asked);
  const form = defineForm(range, { schema });
  const errors = errorsOf(await read(form, { from: 'x', to: '1' }));
  assert.deepEqual(errors, [{ field: 'from', message: 'From must be a whole number, like 3' }]);
  assert.equal(asked, 0);
  assert.equal((await read(form, { from: '0', to: '1' })).valid, true);
  assert.equal(asked, 1);
});

test('a schema and a field may be asynchronous', async () => {
  const later = async <T>(value: T) => value;
  const code = schemaField({
    label: 'Code',
    schema: z.string().refine((value) => later(value !== 'x'), 'Code must be known'),
  });
  const schema = z.object({ code: z.string() }).refine(({ code }) => later(code !== 'y'), message);
  const form = defineForm({ code }, { schema });
  const messages = async (typed: string) => errorsOf(await read(form, { code: typed }));
  assert.deepEqual(await messages('x'), [{ field: 'code', message: 'Code must be known' }]);
  assert.deepEqual(await messages('y'), [{ field: null, message }]);
  assert.deepEqual(await messages('z'), []);
});

test('an issue that names no field is an error of the whole form', async () => {
  const paths = [
    undefined,
    [],
    ['other'],
    [0],
    [Symbol('one')],
    ['constructor'],
    ['next'],
    [{ key: 'next' }],
  ];
  for (const path of paths) {
    assert.deepEqual(errorsOf(await read(refusing([{ message, path }]), TYPED)), [
      { field: null, message },
    ]);
  }
});

test('an issue deep in a value, or with a wrapped key, is an error of its field', async () => {
  for (const path of [
    ['two', 3],
    [{ key: 'two' }, { key: 'x' }],
  ]) {
    assert.deepEqual(errorsOf(await read(refusing([{ message, path }]), TYPED)), [
      { field: 'two', message },
    ]);
  }
});

test('each field has one message, in the order of the fields; those of the whole form come last', async () => {
  const issues = [
    { message: 'whole' },
    { message: 'second', path: ['two'] },
    { message: 'first', path: ['one'] },
    { message: 'first again', path: ['one'] },
    { message: 'whole' },
    { message: 'whole, too' },
  ];
  assert.deepEqual(errorsOf(await read(refusing(issues), TYPED)), [
    { field: 'one', message: 'first' },
    { field: 'two', message: 'second' },
    { field: null, message: 'whole' },
    { field: null, message: 'whole, too' },
  ]);
});

test('an empty list of issues refuses the form', async () => {
  assert.deepEqual(errorsOf(await read(refusing([]), TYPED)), [
    { field: null, message: 'Change something in the form and send it again' },
  ]);
});

test('no message repeats a password, whatever field it is about', async () => {
  const telling = 'Received “Correct horse”';
  const issues = [
    { message: telling, path: ['password'] },
    { message: telling, path: ['one'] },
    { message: 'Enter more', path: ['two'] },
    { message: telling },
  ];
  const validation = await read(refusing(issues), TYPED);
  assert.doesNotMatch(JSON.stringify(errorsOf(validation)), /correct horse/i);
  assert.deepEqual(errorsOf(validation), [
    { field: 'one', message: 'One cannot be used; enter another one' },
    { field: 'two', message: 'Enter more' },
    { field: 'password', message: 'Password cannot be used; enter another one' },
    { field: null, message: 'Change something in the form and send it again' },
  ]);
});

test('an exception of the schema is not caught', async () => {
  const bug = new Error('a bug');
  const schema = z.unknown().refine(() => {
    throw bug;
  });
  const router = createRouter().post('/', readForm(defineForm(range, { schema })), () => empty());
  await assert.rejects(async () => router.handle(post('/', {})), bug);
});

test('an error of a hidden field is an error of the whole form', async () => {
  const form = defineForm({ next: hiddenField(), one: text('One') });
  for (const next of ['next=%00', 'next=%FF', 'next=a&next=b']) {
    assert.deepEqual(errorsOf(await read(form, next as never)), [
      { field: 'one', message: 'Enter One' },
      {
        field: null,
        message: 'This form could not be read. Send it again',
      },
    ]);
  }
});
