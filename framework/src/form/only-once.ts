/**
 * Makes a form count once, however often it is sent: at once, later, in parallel, after a crash, on
 * another instance. A form that was carried out before is answered with the redirect that it got
 * then; for any other, the action behind finds `once` on the context and carries the form out with
 * it: what the work writes and the receipt are one transaction.
 *
 * The same key with other fields is another form: somebody went back, changed something and saved.
 * A form without a key is not protected.
 */
import { createHash } from 'node:crypto';
import type { Middleware, Passed } from '../context.ts';
import { describeMiddleware } from '../describe-middleware.ts';
import { type Href, localPath } from '../href.ts';
import type { Request } from '../request.ts';
import { type Response, seeOther } from '../response.ts';
import type { SessionContext } from '../session/session.ts';
import type { Fields, FilledForm } from './define-form.ts';
import type { ReceiptKey, ReceiptStore } from './receipt-store.ts';

/**
 * Carries the form out unless it was before, and redirects to the path that the work resolves to,
 * or did then. The work gets the transaction in which it must do all that it writes.
 */
export type Once<Transaction> = (
  work: (transaction: Transaction) => Promise<Href>,
) => Promise<Response<303>>;

/** What `onlyOnce` adds to the context. */
export interface OnceContext<Transaction> {
  readonly once: Once<Transaction>;
}

/** What it needs: who sends the form, and the form. */
interface SentForm extends Pick<SessionContext, 'session'> {
  // biome-ignore lint/suspicious/noExplicitAny: any form will do; only its texts are looked at.
  readonly form: FilledForm<any>;
}

export function onlyOnce<Transaction>(
  store: ReceiptStore<Transaction>,
): Middleware<SentForm, OnceContext<Transaction>, Response<303> | Passed> {
  return describeMiddleware(
    async function onlyOnce(context, next) {
      const { form, request, session } = context;
      const key = toReceiptKey(request, form, session?.user.id ?? 0);
      const earlier = key === null ? null : await store.find(key);
      if (earlier !== null) return seeOther(localPath(earlier));
      const once: Once<Transaction> = async (work) =>
        seeOther(localPath(await store.carryOut(key, work)));
      return next({ ...context, once });
    },
    { needs: ['session', 'form'], adds: ['once'] },
  );
}

/** Null for a form without a key. Throws for one with a password, which no receipt may hold a digest of. */
function toReceiptKey<F extends Fields>(
  request: Request,
  form: FilledForm<F>,
  owner: number,
): ReceiptKey | null {
  const { fields, names } = form.definition;
  const password = names.find((name) => fields[name]?.control === 'password');
  if (password !== undefined) {
    throw new TypeError(
      `Cannot make a form count once whose field "${password}" is a password: two forms that differ in it alone would count as one, and a digest of it must not be kept. Leave onlyOnce out of the chain of ${request.path}.`,
    );
  }
  if (form.once === null) return null;
  return { owner, once: form.once, digest: digestForm(request.path, form) };
}

/** A fingerprint of where a form went and of everything that was typed. */
function digestForm<F extends Fields>(path: string, { definition, text }: FilledForm<F>): string {
  const texts = definition.names.map((name) => text[name]);
  return createHash('sha256')
    .update(JSON.stringify([path, ...texts]))
    .digest('hex');
}
