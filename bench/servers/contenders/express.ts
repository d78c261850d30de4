/** Express with morgan, helmet, express-session, EJS and its own ETags and static files. */
import { join } from 'node:path';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import session from 'express-session';
import helmet from 'helmet';
import morgan from 'morgan';
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

declare module 'express-session' {
  interface SessionData {
    user: User;
  }
}

const passOn: RequestHandler = (_request, _response, next) => next();

const refuseCrossOrigin: RequestHandler = (request, response, next) => {
  if (isCrossOrigin(request.method, (name) => request.get(name))) response.sendStatus(403);
  else next();
};

const answerError: ErrorRequestHandler = (error, _request, response, next) => {
  process.stderr.write(`${error}\n`);
  if (response.headersSent) next(error);
  else response.status(500).type('text').send('Something went wrong.\n');
};

/** express-session's own interface, over the sessions of the data layer. */
class SessionStore extends session.Store {
  readonly #store: Store;

  constructor(store: Store) {
    super();
    this.#store = store;
  }

  override get(id: string, callback: (error: unknown, data?: session.SessionData | null) => void) {
    const found = this.#store.findSession(id);
    if (found === null) return callback(null, null);
    const { user, endsAt } = found;
    callback(null, { user, cookie: { originalMaxAge: SESSION_LIFE, expires: endsAt } });
  }

  override set(id: string, { user, cookie }: session.SessionData, callback?: () => void) {
    this.#store.saveSession(id, user, new Date(cookie.expires ?? Date.now() + SESSION_LIFE));
    callback?.();
  }

  override destroy(id: string, callback?: () => void) {
    this.#store.deleteSession(id);
    callback?.();
  }
}

const app = express();
app.disable('x-powered-by');
if (!pageEtags) app.disable('etag');

if (kind === 'route') app.use(passOn, passOn);
else app.use(morgan('combined'), helmet(), refuseCrossOrigin);

if (kind === 'items') serveItems();
else
  app.get(
    '/items/:number',
    ({ params }, response) => void response.type('text').send(`Item ${params.number}`),
  );

app.use(answerError);
app.listen(port, host).keepAliveTimeout = KEEP_ALIVE;

function serveItems() {
  const store = openStore(databaseFile());
  app.set('views', join(import.meta.dirname, '../views'));
  app.set('view engine', 'ejs');
  app.use(express.static(publicFolder()));
  app.use(
    session({
      name: 'sid',
      secret: SECRET,
      resave: false,
      saveUninitialized: false,
      cookie: { sameSite: 'lax', maxAge: SESSION_LIFE },
      store: new SessionStore(store),
    }),
  );

  app.get('/items', (request, response) => {
    const list = store.listItems(Number(request.query['page'] ?? '1') || 1);
    const user = request.session.user ?? null;
    response.render('list', { user, list, formatNumber, splitLocation });
  });

  app.post('/items', express.urlencoded(), (request, response) => {
    const { user } = request.session;
    if (user === undefined) return response.redirect(303, '/login');
    const { input, errors } = parseItem(request.body);
    if (errors !== null) return response.status(400).render('problems', { user, errors });
    response.redirect(303, `/items/${store.createItem(input, user)}`);
  });

  app.post('/login', express.urlencoded(), (request, response) => {
    const user = store.findUser(textOf(request.body, 'username'));
    if (user === null) return void response.sendStatus(401);
    request.session.user = user;
    response.redirect(303, '/items');
  });
}
