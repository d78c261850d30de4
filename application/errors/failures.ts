/**
 * Every error answer: a page for a person, plain text for a program. A refused form gives back what
 * was typed, and a form that was sent without a session gets the log-in form, with the draft in it.
 */
import {
  acceptsHtml,
  againForm,
  blankForm,
  type Context,
  type Draft,
  type FilledForm,
  formOfRequest,
  page,
  parseDraft,
  type Response,
  readAgain,
  readDraft,
  readEntries,
  readTyped,
  serializeDraft,
  sessionOf,
  text,
  toLocalPath,
} from 'seeother';
import { languageOf } from 'seeother/languages';
import type { Failure } from 'seeother/middleware';
import { type LogInFields, logInForm } from '../accounts/account-forms.ts';
import { toViewer } from '../site/layout.ts';
import { type ErrorView, errorPage } from './error-page.ts';

export async function showFailure(failure: Failure, context: Context): Promise<Response> {
  const { request } = context;
  const isForm = request.method === 'POST';
  if (!isForm && !acceptsHtml(request)) {
    return text(
      `${failure.message ?? `${failure.title}.`}\nReference: ${failure.id}\n`,
      failure.status,
    );
  }
  const { status, reason } = failure;
  const viewer = toViewer({ session: sessionOf(request), flash: null });
  const again = isForm && failure.mayHelpAgain ? await readAgain(context) : null;
  const view: ErrorView = {
    ...failure,
    id: failure.isInLog ? failure.id : null,
    isForm,
    typed: isForm && failure.returnsTyped ? await readTyped(context) : [],
    viewer,
    reason: viewer?.role === 'administrator' ? reason : null,
    // What another site has sent is in no form of ours.
    logIn: isForm && !failure.isCrossOrigin ? await logInAgain(status, context) : null,
    again: again && againForm(again, languageOf(request)),
  };
  return page(errorPage(view), status);
}

/** The log-in form, where it is what to do now, with what is to be carried through it. */
async function logInAgain(
  status: number,
  context: Context,
): Promise<FilledForm<LogInFields> | null> {
  // A log-in that failed on its way, with a draft that must not be lost over it.
  if (context.route?.pattern === '/login') {
    const entries = await readEntries(context).catch(() => []);
    const draft = parseDraft(entries.find(({ name }) => name === 'draft')?.text ?? '');
    return draft === null && status !== 401 ? null : toLogIn(draft, draft?.path ?? '');
  }
  if (status !== 401) return null;
  const draft = await readDraft(context);
  return toLogIn(draft, draft?.path ?? pageOf(context));
}

function toLogIn(draft: Draft | null, next: string): FilledForm<LogInFields> {
  return blankForm(logInForm, { next, draft: draft === null ? '' : serializeDraft(draft) });
}

/**
 * The page with the form: where to go on after the log-in. The route of the form names it, because
 * a refused form is on a page whose address takes only forms. Empty if neither names a page.
 */
function pageOf(context: Context): string {
  const known = formOfRequest(context)?.page;
  if (typeof known === 'string') return known;
  const { referer } = context.request.headers;
  if (referer === undefined || !URL.canParse(referer)) return '';
  const { pathname, search } = new URL(referer);
  return toLocalPath(pathname + search) ?? '';
}
