/** The pages of «things»: the list, each of them, and the forms that add, change, delete and restore one. */
import {
  createFormHandlers,
  formPage,
  html,
  listPage,
  // files: notFound,
  page,
  type Router,
  // unless accounts:
  type SiteContext,
  textsOf,
} from 'seeother';
// accounts: import type { AccountContext } from 'seeother/accounts';
import type { Database, WriteTransaction } from 'seeother/database';
// files: import { keepFiles, sendFile } from 'seeother/files';
import { languageOf } from 'seeother/languages';
// accounts: import type { Role, SiteAccounts } from '../accounts.ts';
import { layout } from '../layout.ts';
import { thingForm, thingList } from './fields.ts';
import { href } from './links.ts';
import {
  buttonForm,
  changeForm,
  conflictForm,
  deletedPage,
  // files: findFile,
  restoreButton,
  // files: storedFiles,
  thingPage,
} from './pages.ts';
import {
  addThing,
  changeThing,
  countThings,
  deleteThing,
  findThing,
  listThings,
  requireThing,
  restoreThing,
} from './store.ts';

// unless accounts:
type Context = SiteContext<WriteTransaction>;
// accounts: type Context = AccountContext<WriteTransaction, Role>;

const formHandlers = createFormHandlers<Context & { readonly params: { readonly id: number } }>();

export function addThings(
  site: Router<Context>,
  database: Database,
  // accounts: accounts: SiteAccounts,
): void {
  // unless accounts:
  // Before each form. `[requireSession]` lets only users who are logged in change anything.
  // unless accounts:
  const guard = [] as const;
  // accounts: // Before each form: all users who are logged in. With 'admin', only administrators change anything.
  // accounts: const guard = [accounts.requireRole('member')] as const;

  listPage(site, '/things', thingList, {
    read: ({ filter, ...place }) => listThings(database.slowRead, { ...filter, ...place }),
    count: ({ filter }) => countThings(database.slowRead, filter.q),
    add: { label: 'New «thing»', path: href('/things/new') },
    empty: 'No «things» yet.',
    csv: 'things.csv',
    async show({ listHtml, ...context }) {
      // The «thing» that was deleted just now: see `deleteThing` below.
      const id = Number(context.request.query.get('deleted'));
      const deleted = id > 0 ? await findThing(database.read, id) : null;
      const undo = deleted?.isDeleted && restoreButton('Undo', deleted, context);
      return layout('«Things»', html`${undo}${listHtml}`, context);
    },
  });

  formPage(site, '/things/new', thingForm, {
    button: 'Add',
    middleware: guard,
    show: (context) => layout('New «thing»', context.formHtml, context),
    async send({ values, transaction }) {
      const id = await addThing(transaction, values);
      return { path: href('/things/:id<int>', { id }), message: 'The «thing» was added.' };
    },
  });

  site.get('/things/:id<int>', async (context) => {
    const found = await requireThing(database.read, context.params.id);
    return found.isDeleted ? deletedPage(found, context) : page(thingPage(found, context));
  });

  // files: /** A download, for whoever may see the page of the «thing». It stays while that can be restored. */
  // files: site.get('/things/:id<int>/files/:name', async (context) => {
  // files:   const { id, name } = context.params;
  // files:   const found = await requireThing(database.read, id);
  // files:   const file = found.isDeleted ? null : findFile(found, name);
  // files:   return file === null ? notFound() : sendFile(context, file.id);
  // files: });
  // files:
  formPage(site, '/things/:id<int>/edit', changeForm, {
    button: 'Save',
    middleware: guard,
    load: async ({ params }) => ({ stored: await requireThing(database.read, params.id) }),
    fill: ({ stored, request }) => ({
      ...textsOf(thingForm, stored, languageOf(request)),
      version: `${stored.version}`,
    }),
    show({ stored, ...context }) {
      if (stored.isDeleted && !context.isSent) return deletedPage(stored, context);
      const isOld = context.form.text.version !== `${stored.version}`;
      const main = isOld ? conflictForm(context.form, stored) : context.formHtml;
      // unless files:
      return layout(`Change ${stored.FIRST_FIELD}`, main, context);
      // files: const files = storedFiles(stored);
      // files: return layout(`Change ${stored.FIRST_FIELD}`, html`${files}${main}`, context);
    },
    async send({ params: { id }, values, transaction }) {
      // files: const { params, values, transaction } = context;
      // files: const { id } = params;
      // files: const stored = await requireThing(transaction, id);
      // files: const files = { storedREMOVED };
      // files: const record = await keepFiles(thingForm, context, files);
      if (await changeThing(transaction, id, values))
        return { path: href('/things/:id<int>', { id }), message: 'The «thing» was changed.' };
      const { isDeleted } = await requireThing(transaction, id);
      const message = isDeleted
        ? 'The «thing» was deleted after you opened this page. Nothing is saved yet: Save brings it back'
        : 'The «thing» was changed after you opened this page. Nothing is saved yet: Save replaces what is stored';
      return { errors: [{ field: null, message }], status: 409 };
    },
  });

  const remove = formHandlers(buttonForm, {
    name: 'deleteThing',
    async send({ params: { id }, transaction }) {
      await deleteThing(transaction, id);
      return { path: href('/things', {}, { deleted: id }), message: 'The «thing» was deleted.' };
    },
  });
  site.post('/things/:id<int>/delete', ...guard, ...remove.post);

  const restore = formHandlers(buttonForm, {
    name: 'restoreThing',
    async send({ params: { id }, transaction }) {
      await restoreThing(transaction, id);
      return { path: href('/things/:id<int>', { id }), message: 'The «thing» is back.' };
    },
  });
  site.post('/things/:id<int>/restore', ...guard, ...restore.post);
}
