/**
 * Post/Redirect/Get, in types. The action of a form is a middleware with two ways out: it carries
 * the form out and redirects, or it hands on that the form was refused, and the page comes again
 * with an error status. It may answer with an error page of its own, but never with a page that a
 * refresh would send again.
 */
import type { Context, Middleware, Passed } from '../chain/context.ts';
import type { ErrorStatus } from '../http/http-error.ts';
import type { Response } from '../http/response.ts';
import {
  errorsOf,
  type Fields,
  type FormError,
  type FormValues,
  type RefusedForm,
  type Validation,
} from './define-form.ts';
import type { FormContext } from './read-form.ts';

/** What is on the context behind an action: the form was not carried out. */
export interface RefusedContext<F extends Fields> {
  readonly validation: RefusedForm<F>;
  readonly status: ErrorStatus;
}

/** `Needs` is what the action wants besides the form, such as `LoggedIn`; `V` what its schema makes. */
export type FormAction<F extends Fields, Needs = unknown, V = FormValues<F>> = Middleware<
  Needs & FormContext<F, V>,
  RefusedContext<F>,
  Response<303 | ErrorStatus> | Passed
>;

/**
 * The context of a form that was not carried out: `return next(refuse(context))` shows it again with
 * the errors that validation found. `errors` are those that only the action can find, such as a name
 * that is taken; `status` says what kind they are, 400 by default.
 */
export function refuse<F extends Fields, C extends Context & FormContext<F, unknown>>(
  context: C & { readonly validation: Validation<F, unknown> },
  errors: readonly FormError<F>[] = errorsOf<F>(context.validation),
  status: ErrorStatus = 400,
): C & RefusedContext<F> {
  if (context.validation.valid && errors.length === 0)
    throw new TypeError(
      'Cannot refuse a form without saying why: it is valid, and no error was given. Pass errors: refuse(context, [{ field, message }]).',
    );
  return { ...context, validation: { valid: false, errors }, status };
}

/** The status of the page that shows a form: the one on the context; 200 where no form was sent. */
export type StatusOf<C> = C extends { readonly status: infer Status extends number } ? Status : 200;

/** Gives the page of a form its status, in its type too, so that one handler serves GET and POST. */
export function statusOf<C extends Context>(context: C): StatusOf<C> {
  const { status } = context as { readonly status?: number };
  return (status ?? 200) as StatusOf<C>;
}
