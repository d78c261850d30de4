/**
 * Finds the form that a route reads: for drafts, for error pages, or for a test that compares forms
 * with the constraints of a database. Types do not exist at run time, so `readForm` registers the
 * form of each middleware that it returns.
 */
import type { Fields, Form } from './define-form.ts';

export interface RouteForm {
  readonly definition: Form<Fields, unknown>;
  /** The path of the page with the form; null if it is the path that the form is sent to. */
  readonly page: string | null;
}

const forms = new WeakMap<object, RouteForm>();

/** `middleware` must be the function that is registered with the route, not one that wraps it. */
export function rememberForm<F extends Fields>(
  middleware: object,
  definition: Form<F, unknown>,
  page: string | null,
): void {
  forms.set(middleware, { definition: definition as unknown as Form<Fields, unknown>, page });
}

/**
 * The form that a route reads. Null for a route without a form. A `readForm` wrapped in another function is
 * not found.
 */
export function formOf(route: { readonly middleware?: readonly object[] }): RouteForm | null {
  const reader = route.middleware?.find((one) => forms.has(one));
  return reader === undefined ? null : (forms.get(reader) ?? null);
}
