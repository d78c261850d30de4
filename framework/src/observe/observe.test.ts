import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import * as openTelemetry from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { createOutbox } from '../database/outbox.ts';
import { type Events, measure, onEvent } from '../events/events.ts';
import { readLevels } from '../events/levels.ts';
import { text } from '../http/response.ts';
import { logRequests } from '../middleware/log-requests.ts';
import { createRouter } from '../router/router.ts';
import { get, request } from '../testing/make-request.ts';
import { openTestDatabase } from '../testing/test-folder.ts';
import { observe } from './observe.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

/** The events of a kind while `work` runs. */
async function hear<N extends keyof Events>(name: N, work: () => unknown): Promise<Events[N][]> {
  const events: Events[N][] = [];
  const end = onEvent(name, (event) => events.push(event));
  try {
    await work();
  } finally {
    end();
  }
  return events;
}

test('without an SDK nothing is traced, and a listener still gets each request', async () => {
  const { CHAIN_EXIT } = await import('../chain/trace.ts');
  const { channel } = await import('node:diagnostics_channel');
  const site = createRouter()
    .use(observe(openTelemetry))
    .get('/items/:number', () => text('one'))
    .get('/fails', () => {
      throw new Error('a bug');
    });
  assert.equal(channel(CHAIN_EXIT).hasSubscribers, false);
  const events = await hear('request', async () => {
    await site.handle(get('/items/7'));
    await site.handle(get('/nothing'));
    assert.throws(() => site.handle(get('/fails')));
  });
  assert.deepEqual(
    events.map(({ method, pattern, status }) => [method, pattern, status]),
    [
      ['GET', '/items/:number', 200],
      ['GET', null, 404],
      ['GET', '/fails', 500],
    ],
  );
  assert.ok(events.every(({ time }) => time >= 0));
});

test('SQLite publishes reads, writes, group commits and syncs, and jobs of an outbox', async (t) => {
  const { database } = await openTestDatabase(t);
  await database.write(({ run }) => run('create table notes (note text)'));
  const add = () => database.write(({ run }) => run("insert into notes values ('one')"));
  const commits = await hear('commit', () => Promise.all([add(), add()]));
  assert.deepEqual(
    commits.map(({ writes }) => writes),
    [2],
  );
  assert.equal((await hear('sync', add)).length, 1);
  const statements = await hear('statement', async () => {
    await add();
    await database.slowRead.run('select note from notes');
  });
  assert.deepEqual(
    statements.map(({ sql, rows }) => [sql, rows]),
    [
      ['begin immediate', 0],
      ["insert into notes values ('one')", 0],
      ['commit', 0],
      ['select note from notes', 4],
    ],
  );
  const queries = await hear('query', async () => {
    await database.read.run('select note from notes');
    await database.slowRead.run('select count(*) from notes');
    await assert.rejects(database.write(({ run }) => run('insert into nothing values (1)')));
  });
  assert.deepEqual(
    queries.map(({ kind, sql, hasFailed }) => [kind, sql, hasFailed]),
    [
      ['read', 'select note from notes', false],
      ['slow read', 'select count(*) from notes', false],
      ['write', null, true],
    ],
  );
  assert.equal(readLevels()['writes waiting'], 0);
  const outbox = createOutbox(database, { mail: async () => {} });
  await database.write((transaction) => outbox.afterCommit.mail(transaction, null));
  const jobs = await hear('job', () => outbox.run());
  assert.deepEqual(
    jobs.map(({ name, hasFailed }) => [name, hasFailed]),
    [['mail', false]],
  );
});

/** Registers an SDK for the rest of this file, as `node --import` does before a site is made. */
function registerSdk() {
  const exporter = new InMemorySpanExporter();
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
  return exporter;
}

test('a request is a span that continues the trace of its client, with its parts in it and its id in the log', async (t) => {
  const exporter = registerSdk();
  const { database } = await openTestDatabase(t);
  const lines: string[] = [];
  const site = createRouter()
    .use(observe(openTelemetry))
    .use(logRequests({ write: (line) => lines.push(line), format: 'json' }))
    .use(async function waits(context, next) {
      await setTimeout(5);
      return next(context);
    })
    .use(function passes(context, next) {
      return next(context);
    })
    .get('/notes/:number', async function showNote() {
      await database.write(({ run }) => run('create table if not exists notes (note text)'));
      await database.read.run('select note from notes');
      await measure('drawing', () => setTimeout(1));
      return text('one');
    });
  await site.handle(get('/notes/7', { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } }));
  const spans = exporter.getFinishedSpans();
  const find = (name: string): ReadableSpan =>
    spans.find((span) => span.name === name) ?? assert.fail(spans.map((one) => one.name).join());
  const server = find('GET /notes/:number');
  assert.equal(server.parentSpanContext?.spanId, PARENT);
  assert.equal(server.attributes['http.response.status_code'], 200);
  assert.equal(server.attributes['http.route'], '/notes/:number');
  for (const name of ['waits', 'write', 'group commit', 'sync', 'read', 'drawing']) {
    const span = find(name);
    assert.equal(span.spanContext().traceId, TRACE, name);
    assert.equal(span.parentSpanContext?.spanId, server.spanContext().spanId, name);
    assert.ok(toMilliseconds(span.startTime) >= toMilliseconds(server.startTime), name);
  }
  assert.equal(find('read').attributes['db.query.text'], 'select note from notes');
  const { traceId, route, milliseconds, ...line } = JSON.parse(lines[0] ?? '');
  assert.equal(traceId, TRACE);
  assert.equal(route, '/notes/:number');
  assert.ok(milliseconds >= 5);
  assert.deepEqual([line.method, line.path, line.status], ['GET', '/notes/7', 200]);

  // On a busy machine a middleware that does nothing may take time in one request, but not in every one.
  const passesAgain = async () => {
    exporter.reset();
    await site.handle(get('/notes/7'));
    return exporter.getFinishedSpans().some(({ name }) => name === 'passes');
  };
  let left = 20;
  while (left > 0 && (await passesAgain())) left -= 1;
  assert.notEqual(left, 0, 'a middleware that takes no time is a span');

  // A method is text of a client, and an id that is none begins a trace of its own.
  exporter.reset();
  await site.handle(request('ODD', '/x', null, { headers: { traceparent: '00-zz' } }));
  const [odd] = exporter
    .getFinishedSpans()
    .filter(({ kind }) => kind === openTelemetry.SpanKind.SERVER);
  assert.equal(odd?.name, '_OTHER');
  assert.equal(odd?.parentSpanContext, undefined);
});

const toMilliseconds = ([seconds, nanoseconds]: readonly [number, number]) =>
  seconds * 1_000 + nanoseconds / 1e6;
