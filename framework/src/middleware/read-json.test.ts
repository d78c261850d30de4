import assert from 'node:assert/strict';
import test from 'node:test';
import * as z from 'zod';
import { html } from '../http/html.ts';
import { json } from '../http/json.ts';
import { page } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { lintResponses } from '../testing/lint-responses.ts';
import { post } from '../testing/make-request.ts';
import { bodyText } from '../testing/visitor.ts';
import { catchErrors } from './catch-errors.ts';
import type { ErrorReport } from './error-report.ts';
import { readJson } from './read-json.ts';

const order = z.object({ lines: z.array(z.object({ 'a/b~ü': z.number() })).max(3) });
const reports: ErrorReport[] = [];
const router = createRouter()
  .use(lintResponses)
  .use(
    catchErrors({
      page: ({ status }) => page(html`sorry`, status),
      report: (report) => void reports.push(report),
    }),
  )
  .post('/orders', readJson(order, { limit: 5_000 }), ({ json: { lines } }) => json(lines.length))
  .post('/any', readJson(z.unknown()), ({ json: value }) => json(value));

async function send(
  body: string | Uint8Array,
  { path = '/orders', type = 'application/json', accept = 'application/json', coding = '' } = {},
) {
  const headers = { 'content-type': type, accept, ...(coding && { 'content-encoding': coding }) };
  const {
    status,
    headers: sent,
    ...answer
  } = await router.handle(post(path, body as string, { headers }));
  const text = bodyText({ status, headers: sent, ...answer });
  return { status, type: sent['Content-Type'], text };
}

test('a body is read by its schema', async () => {
  const body = JSON.stringify({ lines: [{ 'a/b~ü': 1 }], more: 1 });
  for (const type of [
    'application/json',
    'application/json; charset="UTF-8"',
    'application/ld+json',
  ])
    assert.deepEqual(await send(body, { type }), {
      status: 200,
      type: 'application/json',
      text: '1',
    });
});

test('a body that the schema refuses is a 400 with each place, and none of it in the log', async () => {
  const secret = 'hunter2';
  const answer = await send(
    JSON.stringify({ lines: [{ 'a/b~ü': 1 }, { 'a/b~ü': secret }, secret] }),
  );
  assert.deepEqual([answer.status, answer.type], [400, 'application/problem+json']);
  const { errors, detail } = JSON.parse(answer.text);
  const pointers = errors.map(({ pointer }: { readonly pointer: string }) => pointer);
  assert.deepEqual(pointers, ['#/lines/1/a~1b~0%C3%BC', '#/lines/2']);
  assert.match(detail, /at #\/lines\/1\/a~1b~0%C3%BC\.$/);
  assert.equal((await send(`{"password":"${secret}",}`)).status, 400);
  assert.equal(JSON.stringify(reports).includes(secret), false);
});

test('what is not JSON in UTF-8 is a 400, another type a 415, and too much a 413', async () => {
  for (const body of ['', '{', "{'a':1}", '{}{}', 'undefined', Buffer.from([0x22, 0xff, 0x22])])
    assert.equal((await send(body)).status, 400, String(body));
  const types = ['', 'text/json', 'application/x-www-form-urlencoded', 'text/plain'];
  for (const type of [...types, 'application/json; charset=latin1', 'application/jsonp'])
    assert.equal((await send('{}', { type })).status, 415, type);
  assert.equal((await send('{}', { coding: 'gzip' })).status, 415);
  const long = await send(JSON.stringify('x'.repeat(5_000)));
  assert.deepEqual([long.status, long.type], [413, 'application/problem+json']);
});

test('the last of two members of one name counts, and none is called __proto__', async () => {
  const value = async (body: string) => (await send(body, { path: '/any' })).text;
  assert.equal(await value('{"a":1,"a":2}'), '{"a":2}');
  assert.equal(await value('[{"__proto__":{"isAdmin":true},"b":1}]'), '[{"b":1}]');
  assert.equal(
    await value('{"\\u005f_proto__":1,"constructor":{"a":1}}'),
    '{"constructor":{"a":1}}',
  );
  assert.equal(({} as { readonly isAdmin?: boolean }).isAdmin, undefined);
});

test('a value that is too deep is a 400', async () => {
  const deep = (count: number) => '['.repeat(count) + ']'.repeat(count);
  assert.equal((await send(deep(100), { path: '/any' })).status, 200);
  for (const count of [101, 400_000])
    assert.equal((await send(deep(count), { path: '/any' })).status, 400);
});

test('a browser that prefers pages gets its errors as pages', async () => {
  const answer = await send('{', { accept: 'text/html' });
  assert.deepEqual([answer.status, answer.type], [400, 'text/html; charset=utf-8']);
  assert.equal((await send('{', { accept: '*/*' })).type, 'application/problem+json');
});

test('what is no schema is refused', () => {
  assert.throws(() => readJson({} as never), /pass a Standard Schema/);
});
