/** The chain and every page, from top to bottom. `createSite` has the whole defensive chain. */
import { fileURLToPath } from 'node:url';
import {
  createSite,
  cutText,
  formPage,
  HttpError,
  html,
  loadFiles,
  normalizeText,
  page,
  paginate,
  requireSession,
  type SiteOptions,
  text,
} from 'seeother';
import type { Database } from 'seeother/database';
import { openAccounts } from './accounts.ts';
import { addItem, changeItem, deleteItem, listItems } from './database.ts';
import {
  changeForm,
  deleteForm,
  describe,
  itemForm,
  itemHref,
  itemPage,
  listPage,
  requireItem,
} from './items.ts';
import { layout } from './layout.ts';
// link: import { openOutbox } from './mail.ts';
import { href } from './links.ts';

type Options = Pick<SiteOptions, 'log' | 'publicOrigin'>;

// link: export function createRouter(
// link:   database: Database,
// link:   options: Options = {},
// link:   outbox = openOutbox(database),
// link: ) {
// unless link:
export function createRouter(database: Database, options: Options = {}) {
  // link: const accounts = openAccounts(database, options, outbox);
  // unless link:
  const accounts = openAccounts(database, options);
  const site = createSite(accounts.stores, {
    ...options,
    files: loadFiles(fileURLToPath(new URL('public', import.meta.url))),
    errors: { layout },
    // A health check asks by the address of this machine.
    host: { except: ['/healthz'] },
    notFound() {
      throw new HttpError(404, 'There is no page at this address.');
    },
  });
  accounts.addTo(site);

  site.get('/', async (context) => {
    const { request } = context;
    const search = cutText(normalizeText(request.query.get('q') ?? ''), 100);
    const connection = search === '' ? database.read : database.slowRead;
    const { rows, nav } = await paginate(request, {
      size: 20,
      read: (place) => listItems(connection, search, place),
    });
    return page(listPage({ items: rows, search, nav }, context));
  });

  formPage(site, '/items/new', itemForm, {
    button: 'Add item',
    middleware: [requireSession],
    show: (context) => layout('Add an item', context.formHtml, context),
    async send({ values, transaction }) {
      const number = await addItem(transaction, values);
      return { path: itemHref({ number }), message: 'The item was added.' };
    },
  });

  site.get('/items/:number<int>', async (context) => {
    const item = await requireItem(database.read, context.params.number);
    return page(itemPage(item, context));
  });

  formPage(site, '/items/:number<int>/edit', changeForm, {
    button: 'Save',
    middleware: [requireSession],
    async fill({ params }) {
      const { name, quantity, place, version } = await requireItem(database.read, params.number);
      return { name, quantity: `${quantity}`, place, version: `${version}` };
    },
    async show(context) {
      const item = await requireItem(database.read, context.params.number);
      const isOld = context.form.text.version !== `${item.version}`;
      const again = href('/items/:number<int>/edit', { number: item.number });
      const stored = html`<h2>What is stored now</h2>
${describe(item)}
<p><a href="${again}">Start again from it</a></p>`;
      const main = html`${context.formHtml}${isOld ? stored : null}`;
      return layout(`Change ${item.name}`, main, context);
    },
    async send({ params: { number }, values, transaction }) {
      if (await changeItem(transaction, number, values))
        return { path: itemHref({ number }), message: 'The item was changed.' };
      const message = 'The item was changed after you opened this page. Nothing was saved';
      return { errors: [{ field: null, message }], status: 409 };
    },
  });

  formPage(site, '/items/:number<int>/delete', deleteForm, {
    button: 'Delete this item',
    middleware: [requireSession],
    async show(context) {
      const item = await requireItem(database.read, context.params.number);
      const back = html`<p><a href="${itemHref(item)}">Keep it</a></p>`;
      const main = html`${describe(item)}${context.formHtml}${back}`;
      return layout(`Delete ${item.name}?`, main, context);
    },
    async send({ params, transaction }) {
      await deleteItem(transaction, params.number);
      return { path: href('/'), message: 'The item was deleted.' };
    },
  });

  site.get('/healthz', async () => {
    await database.check();
    return text('ok\n');
  });

  return site;
}
