import assert from 'node:assert/strict';
import test from 'node:test';
import { text } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { countCost } from './count-cost.ts';
import { get, post } from './make-request.ts';
import { openTestDatabase } from './test-folder.ts';

const FEW = { warmUp: 200, requests: 100 };
/** Of answers of a few hundred kilobytes. */
const FEWER = { warmUp: 20, requests: 10 };

test('bytes and promises of a request are counted, and not those of the requests before it', async () => {
  const site = createRouter()
    .get('/', () => text('one'))
    .get('/list', () => text(String(Array.from({ length: 1_000 }, (_, at) => ({ at })).length)))
    .get('/later', async () => {
      for (let left = 10; left > 0; left--) await null;
      return text('one');
    });
  const one = await countCost(site, get('/'), FEW);
  const list = await countCost(site, get('/list'), FEW);
  const later = await countCost(site, get('/later'), FEW);
  // An object with a number, and its place in the list.
  assert.ok(list.allocated > one.allocated + 15_000, `${list.allocated}, ${one.allocated}`);
  assert.ok(list.allocated < one.allocated + 60_000, `${list.allocated}, ${one.allocated}`);
  assert.ok(later.promises >= one.promises + 10, `${later.promises}, ${one.promises}`);
  assert.ok(later.promises < one.promises + 25, `${later.promises}, ${one.promises}`);
});

test('statements, rows and counters of your own are counted, but not what makes the requests', async (t) => {
  const { database } = await openTestDatabase(
    t,
    "create table notes as select 'one' as note union select 'two'",
  );
  let mails = 0;
  const site = createRouter()
    .get('/', async () =>
      text(String((await database.read.run('select * from notes')).rows.length)),
    )
    .post('/', async () => {
      await database.write(({ run }) => run("update notes set note = 'three' returning note"));
      mails++;
      return text('sent', 201);
    });
  const read = await countCost(site, get('/'), { ...FEW, further: { mails: () => mails } });
  assert.deepEqual(
    [read.status, read.statements, read.rows, read.further],
    [200, 1, 2, { mails: 0 }],
  );
  const make = async () => {
    await database.read.run('select 1');
    return post('/', { note: 'three' });
  };
  // A counter may have the name of a count.
  const further = { mails: () => mails, rows: () => 7 };
  const write = await countCost(site, make, { ...FEW, further });
  // begin, update, commit
  assert.deepEqual([write.status, write.statements, write.rows], [201, 3, 2]);
  assert.deepEqual(write.further, { mails: 1, rows: 0 });
});

test('the bytes sent are those of the whole answer, of known length, in chunks or without a body', async () => {
  const halves = async function* () {
    yield Buffer.alloc(150_000);
    yield Buffer.alloc(150_000);
  };
  const site = createRouter()
    .get('/plain', () => text('x'.repeat(200_000)))
    .get('/stream', () => ({
      status: 200,
      headers: { 'Content-Type': 'text/plain' },
      body: halves(),
    }))
    .get('/none', () => ({ status: 304, headers: {}, body: null }));
  const sent = async (path: string) =>
    Math.floor((await countCost(site, get(path), FEWER)).sent / 1_000);
  assert.deepEqual(
    [await sent('/plain'), await sent('/stream'), await sent('/none')],
    [200, 300, 0],
  );
});

test('answers of several statuses have no common cost', async () => {
  let count = 0;
  const site = createRouter().get('/', () => text('', count++ % 2 === 0 ? 200 : 404));
  await assert.rejects(countCost(site, get('/'), FEW), /its answers are 200, 404\./);
});

test('a request whose body was read is not sent without it', async () => {
  const site = createRouter().post('/', () => text('sent'));
  const request = post('/', { note: 'one' });
  await countCost(site, request, FEW);
  await assert.rejects(
    countCost(site, request, FEW),
    /POST \/ once more: its body was read already/,
  );
});
