/**
 * A member uploads a file, confirms its preview, and watches its progress. An upload redirects to the preview,
 * so a reload does not send the file again.
 */
import { createFormHandlers, type Handler, HttpError, page, withHeader } from 'seeother';
import type { UploadedFile } from 'seeother/files';
import { href, importHref } from '../links.ts';
import { formHandlers, type UserContext } from '../site/contexts.ts';
import { buttonForm } from '../site/flash-message.ts';
import { toViewer } from '../site/layout.ts';
import { NOT_STORED } from '../site/stored-for-back.ts';
import { confirmForm, importForm } from './import-forms.ts';
import type { Imports } from './import-model.ts';
import { importPage } from './import-page.ts';
import { ImportRefused } from './import-refused.ts';
import type { ImportRunner } from './import-runner.ts';
import { previewPage } from './preview-page.ts';
import { progressPage, resultPage } from './progress-page.ts';

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
    headers: NOT_STORED,
    async show({ form, errors, ...context }) {
      const own = await imports.list(context.session.user.id);
      return importPage({ viewer: toViewer(context), form, errors, imports: own, now: now() });
    },
    async act({ once, session, values }) {
      const author = session.user.id;
      const planned = await plan(values.file, author);
      if (typeof planned === 'string') return { errors: [{ field: 'file', message: planned }] };
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
    },
  });

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

  const showImport: Handler<ImportContext> = async (context) => {
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

  const runImport = importHandlers(confirmForm, {
    name: 'runImport',
    async act({ once, params: { id }, session, values }) {
      const answer = await once(async (transaction) => {
        const confirmed = await imports.confirm(transaction, id, session.user.id, values.plan);
        if (confirmed === 'missing') throw missing();
        if (confirmed === 'changed') throw changed();
        return importHref(id);
      });
      wake();
      return answer;
    },
  });

  const stopImport = importHandlers(buttonForm, {
    name: 'stopImport',
    async act({ once, params: { id }, session }) {
      const found = await imports.find(id, session.user.id);
      if (found === null) throw missing();
      return once(async (transaction) => {
        await imports.stop(transaction, id, session.user.id);
        if (found.batch !== null) return importHref(id);
        return { path: href('/items/import'), message: `“${found.fileName}” was not imported.` };
      });
    },
  });

  return { upload, showImport, runImport, stopImport };
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
