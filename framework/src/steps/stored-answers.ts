/**
 * The answers of a form in steps, between its requests. They are stored as they were sent, under a random key that is
 * a part of the address. The store has a hash of it.
 *
 * The first page has no key yet. It makes one of its idempotency key, so that the same page, sent twice or again after
 * Back, leads to the same answers.
 */
import { hash } from 'node:crypto';
import type { AnyMiddleware, Middleware, Next } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { formSlot, toRouteForm } from '../form/form-of.ts';
import type { ValueStore } from '../form/value-store.ts';
import { localPath } from '../http/href.ts';
import { HttpError } from '../http/http-error.ts';
import { isSafe } from '../http/request.ts';
import { seeOther } from '../http/response.ts';
import { newKey } from '../session/form-key.ts';
import { refuseWithoutSession } from '../session/require-session.ts';
import type { Session } from '../session/session.ts';
import { toTokenKey } from '../session/token.ts';
import type { FormNeeds } from '../site/form-handlers.ts';
import type { StoresContext } from '../site/stores.ts';
import { toReading } from './answer-files.ts';
import { browserTokens, isOpenTo, toBrowserToken } from './browser-cookie.ts';
import {
  type AnyForm,
  type Progress,
  readProgress,
  type SentAnswers,
  type SentText,
  type Step,
} from './steps.ts';
import type { LimitAnswers } from './visitor-answers.ts';

/** What is stored under the key of an address. */
export interface StoredAnswers {
  /** The id of the user; null for those of a visitor. */
  readonly owner: string | number | null;
  /** The SHA-256 of the token of the visitor's browser; absent if the address alone opens them. */
  readonly browser?: string;
  readonly answers: SentAnswers;
  /** The path that followed when they were sent; null until then. */
  readonly sent: string | null;
}

const NOTHING: StoredAnswers = { owner: null, answers: {}, sent: null };

/** What `loadAnswers` adds to the context. */
export interface AnswersContext {
  readonly steps: {
    /** The path of the first page, decoded. */
    readonly base: string;
    /** Null on the first page, which starts new answers. */
    readonly key: string | null;
    /** Null if there are none, or if they have expired. */
    readonly stored: StoredAnswers | null;
    readonly progress: Progress;
    /** Whether the address opens those of a visitor in any browser, as the answers say. */
    readonly shared: boolean;
  };
}

/**
 * It stands before the middleware of the pages: when a form is refused there, such as without a session, it must be
 * known, or its text would not be carried through the log-in. `form` is null if it depends on the answers.
 */
export function loadAnswers(
  { list, shared }: { readonly list: readonly Step[]; readonly shared: Shared },
  step: Step | null,
  form: AnyForm | null,
): Middleware<StoresContext<unknown>, AnswersContext> {
  return describeMiddleware(
    async function loadAnswers(context, next) {
      const { request, stores } = context;
      const { params } = context as { readonly params?: { readonly key?: string } };
      const { key = null } = params ?? {};
      const base = key === null ? request.path : request.path.split('/').slice(0, -2).join('/');
      const stored = key === null ? null : await stores.values.find(toId(base, key));
      const { answers = {} } = (stored ?? {}) as Partial<StoredAnswers>;
      const progress = await readProgress(list, answers, toReading(context));
      const known = form ?? progress.reached.find((one) => one.step === step)?.form;
      if (known !== undefined) formSlot.set(request, toRouteForm(known, {}));
      const steps = {
        base,
        key,
        stored: stored as StoredAnswers | null,
        progress,
        shared: typeof shared === 'function' && shared(progress.answers) === true,
      };
      return next({ ...context, steps });
    },
    {
      needs: ['stores'],
      adds: ['steps'],
      ...(form === null ? {} : { form: toRouteForm(form, {}) }),
    },
  );
}

type AnswersNeeds = FormNeeds & AnswersContext;

/** True for the answers of all visitors; or by the valid answers of each. */
// biome-ignore lint/suspicious/noExplicitAny: the signature of stepPages has the types of the answers.
type Shared = boolean | ((answers: any) => boolean);

/**
 * Refuses answers of another user or browser, and gives those of a visitor to the user of the same browser. Leads to
 * where sent answers led.
 */
export function claimAnswers(days: number): AnyMiddleware {
  return async function claimAnswers<C extends AnswersNeeds>(context: C, next: Next<C>) {
    const { request, session, steps } = context;
    const { key } = steps;
    if (key === null) return next(context);
    const tokens = browserTokens(request, key);
    const found = requireOwn(steps.stored, context, tokens);
    const isFree = found.owner === null && session?.superseded === false;
    const stored = isFree
      ? await changeAnswers(context, key, { days, tokens, browser: null }, (own) => own)
      : found;
    if (stored.sent !== null && isSafe(request)) return seeOther(localPath(stored.sent));
    return next(context);
  } as AnyMiddleware;
}

/**
 * Throws a 401 for a user whose session has ended. Answers of another user are a 404, and a 409 for a page that is
 * sent. Those of a visitor are a 404 for another browser.
 */
export function requireOwn(
  found: unknown,
  { request, session, steps }: Pick<AnswersNeeds, 'request' | 'session' | 'steps'>,
  tokens: readonly string[],
): StoredAnswers {
  const stored = found as StoredAnswers | null;
  const owner = stored?.owner ?? null;
  const isOpen = steps.shared || isOpenTo(stored?.browser, tokens);
  if (stored !== null && owner === null && !isOpen) {
    const isSent = stored.sent !== null;
    throw new HttpError(404, ({ words }) => (isSent ? words.answersSent : words.answersElsewhere));
  }
  if (stored !== null && (owner === null || owner === session?.user.id)) return stored;
  if (owner !== null && session === null) throw refuseWithoutSession();
  // The sender of a page had its key, and opened it with the other account.
  if (owner !== null && !isSafe(request))
    throw new HttpError(409, ({ words }) => words.answersOfOther(session?.user.name ?? ''));
  throw new HttpError(404, ({ words }) => words.answersGone);
}

/**
 * Stores what was sent on a step. Throws a 409 if all answers were sent already, unless it is the same answer. From the
 * first page, the key of its form starts the answers, and finds them when it is sent again. If those were sent already,
 * or belong to another user, new ones are started.
 */
export async function saveAnswer(
  context: AnswersNeeds & { readonly form: { readonly once: string | null } },
  { days, limit, shared }: Storing,
  name: string,
  sent: readonly SentText[],
): Promise<SavedAnswers> {
  const { form, request, session, steps } = context;
  const save = async (key: string, tokens: readonly string[]) => {
    const [token] = tokens;
    const isBound = shared !== true && session === null && token !== undefined;
    const options = { days, limit, tokens, browser: isBound ? toTokenKey(token) : null };
    const stored = await changeAnswers(context, key, options, (own) => {
      if (own.sent === null) return { ...own, answers: { ...own.answers, [name]: sent } };
      if (isSame(own.answers[name] ?? [], sent)) return own;
      throw new HttpError(409, ({ words }) => words.answersSent);
    });
    const own = tokens.find((one) => toTokenKey(one) === stored.browser);
    return { key, stored, token: session === null && own !== undefined ? own : null };
  };
  const start = (text: string) => save(toKey(text), [toBrowserToken(text)]);
  if (steps.key !== null) return save(steps.key, browserTokens(request, steps.key));
  const once = form.once ?? newKey();
  try {
    return await start(once);
  } catch (error) {
    if (!(error instanceof HttpError) || REFUSED.includes(error.status)) throw error;
    return start(JSON.stringify([once, session?.user.id, toCompared(sent)]));
  }
}

interface Storing {
  readonly days: number;
  readonly limit: LimitAnswers;
  readonly shared: Shared;
}

interface SavedAnswers {
  readonly key: string;
  readonly stored: StoredAnswers;
  /** For the cookie of the visitor's browser; null if it needs none. */
  readonly token: string | null;
}

/** By the limits of visitors. */
const REFUSED: readonly number[] = [413, 429, 503];

/** What makes two answers the same. The key of a file is another one each time it is sent, so its content counts. */
export function toCompared(sent: readonly SentText[]): readonly SentText[] {
  return sent.map(({ name, text, sha256 }) =>
    sha256 === undefined ? { name, text } : { name, text: '', sha256 },
  );
}

function isSame(one: readonly SentText[], other: readonly SentText[]): boolean {
  return JSON.stringify(toCompared(one)) === JSON.stringify(toCompared(other));
}

interface Changing {
  readonly days: number;
  readonly limit?: LimitAnswers;
  /** Of the browser. */
  readonly tokens: readonly string[];
  /** Of new answers. */
  readonly browser: string | null;
}

async function changeAnswers(
  { request, session, steps, stores }: AnswersNeeds,
  key: string,
  { days, limit, tokens, browser }: Changing,
  change: (own: StoredAnswers) => StoredAnswers,
): Promise<StoredAnswers> {
  // What onlyOnce does for other forms.
  if (session?.superseded === true) throw refuseWithoutSession();
  const id = toId(steps.base, key);
  let changed = NOTHING;
  // Without a receipt: the same answer again changes nothing.
  await stores.receipts.carryOut(null, async (transaction) => {
    const found = await stores.values.find(id, transaction);
    const isNew = found === null && steps.key === null;
    const blank = browser === null ? NOTHING : { ...NOTHING, browser };
    const own = isNew ? blank : requireOwn(found, { request, session, steps }, tokens);
    changed = change(own);
    if (session === null) await limit?.(request, isNew ? null : own.answers, changed.answers);
    await putAnswers(stores.values, id, changed, session, days, transaction);
    return '';
  });
  return changed;
}

/** `days` is the time until the answers expire, unless they are put again. */
export async function putAnswers<Transaction>(
  values: ValueStore<Transaction>,
  id: string,
  answers: StoredAnswers,
  session: Session | null,
  days: number,
  transaction: Transaction,
): Promise<void> {
  const whole = { ...answers, owner: session?.user.id ?? null };
  await values.put(id, whole, inDays(days), transaction);
}

export function inDays(days: number): Date {
  return new Date(Date.now() + days * 86_400_000);
}

/** The key of the store. The path keeps apart the answers of several forms. */
export function toId(base: string, key: string): string {
  return `steps:${hash('sha256', JSON.stringify([base, key]), 'base64url')}`;
}

/** 132 bits, as 22 characters. */
function toKey(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
