/** h3 on its own server (srvx) with srvx's log and h3's cookies, cache headers, html and static files. */
import { createHash, randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  getCookie,
  H3,
  type H3Event,
  HTTPError,
  handleCacheHeaders,
  html,
  type Middleware,
  onError,
  raw,
  readBody,
  redirect,
  serve,
  serveStatic,
  setCookie,
} from 'h3';
import { loggerMiddleware } from 'srvx/log';
import { parseItem, textOf } from '../data/parse-item.ts';
import { openStore, SESSION_LIFE } from '../data/store.ts';
import { listPage, problemsPage } from '../views/list-page.ts';
import {
  databaseFile,
  host,
  isCrossOrigin,
  KEEP_ALIVE,
  kind,
  pageEtags,
  port,
  publicFolder,
} from './settings.ts';

/** h3 has no set of its own, so each is written down here. */
const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'self'; frame-ancestors 'none'; form-action 'self'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const passOn: Middleware = (_event, next) => next();

const secureHeaders: Middleware = ({ res }, next) => {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) res.headers.set(name, value);
  return next();
};

const refuseCrossOrigin: Middleware = ({ req }, next) => {
  if (isCrossOrigin(req.method, (name) => req.headers.get(name)))
    throw new HTTPError({ status: 403 });
  return next();
};

const app = new H3();

if (kind === 'route') app.use(passOn).use(passOn);
else {
  app.use(onError((error) => void process.stderr.write(`${error}\n`)));
  app.use(secureHeaders).use(refuseCrossOrigin);
}

if (kind === 'items') serveItems();
else app.get('/items/:number', ({ context }) => `Item ${context.params?.['number']}`);

serve(app, {
  port,
  hostname: host,
  silent: true,
  middleware: kind === 'route' ? [] : [loggerMiddleware()],
  node: { keepAliveTimeout: KEEP_ALIVE },
});

function serveItems() {
  const store = openStore(databaseFile());
  const findUser = (event: H3Event) => {
    const id = getCookie(event, 'sid');
    return id === undefined ? null : (store.findSession(id)?.user ?? null);
  };

  app.get('/styles.css', (event) =>
    serveStatic(event, {
      getContents: (id) => readFile(join(publicFolder(), id)),
      getMeta: async (id) => {
        const stats = await stat(join(publicFolder(), id)).catch(() => undefined);
        return stats?.isFile() ? { size: stats.size, mtime: stats.mtimeMs } : undefined;
      },
    }),
  );

  app.get('/items', (event) => {
    const list = store.listItems(Number(event.url.searchParams.get('page') ?? '1') || 1);
    const body = listPage(findUser(event), list);
    if (pageEtags) {
      const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
      if (handleCacheHeaders(event, { etag })) return '';
    }
    return html(raw(body));
  });

  app.post('/items', async (event) => {
    const user = findUser(event);
    if (user === null) return redirect('/login', 303);
    const { input, errors } = parseItem(await readBody(event));
    if (errors === null) return redirect(`/items/${store.createItem(input, user)}`, 303);
    event.res.status = 400;
    return html(raw(problemsPage(user, errors)));
  });

  app.post('/login', async (event) => {
    const fields = await readBody(event);
    const user = store.findUser(textOf(fields, 'username'));
    if (user === null) throw new HTTPError({ status: 401 });
    const id = randomBytes(32).toString('base64url');
    store.saveSession(id, user, new Date(Date.now() + SESSION_LIFE));
    setCookie(event, 'sid', id, { httpOnly: true, sameSite: 'lax', path: '/' });
    return redirect('/items', 303);
  });
}
