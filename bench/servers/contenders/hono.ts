/** Hono on @hono/node-server with its own logger, secureHeaders, csrf, etag and static files. */
import { randomBytes } from 'node:crypto';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import { etag } from 'hono/etag';
import { HTTPException } from 'hono/http-exception';
import { logger } from 'hono/logger';
import { secureHeaders } from 'hono/secure-headers';
import { parseItem } from '../data/parse-item.ts';
import { openStore, SESSION_LIFE, type User } from '../data/store.ts';
import { listPage, problemsPage } from '../views/list-page.ts';
import { databaseFile, host, KEEP_ALIVE, kind, pageEtags, port, publicFolder } from './settings.ts';

const passOn: MiddlewareHandler = (_context, next) => next();

const app = new Hono<{ Variables: { user: User | null } }>();

if (kind === 'route') app.use(passOn, passOn);
else {
  app.use(logger(), secureHeaders(), csrf());
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse();
    process.stderr.write(`${error}\n`);
    return context.text('Something went wrong.\n', 500);
  });
}

if (kind === 'items') serveItems();
else app.get('/items/:number', (context) => context.text(`Item ${context.req.param('number')}`));

serve({ fetch: app.fetch, port, hostname: host, serverOptions: { keepAliveTimeout: KEEP_ALIVE } });

function serveItems() {
  const store = openStore(databaseFile());
  app.use('/styles.css', etag(), serveStatic({ root: publicFolder() }));
  if (pageEtags) app.use('/items', etag());
  app.use(async (context, next) => {
    const id = getCookie(context, 'sid');
    context.set('user', id === undefined ? null : (store.findSession(id)?.user ?? null));
    await next();
  });

  app.get('/items', (context) => {
    const list = store.listItems(Number(context.req.query('page') ?? '1') || 1);
    return context.html(listPage(context.get('user'), list));
  });

  app.post('/items', async (context) => {
    const user = context.get('user');
    if (user === null) return context.redirect('/login', 303);
    const { input, errors } = parseItem(await context.req.parseBody());
    if (errors !== null) return context.html(problemsPage(user, errors), 400);
    return context.redirect(`/items/${store.createItem(input, user)}`, 303);
  });

  app.post('/login', async (context) => {
    const { username } = await context.req.parseBody();
    const user = store.findUser(String(username));
    if (user === null) return context.body(null, 401);
    const id = randomBytes(32).toString('base64url');
    store.saveSession(id, user, new Date(Date.now() + SESSION_LIFE));
    setCookie(context, 'sid', id, { httpOnly: true, sameSite: 'Lax', path: '/' });
    return context.redirect('/items', 303);
  });
}
