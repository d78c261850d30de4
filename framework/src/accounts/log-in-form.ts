/**
 * The log-in form, on its page and in place of one: on the error page of a form that was sent without a session. There
 * it carries that form in a hidden field, so nothing is stored before the log-in. The field comes from the browser, and
 * is parsed as untrusted input. Only where there are other ways to log in is the draft parked too, for their pages.
 */
import type { Context } from '../chain/context.ts';
import type { Field } from '../field/field.ts';
import { hiddenField } from '../field/fields.ts';
import { parseDraft, readDraft, serializeDraft } from '../form/carry-draft.ts';
import { blankForm, defineForm, type Form } from '../form/define-form.ts';
import { readEntries } from '../form/read-form.ts';
import { type Html, html } from '../http/html.ts';
import { errorSlot, HttpError } from '../http/http-error.ts';
import { isSafe, type Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import { mismatchSlot } from '../middleware/refuse-cross-origin.ts';
import { logInSlot } from '../session/require-session.ts';
import { type Draft, sessionOf } from '../session/session.ts';
import { drawForm } from '../site/form-page.ts';
import { hasParked, pageOf, parkDraft } from '../site/park-draft.ts';
import { passwordNowField, rememberField, typedNameField } from './account-fields.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import { type Asked, withNext } from './log-in.ts';
import { type Say, sayIn, withAccountTexts } from './say.ts';

type FormParts = Pick<AccountParts, 'options' | 'passkeys'>;

type LogInFields = {
  readonly [Name in 'username' | 'password' | 'next' | 'draft']: Field<string>;
} & { readonly remember: Field<boolean> };

export function defineLogInForm({ options, passkeys }: FormParts): Form<LogInFields> {
  return defineForm({
    username: typedNameField(options.names, passkeys !== null),
    password: passwordNowField('Password'),
    remember: rememberField(),
    next: hiddenField(),
    /** See `parseDraft`. */
    draft: hiddenField(),
  });
}

/** What a log-in form carries. */
export interface Carried {
  /** Has the path that follows. */
  readonly asked: Asked;
  readonly draft: Draft | null;
}

/** The hidden fields of a log-in form; `next` stands in the form or in the query. */
export function readCarried(
  { query }: Asked,
  { next, draft: text }: { readonly next: string; readonly draft: string },
): Carried {
  const draft = parseDraft(text);
  const path = next === '' ? (query.get('next') ?? draft?.path ?? '') : next;
  return { asked: { query: new URLSearchParams({ next: path }) }, draft };
}

/** Whether the page that follows can be filled without the draft of the form. */
export function isParked({ query }: Asked): boolean {
  return hasParked(query.get('next') ?? '');
}

export function drawKept(say: Say): Html {
  return html`<p>${say('What you typed is kept on this page. Log in, and the form comes back as you filled it in.')}</p>\n`;
}

/** The form on the page of another one, which was refused: its own page answers it. */
export function drawLogInForm(parts: FormParts, { request, session }: PageContext): Html {
  const path = session === null ? '/login' : '/login/again';
  return drawBlank(parts, request, withNext(request, path), {});
}

function drawBlank(
  parts: FormParts,
  request: Request,
  action: string,
  text: { readonly username?: string; readonly next?: string; readonly draft?: string },
): Html {
  const language = withAccountTexts(languageOf(request));
  const user = sessionOf(request)?.user ?? null;
  const filled = { username: user?.name ?? '', ...text };
  const blank = blankForm(defineLogInForm(parts), filled, language);
  // Without a key, as a log-in does no harm when it is carried out again.
  return drawForm(
    { ...blank, once: null, action },
    html`<button>${sayIn(request)('Log in')}</button>\n`,
  );
}

/** `accounts.logInForm`: see there. */
export async function drawLogInInPlace(parts: FormParts, context: Context): Promise<Html> {
  const { request, route } = context;
  // No form of ours holds what another site has sent, and none stands at another host.
  const error = errorSlot.of(request);
  const status = error instanceof HttpError ? error.status : error === undefined ? 401 : 500;
  if (mismatchSlot.of(request) !== null || status === 421) return html``;
  const say = sayIn(request);
  const draw = (action: string, draft: Draft | null, text: { next: string; username?: string }) => {
    const carried = { ...text, draft: draft === null ? '' : serializeDraft(draft) };
    return html`${draft === null ? null : drawKept(say)}${drawBlank(parts, request, action, carried)}`;
  };
  if (isLogIn(context)) {
    const { draft, ...text } = await readSent(context);
    return draw(route?.pattern ?? '', draft, text);
  }
  const { label, path } = logInSlot.of(request);
  if (label !== null) {
    const language = languageOf(request);
    const duty = await parkDraft(context);
    return html`<p><a href="${duty.path}">${label(language)}</a>. ${duty.isFilled ? language.words.filledAfterLogIn : null}</p>\n`;
  }
  if (status !== 401) return html``;
  const draft = await readDraft(context);
  const parked = hasOtherWays(parts, request) ? await parkDraft(context) : null;
  const form = draw(path, draft, { next: parked?.next ?? draft?.path ?? pageOf(context) });
  return parked === null
    ? form
    : html`${form}<p><a href="${parked.path}">${say('Other ways to log in')}</a></p>\n`;
}

/** `accounts.keepsDraft`: see there. */
export async function keepsDraft(context: Context): Promise<boolean> {
  if (mismatchSlot.of(context.request) !== null) return false;
  const draft = isLogIn(context) ? (await readSent(context)).draft : await readDraft(context);
  return draft !== null;
}

/** Whether the form of the log-in itself was sent, and has failed. */
function isLogIn({ request, route }: Context): boolean {
  return !isSafe(request) && (route?.pattern === '/login' || route?.pattern === '/login/again');
}

/** What the form of a log-in that has failed has sent, without the password. */
async function readSent(context: Context) {
  const entries = await readEntries(context).catch(() => []);
  const sent = (field: string) => entries.find(({ name }) => name === field)?.text ?? '';
  const next = sent('next') || (context.request.query.get('next') ?? '');
  return { username: sent('username'), next, draft: parseDraft(sent('draft')) };
}

function hasOtherWays({ options, passkeys }: FormParts, request: Request): boolean {
  const hasPasskeys = passkeys !== null && passkeys.originOf(request) !== null;
  return options.mail !== undefined || hasPasskeys || options.providers.length > 0;
}
