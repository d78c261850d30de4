/** Koa with @koa/router, koa-pino-logger, koa-helmet, koa-session, @koa/ejs, koa-static and koa-etag. */
import { join } from 'node:path';
import { bodyParser } from '@koa/bodyparser';
import render from '@koa/ejs';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import conditional from 'koa-conditional-get';
import etag from 'koa-etag';
import helmet from 'koa-helmet';
import logger from 'koa-pino-logger';
import session from 'koa-session';
import serve from 'koa-static';
import { formatDay, formatNumber, formatTime } from '../data/format.ts';
import { parseItem, textOf } from '../data/parse-item.ts';
import { openStore, SESSION_LIFE } from '../data/store.ts';
import {
  databaseFile,
  host,
  isCrossOrigin,
  KEEP_ALIVE,
  kind,
  pageEtags,
  port,
  publicFolder,
  SECRET,
} from './settings.ts';

const passOn: Middleware = (_context, next) => next();

const refuseCrossOrigin: Middleware = (context, next) => {
  if (isCrossOrigin(context.method, (name) => context.get(name))) context.throw(403);
  return next();
};

const app = new Koa({ keys: [SECRET] });
const router = new Router();
// Koa itself answers what is thrown, with its status or 500; this is where it is reported.
app.on('error', (error) => process.stderr.write(`${error}\n`));

if (kind === 'route') app.use(passOn).use(passOn);
else app.use(logger()).use(helmet()).use(refuseCrossOrigin);

if (kind === 'items') serveItems();
else
  router.get('/items/:number', (context) => {
    context.body = `Item ${context.params.number}`;
  });

app.use(router.routes());
app.listen(port, host).keepAliveTimeout = KEEP_ALIVE;

function serveItems() {
  const store = openStore(databaseFile());
  app.use(conditional());
  if (pageEtags) app.use(etag());
  app.use(serve(publicFolder()));
  app.use(session({ key: 'sid', maxAge: SESSION_LIFE, secure: false, store: sessionStore() }, app));
  render(app, { root: join(import.meta.dirname, '../views'), layout: false, viewExt: 'ejs' });

  router.get('/items', async (context) => {
    const list = store.listItems(Number(context.query['page'] ?? '1') || 1);
    await context.render('list', {
      user: userOf(context),
      list,
      formatDay,
      formatNumber,
      formatTime,
    });
  });

  router.post('/items', bodyParser(), async (context) => {
    const user = userOf(context);
    if (user === null) return seeOther(context, '/login');
    const { input, errors } = parseItem(context.request.body);
    if (errors === null) return seeOther(context, `/items/${store.createItem(input, user)}`);
    context.status = 400;
    await context.render('problems', { user, errors });
  });

  router.post('/login', bodyParser(), (context) => {
    const user = store.findUser(textOf(context.request.body, 'username'));
    if (user === null) return context.throw(401);
    context.session.user = user;
    seeOther(context, '/items');
  });

  function sessionStore() {
    return {
      async get(id: string) {
        const found = store.findSession(id);
        return (
          found && { user: found.user, _expire: found.endsAt.getTime(), _maxAge: SESSION_LIFE }
        );
      },
      async set(id: string, { user, _expire }: { user: never; _expire: number }) {
        store.saveSession(id, user, new Date(_expire));
      },
      async destroy(id: string) {
        store.deleteSession(id);
      },
    };
  }
}

function userOf(context: Context) {
  return context.session.user ?? null;
}

function seeOther(context: Context, path: string) {
  context.status = 303;
  context.redirect(path);
}
