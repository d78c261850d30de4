import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { createAdaptorServer } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import express from 'express';
import fastify from 'fastify';
import { type Context, Hono } from 'hono';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { createSite } from '../site/create-site.ts';
import { formPage } from '../site/form-page.ts';
import { createMemoryStores } from '../site/stores.ts';
import { exchange } from '../testing/raw-connection.ts';
import { hiddenFields } from '../testing/visitor.ts';
import { toFetchHandler } from './fetch-handler.ts';
import { toNodeListener } from './node-listener.ts';

/** Each starts the host on a free port, with the site below `/office`; the host has a route of its own. */
type Start = (
  t: TestContext,
  site: Site,
  options: { readonly parses: boolean; readonly report?: (error: unknown) => void },
) => Promise<string>;

type Site = ReturnType<typeof createNotes>['site'];

const HOSTS: Readonly<Record<string, Start>> = {
  async Express(t, site, { parses, ...options }) {
    const app = express();
    if (parses) app.use(express.urlencoded());
    app.get('/own', (_request, answer) => void answer.send('of the host'));
    app.use('/office', toNodeListener(site, options));
    app.use(express.urlencoded());
    app.post('/own', (request, answer) => void answer.send(request.body.note));
    return listen(t, app.listen(0, '127.0.0.1'));
  },

  async Fastify(t, site, { parses, ...options }) {
    const listener = toNodeListener(site, options);
    const app = fastify();
    const type = 'application/x-www-form-urlencoded';
    app.addContentTypeParser(type, { parseAs: 'string' }, (_request, text, done) =>
      done(null, new URLSearchParams(String(text))),
    );
    app.get('/own', () => 'of the host');
    app.post('/own', ({ body }) => (body as URLSearchParams).get('note'));
    app.register(async (scope) => {
      if (!parses) {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
      }
      scope.all('/office/*', (request, reply) => {
        reply.hijack();
        listener(request.raw, reply.raw);
      });
    });
    t.after(() => app.close());
    return app.listen({ host: '127.0.0.1', port: 0 });
  },

  async Hono(t, site, { parses, ...options }) {
    const handle = toFetchHandler(site, {
      address: (_request, context: Context) => getConnInfo(context).remote.address,
      ...options,
    });
    const app = new Hono();
    if (parses) {
      app.use(async (context, next) => {
        await context.req.parseBody();
        await next();
      });
    }
    app.get('/own', (context) => context.text('of the host'));
    app.post('/own', async (context) =>
      context.text(String((await context.req.parseBody())['note'])),
    );
    app.all('/office/*', (context) => handle(context.req.raw, context));
    const server = createAdaptorServer({ fetch: app.fetch }) as Server;
    return listen(t, server.listen(0, '127.0.0.1'));
  },
};

async function listen(t: TestContext, server: Server): Promise<string> {
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function createNotes() {
  const notes: string[] = [];
  const addresses: string[] = [];
  const noteForm = defineForm({ note: textField({ label: 'Note', maxLength: 20 }) });
  const empty = createSite(createMemoryStores(), {
    base: '/office',
    log: false,
    errors: { report: () => {} },
  });
  const site = formPage(empty, '/notes', noteForm, {
    button: 'Save',
    show: ({ formHtml, request }) => {
      addresses.push(request.address);
      return html`${formHtml}`;
    },
    send({ values }) {
      notes.push(values.note);
      return localPath(`/office/notes/${notes.length}`);
    },
  });
  return { site, notes, addresses };
}

const send = (url: string, fields: Readonly<Record<string, unknown>>, headers = {}) =>
  fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields as Record<string, string>),
    headers,
    redirect: 'manual',
  });

for (const [name, start] of Object.entries(HOSTS)) {
  test(`within ${name}, a form counts once, also when it arrives twice`, async (t) => {
    const { site, notes, addresses } = createNotes();
    const url = await start(t, site, { parses: false });
    const page = await (await fetch(`${url}/office/notes`)).text();
    const sent = { ...hiddenFields(page), note: 'Milk' };
    const answers = await Promise.all([1, 2].map(() => send(`${url}/office/notes?send`, sent)));
    const again = await send(`${url}/office/notes?send`, sent);
    for (const { status, headers } of [...answers, again])
      assert.deepEqual([status, headers.get('Location')], [303, '/office/notes/1']);
    assert.deepEqual(notes, ['Milk']);
    assert.deepEqual(addresses, ['127.0.0.1']);
  });

  test(`within ${name}, a form of another site is refused`, async (t) => {
    const { site, notes } = createNotes();
    const url = await start(t, site, { parses: false });
    for (const foreign of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }])
      assert.equal((await send(`${url}/office/notes`, { note: 'Milk' }, foreign)).status, 403);
    assert.deepEqual(notes, []);
  });

  test(`within ${name}, an unknown path is a 404 of the site, and other paths are the host's`, async (t) => {
    const url = await start(t, createNotes().site, { parses: false });
    const unknown = await fetch(`${url}/office/nothing`);
    assert.equal(unknown.status, 404);
    assert.match(unknown.headers.get('Content-Security-Policy') ?? '', /default-src 'none'/);
    assert.equal(await (await fetch(`${url}/own`)).text(), 'of the host');
    assert.equal(await (await send(`${url}/own`, { note: 'Bread' })).text(), 'Bread');
    assert.equal((await fetch(`${url}/elsewhere`)).status, 404);
  });

  test(`within ${name}, a body that the host has read already is an error that says what to do`, async (t) => {
    const { site, notes } = createNotes();
    const reported: unknown[] = [];
    const report = (error: unknown) => reported.push(error);
    const url = await start(t, site, { parses: true, report });
    assert.equal((await send(`${url}/office/notes`, { note: 'Milk' })).status, 500);
    assert.match(
      String(reported[0]),
      /^Error: Cannot read the body of POST \/office\/notes: another part of the host has read it\. .+ before body parsers such as express\.urlencoded\(\)\.$/,
    );
    assert.deepEqual(notes, []);
    assert.equal((await fetch(`${url}/office/notes`)).status, 200);
  });

  test(`within ${name}, a path with dots and a second Host are what the guide says`, async (t) => {
    const url = await start(t, createNotes().site, { parses: false });
    const statusOf = async (path: string, hosts: string) => {
      const headers = `${hosts}Connection: close\r\n`;
      const received = await exchange(url, `GET ${path} HTTP/1.1\r\n${headers}\r\n`);
      return Number(received.slice(9, 12));
    };
    const host = 'Host: 127.0.0.1\r\n';
    assert.equal(await statusOf('/office/notes', host), 200);
    // Hono gets the path that the URL standard makes of it, and both hosts as one text.
    assert.equal(await statusOf('/office/a/../notes', host), name === 'Hono' ? 200 : 404);
    assert.equal(await statusOf('/office/notes', `${host}${host}`), name === 'Hono' ? 421 : 400);
  });
}
