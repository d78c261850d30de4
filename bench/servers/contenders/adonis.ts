/**
 * AdonisJS with its sessions, static files, shield and Edge: the configuration of its web starter kit
 * in one file. It is not only a router, so it takes part with complete pages only.
 */
import { relative } from 'node:path';
import 'reflect-metadata';
import { Ignitor } from '@adonisjs/core';
import { defineConfig as defineBodyParser } from '@adonisjs/core/bodyparser';
import { defineConfig as defineEncryption, drivers } from '@adonisjs/core/encryption';
import { defineConfig as defineHttp, type HttpContext } from '@adonisjs/core/http';
import { defineConfig as defineLogger } from '@adonisjs/core/logger';
import type { NextFn } from '@adonisjs/core/types/http';
import { defineConfig as defineSession } from '@adonisjs/session';
import type { SessionData } from '@adonisjs/session/types';
import { defineConfig as defineShield } from '@adonisjs/shield';
import { defineConfig as defineStatic } from '@adonisjs/static';
import { formatDay, formatNumber, formatTime } from '../data/format.ts';
import { parseItem, textOf } from '../data/parse-item.ts';
import { openStore, SESSION_LIFE, type User } from '../data/store.ts';
import {
  databaseFile,
  host,
  isCrossOrigin,
  KEEP_ALIVE,
  pageEtags,
  publicFolder,
  SECRET,
} from './settings.ts';

const HERE = new URL('./', import.meta.url);
const store = openStore(databaseFile());
process.env['HOST'] = host;

const sessionStore = {
  read(id: string) {
    const found = store.findSession(id);
    return found && { user: found.user };
  },
  write(id: string, { user }: SessionData) {
    // It also writes empty sessions of visitors, which are not stored.
    if (user) store.saveSession(id, user as User, new Date(Date.now() + SESSION_LIFE));
  },
  destroy: (id: string) => store.deleteSession(id),
  // The other contenders do not store every visit either.
  touch() {},
};

const config = {
  app: {
    http: defineHttp({ generateRequestId: true, etag: pageEtags, cookie: { secure: false } }),
  },
  bodyparser: defineBodyParser({}),
  encryption: defineEncryption({
    default: 'gcm',
    list: { gcm: drivers.aes256gcm({ keys: [SECRET], id: 'gcm' }) },
  }),
  logger: defineLogger({ default: 'app', loggers: { app: { enabled: true, level: 'info' } } }),
  session: defineSession({
    cookieName: 'sid',
    age: '14 days',
    cookie: { secure: false, sameSite: 'lax' },
    store: 'sqlite',
    stores: { sqlite: () => sessionStore },
  }),
  // It would use form tokens; the header check of the others costs less.
  shield: defineShield({ csrf: { enabled: false }, xFrame: { enabled: true, action: 'DENY' } }),
  static: defineStatic({ etag: true, lastModified: true }),
};

await new Ignitor(HERE, { importer: (path) => import(path) })
  .tap((app) => {
    app.useConfig(config).rcContents({
      typescript: true,
      directories: {
        public: relative(HERE.pathname, publicFolder()),
        views: '../views',
      },
      providers: [
        () => import('@adonisjs/core/providers/app_provider'),
        () => import('@adonisjs/core/providers/edge_provider'),
        () => import('@adonisjs/session/session_provider'),
        () => import('@adonisjs/shield/shield_provider'),
        () => import('@adonisjs/static/static_provider'),
      ],
    });
    app.starting(defineRoutes);
    app.ready(async () => {
      const server = await app.container.make('server');
      const node = server.getNodeServer();
      if (node) node.keepAliveTimeout = KEEP_ALIVE;
    });
    app.listen('SIGTERM', () => app.terminate());
  })
  .httpServer()
  .start();

async function defineRoutes() {
  const { default: router } = await import('@adonisjs/core/services/router');
  const { default: server } = await import('@adonisjs/core/services/server');
  server.use([
    async () => ({ default: Guard }),
    () => import('@adonisjs/static/static_middleware'),
  ]);
  router.use([
    () => import('@adonisjs/core/bodyparser_middleware'),
    () => import('@adonisjs/session/session_middleware'),
    () => import('@adonisjs/shield/shield_middleware'),
  ]);

  router.get('/items', ({ request, session, view }) => {
    const list = store.listItems(Number(request.input('page', '1')) || 1);
    const user = session.get('user') ?? null;
    return view.render('list', { user, list, formatDay, formatNumber, formatTime });
  });

  router.post('/items', ({ request, response, session, view }) => {
    const user = session.get('user');
    if (user === undefined) return response.redirect('/login', false, 303);
    const { input, errors } = parseItem(request.body());
    if (errors === null)
      return response.redirect(`/items/${store.createItem(input, user)}`, false, 303);
    response.status(400);
    return view.render('problems', { user, errors });
  });

  router.post('/login', ({ request, response, session }) => {
    const user = store.findUser(textOf(request.body(), 'username'));
    if (user === null) return response.unauthorized();
    session.put('user', user);
    response.redirect('/items', false, 303);
  });
}

/** The log, one line when the answer is finished, and the cross-origin check. */
class Guard {
  async handle({ logger, request, response }: HttpContext, next: NextFn) {
    response.response.on('finish', () => {
      const { statusCode } = response.response;
      logger.info({ method: request.method(), url: request.url(), status: statusCode }, 'answered');
    });
    if (isCrossOrigin(request.method(), (name) => request.header(name)))
      return response.forbidden();
    return next();
  }
}
