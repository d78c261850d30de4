/**
 * A member uploads a file, says what its columns are unless that is sure, confirms the preview, and watches the
 * progress. An upload redirects to the next page, so a reload does not send the file again.
 */
import {
  blankForm,
  createFormHandlers,
  csv,
  type FilledForm,
  type FormValues,
  type Handler,
  type Href,
  type Html,
  HttpError,
  page,
  seeOther,
  unescapeFormula,
  withHeader,
} from 'seeother';
import { TableError, type TableRow } from 'seeother/tables';
import { columnsHref, href, importHref } from '../links.ts';
import { buttonForm } from '../site/button-form.ts';
import { formHandlers, type UserContext } from '../site/contexts.ts';
import { toViewer } from '../site/layout.ts';
import { NOT_STORED } from '../site/stored-for-back.ts';
import { nameColumn } from './columns.ts';
import { columnsPage } from './columns-page.ts';
import { type FileColumns, REASON } from './file-columns.ts';
import type { FieldMaker } from './guess-fields.ts';
import {
  type ColumnsFields,
  type ConfirmFields,
  checkUses,
  confirmForm,
  type ImportFields,
  importForm,
  toColumnsForm,
} from './import-forms.ts';
import type { Imports, ReadFile } from './import-model.ts';
import { importPage } from './import-page.ts';
import type { Import } from './import-row.ts';
import type { ImportRunner } from './import-runner.ts';
import { previewPage } from './preview-page.ts';
import { progressPage, resultPage } from './progress-page.ts';
import { usualCurrency } from './usual-currency.ts';
import { ZipError } from './zip/read-zip.ts';

/** Seconds after which the page of a running import reloads. */
const REFRESH = '2';

type ImportContext = UserContext & { readonly params: { readonly id: number } };

const importHandlers = createFormHandlers<ImportContext>();

/** What runs the imports. */
export type ImportProgress = Pick<ImportRunner, 'wake' | 'waitsFor'>;

export function createImportController(
  imports: Imports,
  now: () => Date,
  { wake, waitsFor }: ImportProgress = { wake: () => {}, waitsFor: () => null },
) {
  const upload = formHandlers(importForm, {
    name: 'uploadImport',
    page: '/items/import',
    headers: NOT_STORED,
    async show({ form, ...context }) {
      const own = await imports.list(context.session.user.id);
      return importPage({ viewer: toViewer(context), form, imports: own, now: now() });
    },
    async act({ once, session, values, request }) {
      const author = session.user.id;
      const languages = request.headers['accept-language'];
      const read = await readFile(values, author, String(languages ?? ''));
      if ('message' in read) return { errors: [read] };
      let isPublished = false;
      try {
        return await once(async (transaction) => {
          await imports.publish(transaction, read, author);
          isPublished = true;
          return read.plan === null ? columnsHref(read.id) : importHref(read.id);
        });
      } finally {
        // The write failed, or another copy of the form was carried out first.
        if (!isPublished) await imports.remove(read.id);
      }
    },
  });

  /** Resolves to the reason if a file is refused. */
  async function readFile(
    { file, photos: zip }: FormValues<ImportFields>,
    author: number,
    languages: string,
  ): Promise<ReadFile | { readonly field: 'file' | 'photos'; readonly message: string }> {
    if (file === null && zip === null) return { field: 'file', message: 'Choose a file' };
    try {
      const currency = usualCurrency(await imports.definitions.read(), languages);
      return await imports.read(file, author, { currency, zip });
    } catch (error) {
      if (error instanceof ZipError) return { field: 'photos', message: error.message };
      if (!(error instanceof TableError)) throw error;
      return { field: file === null ? 'photos' : 'file', message: error.message };
    }
  }

  async function findOwn({ params: { id }, session }: ImportContext): Promise<Import> {
    const found = await imports.find(id, session.user.id);
    if (found === null) throw missing();
    return found;
  }

  const makerOf = async ({ session }: UserContext): Promise<FieldMaker> => ({
    definitions: await imports.definitions.read(),
    canMake: session.user.role === 'administrator',
  });

  const columns = importHandlers(async (context) => toColumnsForm(await makerOf(context)), {
    name: 'chooseColumns',
    load: async (context) => ({ found: await findOwn(context), maker: await makerOf(context) }),
    fill: ({ found }) => ({
      encoding: found.columns.old?.name ?? '',
      places: found.columns.places ?? ',',
      currency: found.columns.currency ?? 'EUR',
      columns: columnTexts(found.columns),
    }),
    show({ found, maker, form, ...context }) {
      if (!isWaiting(found)) return seeOther(importHref(found.id));
      const whole = withAllColumns(form, found.columns);
      return columnsPage({ viewer: toViewer(context), found, maker, form: whole });
    },
    async act({ once, values, ...context }) {
      const found = await findOwn(context);
      if (!isWaiting(found)) throw changed();
      const { old } = found.columns;
      const publish = (again: ReadFile, path: Href) =>
        once(async (transaction) => {
          if (!(await imports.publishAgain(transaction, again))) throw changed();
          return path;
        });
      const { encoding } = values;
      if (encoding !== '' && old !== null && encoding !== old.name)
        return publish(
          await imports.readColumnsAs(found, old, encoding, context.session.user.id),
          columnsHref(found.id),
        );
      const places = values.places === ',' || values.places === '' ? null : values.places;
      const currency = values.currency || found.columns.currency;
      const chosen = { uses: values.columns.map(({ use }) => use), places, currency };
      const errors = checkUses({ ...found.columns, ...chosen }, await makerOf(context));
      if (errors.length > 0) return { errors };
      return publish(await imports.planAgain(found, chosen), importHref(found.id));
    },
  });

  const showImport: Handler<ImportContext> = async (context) => {
    const found = await findOwn(context);
    const viewer = toViewer(context);
    if (found.state === 'columns') return seeOther(columnsHref(found.id));
    if (found.state === 'running') {
      const refreshes = context.request.query.get('still') === null;
      const view = { viewer, running: found, refreshes, waitsFor: waitsFor(found.id) };
      const answer = page(progressPage(view));
      return refreshes ? withHeader(answer, 'Refresh', REFRESH) : answer;
    }
    if (found.state === 'done' || found.state === 'stopped')
      return page(resultPage({ viewer, ended: found }));
    const form = blankForm(confirmForm, { plan: found.planHash }, undefined, viewer);
    return page(await preview(context, found, form));
  };

  async function preview(
    context: ImportContext,
    plan: Import,
    form: FilledForm<ConfirmFields>,
  ): Promise<Html> {
    const before = await imports.findSameFile(plan.fileHash);
    const author = context.session.user.id;
    return previewPage({ viewer: toViewer(context), plan, before, author, form });
  }

  const showRefused: Handler<ImportContext> = async (context) => {
    const { id, columns } = await findOwn(context);
    const sent = columns.header.map(
      (heading, at) =>
        [heading, ({ cells }: TableRow) => unescapeFormula(cells[at] ?? '')] as const,
    );
    const rows = imports.readLeftOut(id);
    return csv(rows, [...sent, [REASON, 'problem']], { name: 'left-out.csv' });
  };

  const runImport = importHandlers(confirmForm, {
    name: 'runImport',
    page: '/items/imports/:id<int>',
    async show({ form, ...context }) {
      const found = await findOwn(context);
      if (found.state !== 'planned') return seeOther(importHref(found.id));
      return preview(context, found, form);
    },
    async send({ params: { id }, session, transaction, values: { plan, ...choices } }) {
      const confirmed = await imports.confirm(transaction, id, session.user.id, plan, choices);
      if (confirmed === 'missing') throw missing();
      if (confirmed === 'changed') throw changed();
      transaction.onCommit(wake);
      return importHref(id);
    },
  });

  const stopImport = importHandlers(buttonForm, {
    name: 'stopImport',
    page: '/items/imports/:id<int>',
    async send({ transaction, ...context }) {
      const found = await findOwn(context);
      await imports.stop(transaction, found.id, context.session.user.id);
      if (found.batch !== null) return importHref(found.id);
      return { path: href('/items/import'), message: `“${found.fileName}” was not imported.` };
    },
  });

  return { upload, columns, showImport, showRefused, runImport, stopImport };
}

function columnTexts({ header, uses }: FileColumns) {
  return header.map((heading, at) => {
    return { heading: nameColumn(heading, at), use: uses[at] ?? 'ignore' };
  });
}

/** The page has a row for each column, also if fewer or more were sent. */
function withAllColumns(
  form: FilledForm<ColumnsFields>,
  columns: FileColumns,
): FilledForm<ColumnsFields> {
  const rows = columnTexts(columns).map((one, at) => form.text.columns[at] ?? one);
  return { ...form, text: { ...form.text, columns: rows } };
}

/** Whether the columns can be chosen. */
function isWaiting({ state }: Import): boolean {
  return state === 'columns' || state === 'planned';
}

function missing(): HttpError {
  return new HttpError(
    404,
    'You have no such import. Imports that are not running are removed after a day.',
  );
}

function changed(): HttpError {
  return new HttpError(
    409,
    'The import would do something other than what you confirmed. Nothing was imported. Open its page again, and check it there.',
  );
}
