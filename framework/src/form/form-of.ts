/**
 * Finds the form of a route, and that of a request: for drafts, for error pages, or for a test that compares forms
 * with the constraints of a database. Types do not exist at run time, so `readForm` registers the form of each
 * middleware that it returns.
 *
 * A middleware that wraps `readForm` hides its form from the route. So `readForm` also leaves its form on the request
 * when it runs, before it reads anything.
 */
import type { Context } from '../chain/context.ts';
import type { Fields, Form } from './define-form.ts';

export interface RouteForm {
  readonly definition: Form<Fields, unknown>;
  /** The path of the page with the form; null if it is the path that the form is sent to. */
  readonly page: string | null;
}

const forms = new WeakMap<object, RouteForm>();

export function toRouteForm<F extends Fields>(
  definition: Form<F, unknown>,
  page: string | null,
): RouteForm {
  return { definition: definition as unknown as Form<Fields, unknown>, page };
}

/**
 * `middleware` must be the function that is registered with the route, not one that wraps it. When it runs, it sets
 * the `state.form` of the request.
 */
export function rememberForm(middleware: object, form: RouteForm): void {
  forms.set(middleware, form);
}

/**
 * The form that a route reads. Null for a route without a form. A `readForm` wrapped in another function is
 * not found.
 */
export function formOf(route: { readonly middleware?: readonly object[] }): RouteForm | null {
  const reader = route.middleware?.find((one) => forms.has(one));
  return reader === undefined ? null : (forms.get(reader) ?? null);
}

/**
 * The form of a request: the one that `readForm` has read, also if it is wrapped in another function, or else the one
 * that its route reads. Null if neither is known; then no text of the request may be shown, as it may be a password.
 */
export function formOfRequest({ request, route }: Context): RouteForm | null {
  const read = request.state.form as RouteForm | null;
  return read ?? (route === null ? null : formOf(route));
}
