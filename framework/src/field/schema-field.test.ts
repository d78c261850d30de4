import assert from 'node:assert/strict';
import test from 'node:test';
import * as v from 'valibot';
import { z } from 'zod';
import { ok, problem } from './field.ts';
import { schemaField } from './schema-field.ts';
import type { SchemaResult, StandardSchema } from './standard-schema.ts';

/** A schema written by hand. */
function createSchema<T>(
  validate: (value: unknown) => SchemaResult<T> | Promise<SchemaResult<T>>,
): StandardSchema<unknown, T> {
  return { '~standard': { version: 1, vendor: 'test', validate } };
}

const echo = createSchema((value) => ({ value }));
const refuse = (message: string) => createSchema<never>(() => ({ issues: [{ message }] }));

/** The same rule in two libraries. */
const rules = {
  zod: z.email('Email must be an address, like ada@example.org').toLowerCase(),
  valibot: v.pipe(
    v.string(),
    v.email('Email must be an address, like ada@example.org'),
    v.toLowerCase(),
  ),
} as const;

for (const [vendor, schema] of Object.entries(rules)) {
  test(`a schema of ${vendor} returns the value or its issue`, () => {
    const field = schemaField<string, string>({ label: 'Email', required: 'Enter it', schema });
    assert.deepEqual(field.parse(' Ada@Example.org '), ok('ada@example.org'));
    assert.deepEqual(field.parse('ada'), problem('Email must be an address, like ada@example.org'));
    assert.deepEqual(field.parse(' \n'), problem('Enter it'));
  });
}

test('the schema gets undefined for an empty field, so defaults and optional schemas work', () => {
  const zod = schemaField({ label: 'Date', schema: z.iso.date().default('2026-01-01') });
  const valibot = schemaField({ label: 'Date', schema: v.optional(v.string()) });
  assert.deepEqual(zod.parse('  '), ok('2026-01-01'));
  assert.deepEqual(valibot.parse(''), ok(undefined));
  assert.equal(zod.required, false);
  const asked = schemaField({ label: 'Date', required: 'Enter a date', schema: echo });
  assert.deepEqual(asked.parse(''), problem('Enter a date'));
  assert.equal(asked.required, true);
});

test('the schema gets normalized text: trimmed, NFC, line ends as LF', () => {
  const field = schemaField({ label: 'Note', control: 'multiline', schema: echo });
  assert.equal(field.control, 'multiline');
  assert.deepEqual(field.parse('  e\u0301\r\nb\rc \n'), ok('\u00e9\nb\nc'));
});

test('the first issue is the message, and a refusal without issues gets a default message', () => {
  const issues = [{ message: 'First' }, { message: 'Second' }];
  const two = schemaField({ label: 'Code', schema: createSchema(() => ({ issues })) });
  assert.deepEqual(two.parse('x'), problem('First'));
  const none = schemaField({ label: 'Code', schema: createSchema(() => ({ issues: [] })) });
  assert.deepEqual(none.parse('x'), problem('Code cannot be used; enter another one'));
});

test('parse returns a promise only if the schema is asynchronous', async () => {
  const schema = z.string().refine(async (code) => code === 'open', 'Code must be known');
  const field = schemaField({ label: 'Code', schema });
  const parsing = field.parse('shut');
  assert.ok(parsing instanceof Promise);
  assert.deepEqual(await parsing, problem('Code must be known'));
  assert.deepEqual(await field.parse('open'), ok('open'));
});

test('an exception of a schema is not caught', async () => {
  const bug = new Error('a bug');
  const throwing = schemaField({
    label: 'Code',
    schema: createSchema(() => {
      throw bug;
    }),
  });
  assert.throws(() => throwing.parse('x'), bug);
  const rejecting = schemaField({ label: 'Code', schema: createSchema(() => Promise.reject(bug)) });
  await assert.rejects(async () => rejecting.parse('x'), bug);
});

test('a schema gets a password unchanged', () => {
  const field = schemaField({ label: 'Password', control: 'password', schema: echo });
  assert.equal(field.control, 'password');
  for (const typed of [' a ', 'e\u0301\r\n', '   '])
    assert.deepEqual(field.parse(typed), ok(typed));
});

test('a message about a password never repeats it', () => {
  const schemas = [
    v.literal('open sesame'), // Says: Expected "open sesame" but received "…".
    refuse('Not “Correct "Horse"” again'),
    refuse('Not correct \\"horse\\" again'),
  ];
  for (const schema of schemas) {
    const field = schemaField({ label: 'Password', control: 'password', schema });
    for (const typed of ['correct "horse"', ' correct "horse" ']) {
      assert.deepEqual(field.parse(typed), problem('Password cannot be used; enter another one'));
    }
  }
  const short = schemaField({
    label: 'Password',
    control: 'password',
    schema: z.string().min(8, 'Password must be 8 characters or more'),
  });
  for (const typed of ['horse', '   ']) {
    assert.deepEqual(short.parse(typed), problem('Password must be 8 characters or more'));
  }
});

test('the limits of a schema can be given as data', () => {
  const field = schemaField({ label: 'Code', schema: z.string().max(9), limits: { maxLength: 9 } });
  assert.deepEqual(field.limits, { maxLength: 9 });
  assert.deepEqual(schemaField({ label: 'Code', schema: echo }).limits, {});
});
