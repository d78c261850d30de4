/**
 * Which form a route reads, as data: for the draft of a form that was refused, a test that holds
 * forms against a database, or a tool that lists them. Types are gone when the program runs, so
 * `readForm` leaves a note here.
 */
import type { Fields, Form } from './define-form.ts';

export interface RouteForm {
  readonly definition: Form<Fields, unknown>;
  /** The path of the page that shows the form; null where that is the path it is sent to. */
  readonly page: string | null;
}

const forms = new WeakMap<object, RouteForm>();

/** `middleware` is the very function that stands in the chain. */
export function rememberForm<F extends Fields>(
  middleware: object,
  definition: Form<F, unknown>,
  page: string | null,
): void {
  forms.set(middleware, { definition: definition as unknown as Form<Fields, unknown>, page });
}

/** Null for a route that reads none. A `readForm` inside another function is not seen. */
export function formOf(route: { readonly middleware?: readonly object[] }): RouteForm | null {
  const reader = route.middleware?.find((one) => forms.has(one));
  return reader === undefined ? null : (forms.get(reader) ?? null);
}
