/**
 * Which form a route reads, as data: for a test that holds forms against a database, or a tool that
 * lists them. Types are gone when the program runs, so `readForm` leaves a note here.
 */
import type { Fields, Form } from './define-form.ts';

const forms = new WeakMap<object, Form<Fields, unknown>>();

/** `middleware` is the very function that stands in the chain. */
export function rememberForm<F extends Fields>(
  middleware: object,
  definition: Form<F, unknown>,
): void {
  forms.set(middleware, definition as unknown as Form<Fields, unknown>);
}

/** Null for a route that reads none. A `readForm` inside another function is not seen. */
export function formOf(route: {
  readonly middleware: readonly object[];
}): Form<Fields, unknown> | null {
  const reader = route.middleware.find((one) => forms.has(one));
  return reader === undefined ? null : (forms.get(reader) ?? null);
}
