/**
 * The action passes its writes to `once` of the context, as a function, and `once` runs it in a transaction that
 * also stores a receipt: the idempotency key, a digest of what was sent, the redirect. The same key with other
 * values is a new form: the user went back, changed the form and sent it again. A form without a key is not
 * protected.
 *
 * Forms with a password are an exception. No digest of a password may be stored, so two forms that differ only
 * in the password have the same digest. A repeat of such a form reaches its action, with `repeated` set, and the
 * action checks the password. The digest includes the session id, so nobody can repeat the form from another
 * session.
 */
import { hash } from 'node:crypto';
import type { Context, Middleware, Next, Passed } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { createPublisher } from '../events/events.ts';
import { errorsOf, type Fields, type FilledForm } from '../form/define-form.ts';
import type { FormContext } from '../form/read-form.ts';
import { checkOptions, describeValue, type OptionKinds, or, TEXT } from '../http/check-options.ts';
import { type Href, localPath } from '../http/href.ts';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import { type Response, seeOther, withSession } from '../http/response.ts';
import { createFlash, withAddedFlash } from '../session/flash.ts';
import { withoutMark } from '../session/form-key.ts';
import { refuseWithoutSession } from '../session/require-session.ts';
import type { FlashAction, Session, SessionContext } from '../session/session.ts';
import { addFallbackFlash, addFlash, awaitFlash, storeFlash } from '../session/session-change.ts';
import type { SessionsInTransaction } from '../session/session-store.ts';
import { refuseFirst } from './form-action.ts';
import { digestForm } from './form-digest.ts';
import type { ReceiptKey, ReceiptStore } from './receipt-store.ts';

/** The path to redirect to, with or without a flash for that page, which may have an action. */
export type CarriedOut =
  | Href
  | { readonly path: Href; readonly message: string; readonly action?: FlashAction };

/**
 * Runs the work unless the form was carried out before, and redirects to the path that the work
 * resolved to. The work must make all its writes in the transaction that it is given. A repeat
 * leaves no second message of the work.
 */
export type Once<Transaction> = (
  work: (transaction: Transaction) => Promise<CarriedOut>,
) => Promise<Response<303>>;

/** What `onlyOnce` adds to the context. */
export interface OnceContext<Transaction> {
  readonly once: Once<Transaction>;
  /**
   * Whether this form was carried out before, perhaps with another password. Always false for a form
   * without a password.
   */
  readonly repeated: boolean;
}

/** Options of `onlyOnce`. */
export interface OnceOptions {
  /**
   * The message for a user who sends a form again, such as after Back, once the page has shown the message of
   * the first time. Without it, that user may take the redirect for a second success.
   */
  readonly repeatedMessage?: string | null;
}

const ONCE_KINDS = { repeatedMessage: or(TEXT, null) } satisfies OptionKinds<OnceOptions>;

const forms = createPublisher('form');

/** The fields of the context that `onlyOnce` needs. */
interface OnceNeeds extends Pick<SessionContext, 'session'> {
  // biome-ignore lint/suspicious/noExplicitAny: any form is accepted; only its texts are read.
  readonly form: FilledForm<any>;
}

/**
 * Makes a form count once: the same form sent again gets the answer of the first, without running its work.
 * With `sessions`, the flash of a user who is logged in is written in the transaction of the work; without,
 * after it.
 */
export function onlyOnce<Transaction>(
  receipts: ReceiptStore<Transaction>,
  sessions: SessionsInTransaction<Transaction> | null = null,
  options: OnceOptions = {},
): Middleware<OnceNeeds, OnceContext<Transaction>, Response<303> | Passed> {
  if (receipts === undefined) {
    throw new TypeError(
      'Cannot add onlyOnce without a receipt store. Pass one: onlyOnce(createMemoryStores().receipts), or that of your database.',
    );
  }
  checkOptions('onlyOnce', options, ONCE_KINDS);
  const { repeatedMessage = null } = options;
  const stores = { receipts, sessions: sessions ?? {}, repeatedMessage };
  return describeMiddleware(
    function onlyOnce(context, next) {
      return answerOnce(stores, context, next);
    },
    { needs: ['session', 'form'], adds: ['once', 'repeated'], countsOnce: true },
  );
}

function withoutForm(): TypeError {
  return new TypeError(
    'Cannot count a form once: no middleware has read one. Put readForm(form) before onlyOnce.',
  );
}

/** The stores that `onlyOnce` is given, or finds on the context of a site. */
interface OnceStores<Transaction> {
  readonly receipts: ReceiptStore<Transaction>;
  readonly sessions: Partial<SessionsInTransaction<Transaction>>;
  readonly repeatedMessage?: string | null;
}

/**
 * What `onlyOnce` does. `looksUpFirst` is whether to look for a receipt before the action. If false, a repeat runs the
 * action up to `once`, whose transaction finds the receipt.
 */
export async function answerOnce<Transaction, C extends Context & OnceNeeds>(
  { receipts, sessions, repeatedMessage = null }: OnceStores<Transaction>,
  context: C,
  next: Next<C & OnceContext<Transaction>>,
  looksUpFirst = true,
): Promise<Response<303> | Passed> {
  const { form, request, session } = context;
  if (form === undefined) throw withoutForm();
  const refused = refuseUnasked(context);
  if (refused !== null) return next(refused);
  // A button has changed the form itself: it is not carried out.
  const key = form.focus === undefined ? toReceiptKey(request, form, session) : null;
  const repeat = (receipt: string): Response<303> => {
    forms.publish({ isRepeat: true });
    const { path, message } = fromReceipt(receipt);
    if (message !== null) return withSession(seeOther(path), addFlash(path, message));
    if (session === null || key === null) return seeOther(path);
    // The browser may not have got the first answer, with the message that it is to await.
    const told = repeatedMessage === null ? [] : [addFallbackFlash(path, repeatedMessage)];
    return withSession(seeOther(path), awaitFlash({ id: toFlashId(key) }), ...told);
  };
  const isSuperseded = session?.superseded === true;
  const earlier = key !== null && (looksUpFirst || isSuperseded) ? await receipts.find(key) : null;
  if (earlier !== null && !hasPassword(form)) return repeat(earlier);
  if (earlier === null && isSuperseded) throw refuseWithoutSession();
  const once: Once<Transaction> = async (work) => {
    if (earlier !== null) return repeat(earlier);
    // Stays as it is if the transaction finds a receipt, and the work does not run.
    let answer = repeat;
    const receipt = await receipts.carryOut(key, async (transaction) => {
      const done = requireDestination(await work(transaction), 'its work');
      answer = follow;
      if (typeof done === 'string') return done;
      const { path, message, action } = done;
      const id = key === null ? undefined : toFlashId(key);
      const { translate } = languageOf(request);
      const told = action && { ...action, label: translate(action.label) };
      const flash = createFlash(path, translate(message), told, id);
      const add = (flashes: Session['flashes']) => withAddedFlash({ flashes }, flash).flashes;
      if (session !== null) await sessions.changeFlashes?.(transaction, session.key, add);
      const isStored = session !== null && sessions.changeFlashes !== undefined;
      answer = (to) => withSession(follow(to), isStored ? awaitFlash(flash) : storeFlash(flash));
      return session === null ? toReceipt(path, flash.message) : path;
    });
    if (answer !== repeat) forms.publish({ isRepeat: false });
    return answer(receipt);
  };
  return next({ ...context, once, repeated: earlier !== null });
}

/** The action passes on a form with errors. One that does not look at them cannot carry it out either. */
function refuseUnasked<C extends Context & OnceNeeds>(context: C): (C & OnceContext<never>) | null {
  const { validation } = context as Partial<FormContext<Fields, unknown>>;
  const refused = refuseFirst<Fields, C>(context, errorsOf(validation));
  if (refused === null) return null;
  const once = () => {
    throw new HttpError(refused.status, `${refused.validation.errors[0]?.message}.`);
  };
  return { ...refused, once, repeated: false };
}

/** Throws a TypeError for what a forgotten `return` leaves. Then nothing is committed. */
export function requireDestination(done: CarriedOut, worker: string): CarriedOut {
  const path: unknown = typeof done === 'string' ? done : done?.path;
  if (typeof path === 'string') return done;
  throw new TypeError(
    `Cannot carry out the form: ${worker} returned ${describeValue(done)}, and the user needs a page that follows. Return its path, localPath('/'), or { path, message }.`,
  );
}

/** The message of a visitor is in the receipt, because no session has it: the answer with its cookie may be lost. */
const MESSAGE = '#:message=';

function toReceipt(path: Href, message: string): string {
  return `${path}${MESSAGE}${encodeURIComponent(message.toWellFormed())}`;
}

function follow(receipt: string): Response<303> {
  return seeOther(fromReceipt(receipt).path);
}

function fromReceipt(receipt: string): { readonly path: Href; readonly message: string | null } {
  const at = receipt.lastIndexOf(MESSAGE);
  if (at === -1) return { path: localPath(receipt), message: null };
  const message = decodeURIComponent(receipt.slice(at + MESSAGE.length));
  return { path: localPath(receipt.slice(0, at)), message };
}

/** All copies of a form know the id of its message, so each of their answers makes the browser await it. */
function toFlashId({ owner, once, digest }: ReceiptKey): string {
  return hash('sha256', JSON.stringify([owner, once, digest]), 'base64url').slice(0, 8);
}

/** Null for a form without a key, which is not protected. */
export function toReceiptKey<F extends Fields>(
  request: Request,
  form: FilledForm<F>,
  session: Session | null,
): ReceiptKey | null {
  if (form.once === null) return null;
  const sessionKey = hasPassword(form) ? (session?.key ?? null) : undefined;
  return {
    owner: session?.user.id ?? 0,
    once: withoutMark(form.once),
    digest: digestForm({ path: request.path, form, sessionKey }),
  };
}

/** Whether a repeat of the form reaches its action. */
export function hasPassword<F extends Fields>({ definition }: FilledForm<F>): boolean {
  return definition.hasSecret;
}
