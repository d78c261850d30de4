/**
 * Makes a form count once, however often it is sent: at once, later, in parallel, after a crash, on
 * another instance. A form that was carried out before is answered with the redirect that it got
 * then; for any other, the action behind finds `once` on the context and carries the form out with
 * it: what the work writes and the receipt are one transaction.
 *
 * The same key with other fields is another form: somebody went back, changed something and saved.
 * A form without a key is not protected.
 *
 * The hard case: a form with a password. No digest of a password may be stored, so two forms that
 * differ in it alone look the same. Such a form gets to its action again, with `repeated`, and the
 * action checks the password. It is the same form only under the same id of the session.
 */
import { createHash } from 'node:crypto';
import type { Middleware, Passed } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { type Href, localPath } from '../http/href.ts';
import type { Request } from '../http/request.ts';
import { type Response, seeOther } from '../http/response.ts';
import { createFlash, withAddedFlash } from '../session/flash.ts';
import { refuseWithoutSession } from '../session/require-session.ts';
import type { Session, SessionContext } from '../session/session.ts';
import { withFlash } from '../session/session-change.ts';
import type { Fields, FilledForm } from './define-form.ts';
import type { ReceiptKey, ReceiptStore } from './receipt-store.ts';

/** Where the form leads, and a message that waits for that page. */
export type CarriedOut = Href | { readonly path: Href; readonly message: string };

/**
 * Carries the form out unless it was before, and redirects to the path that the work resolves to,
 * or did then. The work gets the transaction in which it must do all that it writes. A form that was
 * carried out before leaves no message again.
 */
export type Once<Transaction> = (
  work: (transaction: Transaction) => Promise<CarriedOut>,
) => Promise<Response<303>>;

/** A session store whose change can be a part of the receipt store's transaction. */
export interface SessionsInTransaction<Transaction> {
  /** Does in the transaction what `update` of a session store does in one of its own. */
  updateIn(
    transaction: Transaction,
    key: string,
    change: (session: Session) => Session,
  ): Promise<Session | null>;
}

/** What `onlyOnce` adds to the context. */
export interface OnceContext<Transaction> {
  readonly once: Once<Transaction>;
  /** A form with a password was carried out before, with these passwords or with others. */
  readonly repeated: boolean;
}

/** What it needs: who sends the form, and the form. */
interface SentForm extends Pick<SessionContext, 'session'> {
  // biome-ignore lint/suspicious/noExplicitAny: any form will do; only its texts are looked at.
  readonly form: FilledForm<any>;
}

/** The very functions that stand in chains. */
const guards = new WeakSet<object>();

/** Whether the forms of the route count once. An `onlyOnce` inside another function is not seen. */
export function countsOnce(route: { readonly middleware?: readonly object[] }): boolean {
  return route.middleware?.some((one) => guards.has(one)) ?? false;
}

/** With `sessions`, a message is written in the transaction of the work; without them, after it. */
export function onlyOnce<Transaction>(
  receipts: ReceiptStore<Transaction>,
  sessions: SessionsInTransaction<Transaction> | null = null,
): Middleware<SentForm, OnceContext<Transaction>, Response<303> | Passed> {
  const guard: Middleware<
    SentForm,
    OnceContext<Transaction>,
    Response<303> | Passed
  > = describeMiddleware(
    async function onlyOnce(context, next) {
      const { form, request, session } = context;
      const key = toReceiptKey(request, form, session);
      const earlier = key === null ? null : await receipts.find(key);
      if (earlier !== null && !hasPassword(form)) return seeOther(localPath(earlier));
      if (earlier === null && session?.superseded === true) throw refuseWithoutSession();
      const once: Once<Transaction> = async (work) => {
        let answer = seeOther;
        const path = await receipts.carryOut(key, async (transaction) => {
          const done = await work(transaction);
          if (typeof done === 'string') return done;
          const { path, message } = done;
          if (sessions === null) answer = (to) => withFlash(seeOther(to), message);
          else if (session !== null) {
            const flash = createFlash(path, message);
            await sessions.updateIn(transaction, session.key, (one) => withAddedFlash(one, flash));
          }
          return path;
        });
        return answer(localPath(path));
      };
      return next({ ...context, once, repeated: earlier !== null });
    },
    { needs: ['session', 'form'], adds: ['once', 'repeated'] },
  );
  guards.add(guard);
  return guard;
}

function toReceiptKey<F extends Fields>(
  request: Request,
  form: FilledForm<F>,
  session: Session | null,
): ReceiptKey | null {
  if (form.once === null) return null;
  const texts = form.definition.names.map((name) => form.text[name]);
  const parts = hasPassword(form)
    ? [request.path, ...texts, session?.key ?? null]
    : [request.path, ...texts];
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return { owner: session?.user.id ?? 0, once: form.once, digest };
}

function hasPassword<F extends Fields>({ definition }: FilledForm<F>): boolean {
  return definition.names.some((name) => definition.fields[name]?.control === 'password');
}
