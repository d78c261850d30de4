/** Fastify with its logger, @fastify/helmet, @fastify/session, @fastify/view with Eta, @fastify/static. */
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import etag from '@fastify/etag';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import session from '@fastify/session';
import files from '@fastify/static';
import view from '@fastify/view';
import { Eta } from 'eta';
import createFastify from 'fastify';
import { formatNumber, splitLocation } from '../data/format.ts';
import { parseItem, textOf } from '../data/parse-item.ts';
import { openStore, SESSION_LIFE, type Store, type User } from '../data/store.ts';
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

declare module 'fastify' {
  interface Session {
    user: User;
  }
}

type FormRequest = { Querystring: { page?: string } };

const fastify = createFastify({ logger: kind !== 'route', keepAliveTimeout: KEEP_ALIVE });

if (kind === 'route') {
  fastify.addHook('onRequest', async () => {});
  fastify.addHook('onRequest', async () => {});
} else {
  await fastify.register(helmet);
  fastify.addHook('onRequest', async ({ method, headers }, reply) => {
    if (isCrossOrigin(method, (name) => headers[name] as string | undefined)) {
      return reply.code(403).send('This form came from another site.\n');
    }
  });
  fastify.setErrorHandler((error, request, reply) => {
    request.log.error(error);
    reply.code(500).send('Something went wrong.\n');
  });
}

if (kind === 'items') await serveItems();
else
  fastify.get<{ Params: { number: string } }>(
    '/items/:number',
    async ({ params }) => `Item ${params.number}`,
  );

await fastify.listen({ port, host });

async function serveItems() {
  const store = openStore(databaseFile());
  if (pageEtags) await fastify.register(etag);
  await fastify.register(files, { root: publicFolder() });
  await fastify.register(formbody);
  await fastify.register(cookie);
  await fastify.register(session, {
    secret: SECRET,
    cookieName: 'sid',
    cookie: { secure: false, sameSite: 'lax', maxAge: SESSION_LIFE },
    saveUninitialized: false,
    rolling: false,
    store: sessionStore(store),
  });
  const templates = join(import.meta.dirname, '../views');
  await fastify.register(view, { engine: { eta: new Eta({ views: templates }) }, templates });

  fastify.get<FormRequest>('/items', ({ query, session }, reply) => {
    const list = store.listItems(Number(query.page ?? '1') || 1);
    return reply.view('list.eta', {
      user: session.user ?? null,
      list,
      formatNumber,
      splitLocation,
    });
  });

  fastify.post<FormRequest>('/items', ({ body, session }, reply) => {
    const { user } = session;
    if (user === undefined) return reply.redirect('/login', 303);
    const { input, errors } = parseItem(body);
    if (errors !== null) return reply.code(400).view('problems.eta', { user, errors });
    return reply.redirect(`/items/${store.createItem(input, user)}`, 303);
  });

  fastify.post<FormRequest>('/login', async ({ body, session }, reply) => {
    const user = store.findUser(textOf(body, 'username'));
    if (user === null) return reply.code(401).send();
    session.user = user;
    return reply.redirect('/items', 303);
  });
}

/** Compatible with the stores of express-session. */
function sessionStore(store: Store) {
  return {
    get(id: string, callback: (error: unknown, data?: never) => void) {
      const found = store.findSession(id);
      const cookie = { originalMaxAge: SESSION_LIFE, expires: found?.endsAt };
      callback(null, (found && { user: found.user, cookie }) as never);
    },
    set(id: string, { user }: { user: User }, callback: () => void) {
      store.saveSession(id, user, new Date(Date.now() + SESSION_LIFE));
      callback();
    },
    destroy(id: string, callback: () => void) {
      store.deleteSession(id);
      callback();
    },
  };
}
