import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { seeOther, text } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { exchange } from '../testing/raw-connection.ts';
import { toNodeListener } from './node-listener.ts';

type Listener = (message: IncomingMessage & { originalUrl?: string }, out: ServerResponse) => void;

/** The address of a server that the test owns, as a host does. */
async function host(t: TestContext, listener: Listener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const noteForm = defineForm({ note: textField({ label: 'Note', maxLength: 20 }) });
const notes = createRouter()
  .get('/notes/:note', ({ params, request }) => text(`${params.note} ${request.address}`))
  .get('/broken', () => {
    throw new Error('It is broken.');
  })
  .post('/notes', readForm(noteForm), ({ form }) =>
    seeOther(localPath(`/notes/${form.text.note}`)),
  );

test('a listener answers what the router answers, forms too', async (t) => {
  const url = await host(t, toNodeListener(notes));
  const answer = await fetch(`${url}/notes/milk`);
  assert.equal(await answer.text(), 'milk 127.0.0.1');
  assert.equal((await fetch(`${url}/nowhere`)).status, 404);
  const body = new URLSearchParams({ note: 'bread' });
  const sent = await fetch(`${url}/notes`, { method: 'POST', body, redirect: 'manual' });
  assert.equal(sent.status, 303);
  assert.equal(sent.headers.get('Location'), '/notes/bread');
});

test('an error goes to the report, and the client gets a bare 500', async (t) => {
  const reported: unknown[] = [];
  const url = await host(t, toNodeListener(notes, { report: (error) => reported.push(error) }));
  const answer = await fetch(`${url}/broken`);
  assert.equal(answer.status, 500);
  assert.doesNotMatch(await answer.text(), /broken/);
  assert.deepEqual(reported, [new Error('It is broken.')]);
});

test('a message that node:http accepts but another program could parse differently is refused', async (t) => {
  const url = await host(t, toNodeListener(notes));
  const received = await exchange(
    url,
    'GET /notes/milk HTTP/1.1\r\nHost: one.test\r\nHost: two.test\r\n\r\n',
  );
  assert.match(received, /^HTTP\/1\.1 400 /);
  assert.match(received, /The Host header is repeated\./);
});

test('below the path of a mount, the router sees the whole path, as links have it', async (t) => {
  const mounted = createRouter({ base: '/office' }).get('/notes', () => text('all notes'));
  const listener = toNodeListener(mounted);
  const url = await host(t, (message, out) => {
    // What app.use('/office', listener) of Express does.
    message.originalUrl = message.url ?? '';
    message.url = message.originalUrl.replace(/^\/office/, '');
    listener(message, out);
  });
  assert.equal(await (await fetch(`${url}/office/notes`)).text(), 'all notes');
});

test('a body that the host has read already is an error that says what to do', async (t) => {
  const reported: unknown[] = [];
  const listener = toNodeListener(notes, { report: (error) => reported.push(error) });
  const url = await host(t, async (message, out) => {
    await message.toArray();
    listener(message, out);
  });
  const body = new URLSearchParams({ note: 'bread' });
  assert.equal((await fetch(`${url}/notes`, { method: 'POST', body })).status, 500);
  assert.match(
    String(reported[0]),
    /^Error: Cannot read the body of POST \/notes: .+ before body parsers such as express\.urlencoded\(\)\.$/,
  );
  assert.equal(await (await fetch(`${url}/notes/milk`)).text(), 'milk 127.0.0.1');
});

test('a router with a route that no request can reach is refused at once', () => {
  const router = createRouter()
    .get('/:x', ({ params }) => text(params.x))
    .get('/notes', () => text('notes'));
  assert.throws(() => toNodeListener(router), /Cannot reach a route/);
});
