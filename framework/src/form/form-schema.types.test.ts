import assert from 'node:assert/strict';
import test from 'node:test';
import * as v from 'valibot';
import { z } from 'zod';
import { listField, textField, wholeNumberField } from '../field/fields.ts';
import { schemaField } from '../field/schema-field.ts';
import { localPath } from '../http/href.ts';
import { seeOther, text } from '../http/response.ts';
import { type FormAction, refuse } from '../once/form-action.ts';
import { createRouter } from '../router/router.ts';
import { post } from '../testing/make-request.ts';
import { defineForm, errorsOf, type FormValues, type ValidForm } from './define-form.ts';
import { type FormContext, readForm } from './read-form.ts';

// Lines that must not compile have @ts-expect-error. The tests show what they do at run time.

const fields = {
  name: textField({ label: 'Name', maxLength: 120 }),
  count: wholeNumberField({ label: 'Count', min: 0, max: 9, default: 1 }),
  tags: listField({ label: 'Tags', entry: 'Tag', maxEntryLength: 9, maxEntries: 9 }),
  day: schemaField({ label: 'Day', schema: z.coerce.date().optional() }),
};

test('a field has the output type of its schema', () => {
  const values: FormValues<typeof fields> = { name: '', count: 1, tags: [], day: new Date(0) };
  // @ts-expect-error the day may be undefined
  assert.equal(values.day.getTime(), 0);
});

test('a schema that does not accept text does not compile in a field', () => {
  // @ts-expect-error what is typed is text
  const field = schemaField({ label: 'Count', schema: z.number() });
  assert.match(JSON.stringify(field.parse('1')), /"ok":false/);
  // @ts-expect-error what is typed is text
  schemaField({ label: 'Count', schema: v.number() });
  schemaField({ label: 'Count', schema: z.enum(['one', 'two']) });
  schemaField({ label: 'Count', schema: z.any() });
});

test('the values of a form have the output type of its schema, in the whole chain', async () => {
  const schema = z
    .object({ name: z.string(), tags: z.array(z.string()) })
    .transform(({ name, tags }) => ({ title: [name, ...tags].join() }));
  const form = defineForm(fields, { schema });
  const router = createRouter().post('/', readForm(form), (context) => {
    const { validation }: FormContext<typeof fields, { title: string }> = context;
    if (!validation.valid) return text('refused', validation.errors.length);
    const valid: ValidForm<typeof fields, { title: string }> = validation;
    // @ts-expect-error the output of the schema has no name
    assert.equal(valid.values.name, undefined);
    return text(valid.values.title);
  });
  assert.deepEqual(await router.handle(post('/', { name: 'x', tags: 'y' })), text('x,y'));
});

test('an action of a form with a schema gets the output of the schema', async () => {
  const schema = z.object({ name: z.string().min(2) }).transform(({ name }) => ({ title: name }));
  const form = defineForm(fields, { schema });
  const save: FormAction<typeof fields, unknown, { title: string }> = (context, next) => {
    const { validation } = context;
    if (!validation.valid) return next(refuse(context));
    return seeOther(localPath(`/${validation.values.title}`));
  };
  // The page of a refused form needs no values.
  const show = (context: FormContext<typeof fields> & { readonly status: 400 }) =>
    text(`${errorsOf(context.validation).length}`, context.status);
  const router = createRouter().post('/', readForm(form), save, (context) =>
    show({ ...context, status: 400 }),
  );
  assert.deepEqual(
    await router.handle(post('/', { name: 'chair' })),
    seeOther(localPath('/chair')),
  );
  assert.deepEqual(await router.handle(post('/', { name: 'x' })), text('1', 400));
  const wrong: FormAction<typeof fields> = (context, next) =>
    next({ ...context, validation: { valid: false, errors: [] }, status: 400 });
  createRouter()
    .post('/', readForm(defineForm(fields)), wrong, () => text('again', 400))
    // @ts-expect-error the schema returns a title, but the action needs the values of the fields
    .post('/schema', readForm(form), wrong, () => text('again', 400));
});

test('a schema that names a field that is not in the form does not compile', () => {
  assert.throws(() => {
    // @ts-expect-error the form has no field "colour"
    defineForm(fields, { schema: z.object({ name: z.string(), colour: z.string() }) });
    throw new Error('nothing would notice');
  }, /nothing would notice/);
  // @ts-expect-error the form has no field "colour"
  defineForm(fields, { schema: v.object({ colour: v.string() }) });
});

test('a schema that expects another type than its field has does not compile', () => {
  // @ts-expect-error the count is a number
  const form = defineForm(fields, { schema: z.object({ count: z.string() }) });
  assert.notEqual(form.schema, null);
  defineForm(fields, {
    schema: z.object({ name: z.enum(['a', 'b']), count: z.number().optional() }),
  });
  defineForm(fields, { schema: z.record(z.string(), z.unknown()) });
  defineForm(fields, { schema: z.looseObject({ count: z.number() }) });
});

test('refusing a form with a status that is not an error does not compile', async () => {
  const router = createRouter().post('/', readForm(defineForm(fields)), (context) => {
    // @ts-expect-error a page that shows a form again is not a redirect
    const changed: typeof context = { ...context, status: 303 };
    return text('again', changed.status);
  });
  assert.deepEqual(await router.handle(post('/', {})), text('again', 303));
});
