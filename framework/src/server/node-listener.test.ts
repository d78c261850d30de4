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

test('a router with a route that no request can reach is refused at once', () => {
  const router = createRouter()
    .get('/:x', ({ params }) => text(params.x))
    .get('/notes', () => text('notes'));
  assert.throws(() => toNodeListener(router), /Cannot reach a route/);
});
