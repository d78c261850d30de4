/**
 * A member uploads a file, confirms its preview, and watches its progress. An upload redirects to the preview,
 * so a reload does not send the file again.
 */
import {
  blankForm,
  errorsOf,
  type FormAction,
  type FormContext,
  type Handler,
  HttpError,
  page,
  type Response,
  refuse,
  type StatusOf,
  statusOf,
  withHeader,
} from 'seeother';
import type { UploadedFile } from 'seeother/upload';
import { href, importHref } from '../links.ts';
import type { UserContext, WritingContext } from '../site/contexts.ts';
import { toViewer } from '../site/layout.ts';
import { type ConfirmFields, type ImportFields, importForm } from './import-forms.ts';
import type { Imports } from './import-model.ts';
import { importPage } from './import-page.ts';
import { ImportRefused } from './import-refused.ts';
import type { ImportRunner } from './import-runner.ts';
import { previewPage } from './preview-page.ts';
import { progressPage, resultPage } from './progress-page.ts';

/** Seconds after which the page of a running import reloads. */
const REFRESH = '2';

type WithId = { readonly params: { readonly id: number } };

/** What runs the imports. */
export type ImportProgress = Pick<ImportRunner, 'wake' | 'waitsFor'>;

export function createImportController(
  imports: Imports,
  now: () => Date,
  { wake, waitsFor }: ImportProgress = { wake: () => {}, waitsFor: () => null },
) {
  async function showImportForm<C extends UserContext & Partial<FormContext<ImportFields>>>(
    context: C,
  ): Promise<Response<StatusOf<C>>> {
    const { form = blankForm(importForm), session } = context;
    const errors = errorsOf(context.validation);
    const own = await imports.list(session.user.id);
    const view = { viewer: toViewer(context), form, errors, imports: own, now: now() };
    return page(importPage(view), statusOf(context));
  }

  const uploadImport: FormAction<ImportFields, WritingContext> = async (context, next) => {
    const { once, session, validation } = context;
    if (!validation.valid) return next(refuse(context));
    const author = session.user.id;
    const planned = await plan(validation.values.file, author);
    if (typeof planned === 'string')
      return next(refuse(context, [{ field: 'file', message: planned }]));
    let isPublished = false;
    try {
      return await once(async (transaction) => {
        await imports.publish(transaction, planned, author);
        isPublished = true;
        return importHref(planned);
      });
    } finally {
      // The write failed, or another copy of the form was carried out first.
      if (!isPublished) await imports.remove(planned);
    }
  };

  /** Resolves to the id of the import, or to the reason why the file is refused. */
  async function plan(file: UploadedFile, author: number): Promise<number | string> {
    try {
      const { name, sha256 } = file;
      return await imports.plan({ name, sha256, chunks: file.chunks() }, author);
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw error;
      // Messages of a form have no full stop.
      return error.message.replace(/\.$/, '');
    }
  }

  const showImport: Handler<UserContext & WithId> = async (context) => {
    const author = context.session.user.id;
    const found = await imports.find(context.params.id, author);
    if (found === null) throw missing();
    const viewer = toViewer(context);
    if (found.state === 'running') {
      const refreshes = context.request.query.get('still') === null;
      const view = { viewer, running: found, refreshes, waitsFor: waitsFor(found.id) };
      const answer = page(progressPage(view));
      return refreshes ? withHeader(answer, 'Refresh', REFRESH) : answer;
    }
    if (found.state === 'done' || found.state === 'stopped')
      return page(resultPage({ viewer, ended: found }));
    const before = await imports.findSameFile(found.fileHash, author, 'done');
    return page(previewPage({ viewer, plan: found, importedAt: before?.at ?? null }));
  };

  const runImport: Handler<
    WritingContext & WithId & FormContext<ConfirmFields>,
    Response<303>
  > = async ({ form, once, params, session }) => {
    const { id } = params;
    const answer = await once(async (transaction) => {
      const confirmed = await imports.confirm(transaction, id, session.user.id, form.text.plan);
      if (confirmed === 'missing') throw missing();
      if (confirmed === 'changed') throw changed();
      return importHref(id);
    });
    wake();
    return answer;
  };

  const stopImport: Handler<WritingContext & WithId, Response<303>> = async ({
    once,
    params,
    session,
  }) => {
    const { id } = params;
    const found = await imports.find(id, session.user.id);
    if (found === null) throw missing();
    return once(async (transaction) => {
      await imports.stop(transaction, id, session.user.id);
      if (found.batch !== null) return importHref(id);
      return { path: href('/items/import'), message: `“${found.fileName}” was not imported.` };
    });
  };

  return { showImportForm, uploadImport, showImport, runImport, stopImport };
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
    'The import does something else than what you confirmed. Nothing was imported. Open its page again, and check it there.',
  );
}
