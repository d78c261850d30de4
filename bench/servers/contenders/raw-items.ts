/** The application by hand: routes, cookies, sessions, forms, static files and 304, without a framework. */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseItem } from '../data/parse-item.ts';
import { openStore, SESSION_LIFE, type User } from '../data/store.ts';
import { listPage, problemsPage } from '../views/list-page.ts';
import { databaseFile, pageEtags, publicFolder } from './settings.ts';

const HTML = 'text/html; charset=utf-8';

export function createItemsHandler() {
  const store = openStore(databaseFile());
  const styles = loadFile(join(publicFolder(), 'styles.css'));

  const findUser = (request: IncomingMessage): User | null => {
    const id = /(?:^|; )sid=([^;]*)/.exec(request.headers.cookie ?? '')?.[1];
    return id === undefined ? null : (store.findSession(id)?.user ?? null);
  };

  const listItems = (request: IncomingMessage, response: ServerResponse, query: string) => {
    const page = Number(new URLSearchParams(query).get('page') ?? '1') || 1;
    const body = listPage(findUser(request), store.listItems(page));
    if (!pageEtags) return sendPage(response, 200, body);
    const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
    response.setHeader('ETag', etag);
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    sendPage(response, 200, body);
  };

  const createItem = async (request: IncomingMessage, response: ServerResponse) => {
    const user = findUser(request);
    if (user === null) return redirect(response, '/login');
    const fields = new URLSearchParams(await text(request));
    const { input, errors } = parseItem(Object.fromEntries(fields));
    if (errors !== null) return sendPage(response, 400, problemsPage(user, errors));
    redirect(response, `/items/${store.createItem(input, user)}`);
  };

  const logIn = async (request: IncomingMessage, response: ServerResponse) => {
    const fields = new URLSearchParams(await text(request));
    const user = store.findUser(fields.get('username') ?? '');
    if (user === null) return sendPage(response, 401, problemsPage(null, ['Unknown user']));
    const id = randomBytes(32).toString('base64url');
    store.saveSession(id, user, new Date(Date.now() + SESSION_LIFE));
    response.setHeader('Set-Cookie', `sid=${id}; HttpOnly; SameSite=Lax; Path=/`);
    redirect(response, '/items');
  };

  const sendStyles = (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['if-none-match'] === styles.etag) {
      response.writeHead(304, { ETag: styles.etag, 'Last-Modified': styles.modified }).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Content-Length': styles.body.length,
      ETag: styles.etag,
      'Last-Modified': styles.modified,
    });
    response.end(styles.body);
  };

  return (request: IncomingMessage, response: ServerResponse): void | Promise<void> => {
    const [path, query = ''] = (request.url ?? '').split('?');
    const route = `${request.method} ${path}`;
    if (route === 'GET /items') return listItems(request, response, query);
    if (route === 'POST /items') return createItem(request, response);
    if (route === 'POST /login') return logIn(request, response);
    if (route === 'GET /styles.css') return sendStyles(request, response);
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('Not found\n');
  };
}

function sendPage(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'Content-Type': HTML, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { Location: location }).end();
}

function loadFile(path: string) {
  const body = readFileSync(path);
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  return { body, etag, modified: statSync(path).mtime.toUTCString() };
}
