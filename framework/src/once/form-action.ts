/**
 * Post/Redirect/Get, in types. The action of a form is a middleware. Either it carries the form out
 * and redirects, or it calls `next`, and the handler renders the form again with an error status.
 * It may also return an error page of its own. It cannot return a page with the status 200, because
 * refreshing that page would send the form again.
 */

import type { Context, Middleware, Passed } from '../chain/context.ts';
import {
  errorsOf,
  type Fields,
  type FormError,
  type FormValues,
  type RefusedForm,
  type Validation,
} from '../form/define-form.ts';
import type { SomeFields } from '../form/field-set.ts';
import type { FormContext } from '../form/read-form.ts';
import { isPart } from '../form/sent-fields.ts';
import { describeValue, findSimilar } from '../http/check-options.ts';
import type { ErrorStatus } from '../http/http-error.ts';
import { languageOf } from '../http/request-language.ts';
import type { Response } from '../http/response.ts';
import { english } from '../language/english.ts';
import { isOfOtherAccount, ownKeySlot, toOwnKey } from '../session/form-key.ts';
import type { SessionContext } from '../session/session.ts';

/** What an action adds to the context when it has refused the form. */
export interface RefusedContext<F extends Fields> {
  readonly validation: RefusedForm<F>;
  readonly status: ErrorStatus;
}

/**
 * The type of a middleware that acts on a valid form, and passes on a refused one to the page that shows it
 * again. `Needs` are the fields that the action needs besides the form, such as `LoggedIn`; `V` is the type
 * that the schema of the form returns.
 */
export type FormAction<F extends Fields, Needs = unknown, V = FormValues<F>> = Middleware<
  Needs & FormContext<F, V>,
  RefusedContext<F>,
  Response<303 | ErrorStatus> | Passed,
  'Pass on a refused form: next(refuse(context))'
>;

/**
 * The context of a refused form: `return next(refuse(context))` shows the form again with the
 * errors of its validation. Pass `errors` for what only the action can find, such as a name that is
 * taken. `status` is 400 by default. Throws a `TypeError` when the form is valid and no error was
 * passed.
 */
export function refuse<F extends Fields, C extends Context & FormContext<F, unknown>>(
  context: C & { readonly validation: Validation<F, unknown> },
  errors: readonly FormError<F>[] = errorsOf<F>(context.validation),
  status: ErrorStatus = 400,
): C & RefusedContext<F> {
  // A page that shows its own form again after a change of its rows is no error, and refreshing it does no harm.
  if (context.form.focus !== undefined) return context as C & RefusedContext<F>;
  if (context.validation.valid && errors.length === 0)
    throw new TypeError(
      'Cannot refuse a form without saying why: it is valid, and no error was given. Pass errors: refuse(context, [{ field, message }]).',
    );
  checkErrors(context.form.definition, errors);
  const { translate } = context.form.language ?? english;
  const told = errors.map((error) => ({ ...error, message: translate(error.message) }));
  const form = { ...context.form, errors: told };
  return { ...context, form, validation: { valid: false, errors: told }, status };
}

/**
 * The context of a form that is carried out only when its user sends it again: another account has opened it, or its
 * text was typed on an earlier page. Its page shows it again, with everything that was typed and a key of the account
 * that is logged in now. Null for any other form.
 */
export function refuseFirst<
  F extends Fields,
  C extends Context & Pick<SessionContext, 'session'> & Pick<FormContext<F, unknown>, 'form'>,
>(context: C, errors: readonly FormError<F>[]): (C & RefusedContext<F>) | null {
  const { form, request, session } = context;
  const isOther = isOfOtherAccount(form.once, session);
  // A button that changes a row carries nothing out.
  if (form.focus !== undefined || !(isOther || form.isTypedEarlier)) return null;
  const { words } = languageOf(request);
  const message = isOther ? words.otherAccount(session?.user.name ?? null) : words.typedEarlier;
  const once = isOther ? toOwnKey(form.once ?? '', session) : form.once;
  ownKeySlot.set(request, once);
  const all = [{ field: null, message }, ...errors];
  const validation = { valid: false, errors: all } as const;
  return { ...context, form: { ...form, once, errors: all }, validation, status: 409 };
}

/** An error with another field would not be on the page. */
function checkErrors(definition: SomeFields, errors: unknown): void {
  if (!Array.isArray(errors)) {
    throw new TypeError(
      `Cannot refuse a form with ${describeValue(errors)} for its errors: pass a list, [{ field, message }].`,
    );
  }
  for (const { field, message } of errors as readonly Partial<FormError<Fields>>[]) {
    if (typeof message !== 'string' || message === '') {
      throw new TypeError(
        `Cannot refuse a form with ${describeValue(message)} for the message of an error: pass a sentence for the user, { field, message: 'This name is taken' }.`,
      );
    }
    const { names } = definition;
    if (field === null || isPart(definition, String(field))) continue;
    const similar = findSimilar(String(field), names);
    throw new TypeError(
      `Cannot refuse a form with an error of the field ${JSON.stringify(field)}: the form has ${names.join(', ')}. ${similar === null ? 'Use one of these names, or null for the whole form.' : `Did you mean ${similar}?`}`,
    );
  }
}

/** The status of a page that shows a form: the one on the context, or 200 if no form was sent. */
export type StatusOf<C> = C extends { readonly status: infer Status extends number } ? Status : 200;

/** The status of a page that shows a form, as `StatusOf`. It is in the type, so one handler can serve GET and POST. */
export function statusOf<C extends Context>(context: C): StatusOf<C> {
  const { status } = context as { readonly status?: number };
  return (status ?? 200) as StatusOf<C>;
}
