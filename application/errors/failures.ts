/**
 * Every error answer: a page for a person, plain text for a program. A refused form gives back what
 * was typed, and a form that was sent without a session gets the log-in form, with the draft in it.
 */
import {
  acceptsHtml,
  blankForm,
  type Context,
  type Draft,
  type FilledForm,
  formOfRequest,
  page,
  parseDraft,
  type Request,
  type Response,
  readDraft,
  readEntries,
  readTyped,
  serializeDraft,
  text,
  toLocalPath,
} from 'seeother';
import type { Failure } from 'seeother/middleware';
import { type LogInFields, logInForm } from '../accounts/account-forms.ts';
import { toViewer } from '../site/layout.ts';
import { type ErrorView, errorPage, type SentForm } from './error-page.ts';

/** Bytes of a log-in with a draft, whose 65,536 characters may take nine bytes each. */
export const DRAFT_LIMIT = 1_048_576;

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
  const viewer = toViewer({ session: request.state.session, flash: null });
  const view: ErrorView = {
    ...failure,
    id: failure.isInLog ? failure.id : null,
    isForm,
    typed: isForm && failure.returnsTyped ? await readTyped(context) : [],
    viewer,
    reason: viewer?.role === 'administrator' ? reason : null,
    // What another site has sent is in no form of ours.
    logIn: isForm && request.state.mismatch === null ? await logInAgain(status, context) : null,
    again: isForm && mayHelpAgain(failure, request) ? await readAgain(context) : null,
  };
  return page(errorPage(view), status);
}

/** A form of another account has a key with which this user may send it. */
function mayHelpAgain({ status, returnsTyped }: Failure, { state }: Request): boolean {
  return returnsTyped && (status === 503 || status === 429 || state.ownKey !== null);
}

/** Characters of all fields of a form that is sent again. */
const MAX_AGAIN_LENGTH = 65_536;

/**
 * The form as it was sent, with its key: a form that counts once may be sent again. Null without a key,
 * and for a form with a password, which no page repeats.
 */
async function readAgain(context: Context): Promise<SentForm | null> {
  const { request } = context;
  const form = formOfRequest(context);
  const action = toLocalPath(request.target);
  if (form === null || action === null) return null;
  if (form.definition.hasSecret) return null;
  const entries = await readEntries(context).catch(() => []);
  const length = entries.reduce((sum, { name, text }) => sum + name.length + text.length, 0);
  if (!entries.some(({ name }) => name === '_once') || length > MAX_AGAIN_LENGTH) return null;
  const { ownKey } = request.state;
  const withOwnKey = entries.map((entry) =>
    entry.name === '_once' && ownKey !== null ? { ...entry, text: ownKey } : entry,
  );
  return { action, entries: withOwnKey };
}

/** The log-in form, where it is what to do now, with what is to be carried through it. */
async function logInAgain(
  status: number,
  context: Context,
): Promise<FilledForm<LogInFields> | null> {
  const { request } = context;
  // A log-in that failed on its way, with a draft that must not be lost over it.
  if (context.route?.pattern === '/login') {
    const entries = await readEntries(context).catch(() => []);
    const draft = parseDraft(entries.find(({ name }) => name === 'draft')?.text ?? '');
    return draft === null && status !== 401 ? null : toLogIn(draft, draft?.path ?? '');
  }
  if (status !== 401) return null;
  const found = await readDraft(context);
  const draft = found && withQuery(found, request);
  return toLogIn(draft, draft?.path ?? pageOf(context));
}

/** The form is sent to the address of its page, such as that of a filtered list, and `send` (see links.ts). */
function withQuery(draft: Draft, { query }: Request): Draft {
  if (draft.path !== draft.action) return draft;
  const kept = new URLSearchParams(query);
  kept.delete('send');
  return kept.size === 0 ? draft : { ...draft, path: `${draft.path}?${kept}` };
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
