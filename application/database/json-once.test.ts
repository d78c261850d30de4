/** A post of JSON counts once on both engines, by whichever instance and session it arrives. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor, type Visitor } from 'seeother/testing';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { ENGINES } from '../testing/open-test-database.ts';
import { createReports } from './serve-reports.program.ts';

for (const { engine, name, skip } of ENGINES)
  test(`a post of JSON counts once on two instances, for each user, address and body (${name})`, {
    skip,
  }, async (t) => {
    const { open } = await createBareDatabase(t, engine);
    const database = await open();
    await database.write(({ run }) => run('create table reports (title text not null)'));
    const sites = [createReports(database), createReports(await open())] as const;
    let turn = 0;
    const both = {
      handle: (request: Parameters<(typeof sites)[0]['handle']>[0]) =>
        sites[turn++ % 2 === 0 ? 0 : 1].handle(request),
    };
    const send = async (
      by: Visitor,
      key: string,
      { body = '{}', path = '/api', cookie = undefined as string | undefined } = {},
    ) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': key, accept: '*/*' };
      const answer = await by.post(path, body, {
        headers: { ...headers, ...(cookie === undefined ? {} : { cookie }) },
      });
      return [answer.status, /^{"count":(\d+)}$/.exec(bodyText(answer))?.[1] ?? ''];
    };
    const [visitor, ada, bo] = [createVisitor(both), createVisitor(both), createVisitor(both)];
    await ada.post('/login/1');
    await bo.post('/login/2');

    const many = await Promise.all(Array.from({ length: 20 }, () => send(visitor, 'k')));
    assert.deepEqual(new Set(many.map(String)), new Set(['201,1']));
    const mixed = await Promise.all(
      Array.from({ length: 8 }, (_, at) => send(visitor, 'k2', { body: at % 4 < 2 ? '{}' : '[]' })),
    );
    assert.deepEqual(new Set(mixed.map(([status]) => status)), new Set([201, 422]));
    assert.deepEqual(await send(visitor, 'k', { path: '/api?other' }), [201, '3']);
    assert.deepEqual(await send(ada, 'k'), [201, '4']);
    assert.deepEqual(await send(bo, 'k'), [201, '5']);
    assert.deepEqual(await send(createVisitor(both), 'k'), [201, '1'], 'visitors share their keys');

    // A copy of a request may arrive with the id that the session had before.
    const cookie = `sid=${ada.cookie('sid')}`;
    await ada.post('/renew');
    assert.deepEqual(await send(ada, 'k'), [201, '4']);
    const [status] = await send(ada, 'k', { cookie });
    assert.equal(status, 401, 'it is not carried out as that of a visitor');
    assert.equal((await database.read.run('select 1 from reports')).rows.length, 5);
  });
