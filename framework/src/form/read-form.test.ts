import assert from 'node:assert/strict';
import test from 'node:test';
import { listField, passwordField, textField, wholeNumberField } from '../field/fields.ts';
import { HttpError } from '../http/http-error.ts';
import { empty } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { post, type TypedFields } from '../testing/make-request.ts';
import { runReadForm, type SendOptions } from '../testing/run-read-form.ts';
import { defineForm } from './define-form.ts';
import { type FormContext, readEntries, readForm } from './read-form.ts';

const itemForm = defineForm({
  name: textField({ label: 'Name', required: 'Enter a name', maxLength: 120 }),
  description: textField({ label: 'Description', maxLength: 10_000, multiline: true }),
  quantity: wholeNumberField({ label: 'Quantity', min: 0, max: 9, default: 1 }),
  tags: listField({ label: 'Tags', entry: 'Tag', maxEntryLength: 40, maxEntries: 20 }),
  password: passwordField({ label: 'Password', required: 'Enter it', minLength: 1, maxLength: 99 }),
});

type Read = FormContext<typeof itemForm.fields>;

const read = (body: TypedFields | string, options?: SendOptions) =>
  runReadForm(itemForm, body, options);

const GOOD = { name: 'Chair', password: 'secret' };

function valuesOf({ validation }: Read) {
  assert.deepEqual(validation.valid ? [] : validation.errors, []);
  return validation.valid ? validation.values : assert.fail();
}

function errorsOf({ validation }: Read) {
  return validation.valid ? [] : validation.errors;
}

const refused = (status: number, message: RegExp) => (error: unknown) =>
  error instanceof HttpError && error.status === status && message.test(error.message);

test('a valid form puts the parsed values and the status 200 on the context', async () => {
  const answer = await read({ ...GOOD, description: 'Oak', quantity: '3', tags: 'wood, seat' });
  assert.deepEqual(valuesOf(answer), {
    name: 'Chair',
    description: 'Oak',
    quantity: 3,
    tags: ['wood', 'seat'],
    password: 'secret',
  });
  assert.equal(answer.status, 200);
});

test('an invalid form puts its errors, in the order of the fields, and the status 400 on the context', async () => {
  const answer = await read({ tags: 'x'.repeat(41), quantity: '10', name: ' ', password: 'x' });
  assert.deepEqual(errorsOf(answer), [
    { field: 'name', message: 'Enter a name' },
    { field: 'quantity', message: 'Quantity must be between 0 and 9' },
    { field: 'tags', message: `Tag “${'x'.repeat(20)}…” must be 40 characters or less` },
  ]);
  assert.equal(answer.status, 400);
});

test('a field that was not sent is missing', async () => {
  const errors = errorsOf(await read(''));
  assert.deepEqual(
    errors.map(({ field }) => field),
    ['name', 'password'],
  );
});

test('the text of the form is on the context as it was typed', async () => {
  const typed = { description: ' <b>&amp; "é" e\u0301 ', quantity: 'many', tags: ',,a', name: '' };
  assert.deepEqual((await read(typed)).form.text, { ...typed, password: '' });
  assert.equal((await read({ ...typed, ...GOOD })).form.text.name, GOOD.name);
});

test('a password is parsed, and its text is not on the context', async () => {
  const answer = await read({ ...GOOD, quantity: 'many', password: 'correct horse' });
  assert.equal(answer.validation.valid, false);
  assert.doesNotMatch(JSON.stringify(answer.form), /correct horse/);
});

test('a repeated field is an error of that field, also with the same text', async () => {
  const answer = await read({ ...GOOD, name: ['Chair', 'Chair'] });
  assert.deepEqual(errorsOf(answer), [
    { field: 'name', message: 'Name was sent twice; send it once' },
  ]);
  assert.equal(answer.form.text.name, 'Chair');
  for (const body of ['name=a&name=', 'name&name=b', 'n%61me=a&name=b'])
    assert.match(errorsOf(await read(body))[0]?.message ?? '', /sent twice/, body);
});

test('a value in the query is no value of the form', async () => {
  const { form, validation } = await read('quantity=1', { query: '?name=x&_once=y' });
  assert.deepEqual([form.text.name, form.once, validation.valid], ['', null, false]);
});

test('text that is not UTF-8 is an error of its field, and the other fields are kept', async () => {
  const answer = await read('name=Ch%FFair&description=Oak&password=x');
  assert.deepEqual(errorsOf(answer), [
    { field: 'name', message: 'Name has characters that could not be read; type it again' },
  ]);
  assert.equal(answer.form.text.name, 'Ch\ufffdair');
  assert.equal(answer.form.text.description, 'Oak');
});

test('a NUL is an error of its field, in a password too', async () => {
  const answer = await read('name=Cha%00ir&password=a%00b');
  assert.deepEqual(errorsOf(answer), [
    { field: 'name', message: 'Name must not contain a NUL character' },
    { field: 'password', message: 'Password must not contain a NUL character' },
  ]);
});

test('undeclared fields are ignored, whatever they contain', async () => {
  const answer = await read('name=Chair&password=x&admin=1&admin=2&na%00me=y&Name=z&bad=%FF');
  assert.deepEqual(Object.keys(valuesOf(answer)), [...itemForm.names]);
  assert.deepEqual(Object.keys(answer.form.text), [...itemForm.names]);
});

test('an undeclared name that no form can declare is no part of what was sent, and is not searched', async () => {
  for (const name of ['a'.repeat(1_001), 'aB'.repeat(500_000), `${'a.'.repeat(500)}a`]) {
    const { form } = await read({ [name]: 'x', ...GOOD });
    assert.deepEqual(
      form.sent?.map((one) => one.name),
      Object.keys(GOOD),
    );
  }
});

test('fields named like properties of every object are ignored, and no prototype is polluted', async () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', '__defineGetter__'];
  const nested = ['__proto__[polluted]', '__proto__.polluted', 'constructor[prototype][polluted]'];
  const hostile = Object.fromEntries([...names, ...nested].map((name) => [name, 'polluted']));
  const answer = await read({ ...hostile, ...GOOD });
  for (const record of [valuesOf(answer), answer.form.text]) {
    assert.equal(Object.getPrototypeOf(record), Object.prototype);
    assert.deepEqual(Object.keys(record), [...itemForm.names]);
    assert.equal(record.constructor, Object);
  }
  assert.equal('polluted' in {}, false);
});

test('anything but a form in UTF-8 is refused with 415', async () => {
  const types = ['application/json', 'text/plain', 'multipart/form-data; boundary=x'];
  for (const type of [...types, 'application/x-www-form-urlencoded; charset=iso-8859-1']) {
    await assert.rejects(
      read(GOOD, { headers: { 'content-type': type } }),
      (error) => refused(415, /must be sent as/)(error) && String(error).includes(`as ${type}.`),
    );
  }
  await assert.rejects(
    read(GOOD, { headers: { 'content-type': `text/${'x'.repeat(9_000)}` } }),
    ({ message }: Error) => message.length < 300,
  );
  await assert.rejects(
    read(GOOD, { headers: { 'content-type': undefined } }),
    refused(415, /without a content type/),
  );
});

test('a compressed form is refused with 415 and Accept-Encoding', async () => {
  for (const coding of ['gzip', 'br', 'identity', '']) {
    await assert.rejects(read(GOOD, { headers: { 'content-encoding': coding } }), {
      status: 415,
      message: /must be sent uncompressed/,
      headers: { 'Accept-Encoding': 'identity' },
    });
  }
});

test('a body with a Content-Length above the limit is refused with 413', async () => {
  await assert.rejects(read('name=Chair&x', { limit: 11 }), refused(413, /the 11 bytes/));
  assert.equal((await read('name=Chair&', { limit: 11 })).form.text.name, 'Chair');
});

test('a body without a Content-Length that exceeds the limit is refused with 413', async () => {
  const init = { headers: { 'content-length': undefined } };
  await assert.rejects(read('name=Chair&x', { ...init, limit: 11 }), refused(413, /the 11 bytes/));
  assert.equal((await read('name=Chair&', { ...init, limit: 11 })).form.text.name, 'Chair');
});

test('the default limit of a body is 1 MiB', async () => {
  const bytes = 1_048_576;
  assert.equal((await read('name=Chair&'.padEnd(bytes, 'x'))).form.text.name, 'Chair');
  const larger = 'name=Chair&'.padEnd(bytes + 1, 'x');
  await assert.rejects(read(larger), refused(413, /1,048,576 bytes/));
});

test('more than two hundred fields are refused with 400', async () => {
  assert.equal((await read(`name=Chair${'&x=1'.repeat(199)}`)).form.text.name, 'Chair');
  await assert.rejects(read(`name=Chair${'&x=1'.repeat(200)}`), refused(400, /200 fields/));
});

test('an empty key is none, and one in the wrong format is a 400', async () => {
  assert.equal((await read(GOOD)).form.once, null);
  assert.equal((await read({ ...GOOD, _once: '' })).form.once, null);
  for (const key of ['a.b', 'f3:7/8', '<"&\'>', '~', 'x'.repeat(255)])
    assert.equal((await read({ ...GOOD, _once: key })).form.once, key);
  for (const key of ['a b', ' ', 'é', '\ufeff', 'a\n', 'a\0', 'x'.repeat(256)]) {
    const refused = { status: 400, message: /_once must be 1 to 255 ASCII characters/ };
    await assert.rejects(read({ ...GOOD, _once: key }), refused, key);
  }
});

test('all sent fields can be read without a form, and again after readForm', async () => {
  const request = post('/items', 'b=1&a=%00&b=2');
  const router = createRouter().post('/items', readForm(itemForm), () => empty());
  await router.handle(request);
  assert.deepEqual(await readEntries({ request, route: null }), [
    { name: 'b', text: '1', flaw: null },
    { name: 'a', text: '\ufffd', flaw: 'nul' },
    { name: 'b', text: '2', flaw: null },
  ]);
});

test('readForm without a definition is an error where it is called', () => {
  const without =
    /^TypeError: Cannot read a form without its definition. Pass what defineForm returned/;
  // @ts-expect-error the definition is missing
  assert.throws(() => readForm(), without);
  // @ts-expect-error these are the fields of a form
  assert.throws(() => readForm(itemForm.fields), without);
});
