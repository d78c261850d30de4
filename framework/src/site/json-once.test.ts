import assert from 'node:assert/strict';
import test from 'node:test';
import * as z from 'zod';
import { createStores } from '../database/create-stores.ts';
import { HttpError } from '../http/http-error.ts';
import { json } from '../http/json.ts';
import { text, withSession } from '../http/response.ts';
import { readJson } from '../middleware/read-json.ts';
import { startSession } from '../session/session-change.ts';
import { lintResponses } from '../testing/lint-responses.ts';
import { openTestDatabase } from '../testing/test-folder.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { createSite } from './create-site.ts';
import { jsonOnce } from './json-once.ts';

test('a post of JSON with a key counts once, and gets the same answer again', async (t) => {
  const { database } = await openTestDatabase(t, 'create table notes (text text not null)');
  const site = createSite(createStores(database), {
    log: false,
    errors: { report: () => {} },
    around: [lintResponses],
  })
    .post('/login/:id<int>', ({ params: { id } }) =>
      withSession(text('in'), startSession({ id, name: `${id}` })),
    )
    .post('/notes', readJson(z.object({ text: z.string() })), (context) =>
      jsonOnce(context, async (transaction) => {
        const { changes } = await transaction.run('insert into notes values (?)', [
          context.json.text,
        ]);
        if (context.json.text === 'no') throw new HttpError(409, 'No.');
        const { rows } = await transaction.run('select count(*) as n from notes');
        return json({ changes, ...rows[0] }, 201);
      }),
    )
    .post('/wrong', (context) => jsonOnce(context, async () => 'x' as never))
    .post('/long', (context) => jsonOnce(context, async () => json('x'.repeat(70_000))));
  const visitor = createVisitor(site);
  const send = async (note: string, key?: string, path = '/notes', by = visitor) => {
    const headers = {
      accept: '*/*',
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    const answer = await by.post(path, JSON.stringify({ text: note }), { headers });
    return [answer.status, JSON.parse(bodyText(answer))] as const;
  };
  const count = async () => (await database.read.run('select count(*) as n from notes')).rows[0];

  const first = await send('Milk', '"key-1"');
  assert.deepEqual(first, [201, { changes: 1, n: 1 }]);
  assert.deepEqual(await send('Milk', '"key-1"'), first);
  assert.deepEqual(await send('Milk', 'key-1'), first);
  const [status, { detail }] = await send('Bread', 'key-1');
  assert.deepEqual([status, /another body/.test(detail)], [422, true]);

  const many = await Promise.all(Array.from({ length: 20 }, () => send('Tea', 'key-2')));
  assert.equal(new Set(many.map((one) => JSON.stringify(one))).size, 1);
  assert.deepEqual(await count(), { n: 2 });

  // Nothing is kept of a request that failed.
  assert.equal((await send('no', 'key-3'))[0], 409);
  assert.deepEqual(await count(), { n: 2 });
  assert.equal((await send('yes', 'key-3'))[0], 201);

  await send('Milk');
  await send('Milk');
  assert.deepEqual(await count(), { n: 5 });

  // Another user has keys of its own.
  const other = createVisitor(site);
  await other.post('/login/7');
  assert.deepEqual(await send('Milk', 'key-1', '/notes', other), [201, { changes: 1, n: 6 }]);

  for (const key of ['', 'a b', 'ü', 'x'.repeat(256)])
    assert.equal((await send('x', key))[0], 400, key);
});
