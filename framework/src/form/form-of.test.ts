import assert from 'node:assert/strict';
import test from 'node:test';
import type { Middleware } from '../chain/context.ts';
import { textField } from '../field/fields.ts';
import { text } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { defineForm } from './define-form.ts';
import { formOf } from './form-of.ts';
import { readForm } from './read-form.ts';

const pass: Middleware = (context, next) => next(context);
const first = defineForm({ name: textField({ label: 'Name', maxLength: 120 }) });
const second = defineForm({ name: textField({ label: 'Name', maxLength: 40 }) });

test('formOf returns the form that a route reads', () => {
  const { routes } = createRouter()
    .get('/', pass, () => text('x'))
    .post('/first', pass, readForm(first, { page: '/new' }), pass, () => text('x'))
    .post('/second', readForm(second, { limit: 9 }), () => text('x'));
  assert.deepEqual(
    routes.map((route) => formOf(route)),
    [
      null,
      { definition: first, page: '/new', limit: null, varies: false },
      { definition: second, page: null, limit: 9, varies: false },
    ],
  );
  assert.equal(formOf(routes[2] ?? assert.fail())?.definition, second);
});

test('a middleware that takes over the properties of readForm reads its form', () => {
  const read = readForm(first);
  const { routes } = createRouter()
    .post(
      '/bare',
      (context, next) => read(context, next),
      () => text('x'),
    )
    .post(
      '/described',
      Object.assign<typeof read, unknown>((context, next) => read(context, next), read),
      () => text('x'),
    );
  assert.deepEqual(
    routes.map((route) => formOf(route)?.definition),
    [undefined, first],
  );
});
