/**
 * Finds the form of a route, and that of a request: for drafts, for error pages, or for a test that compares forms
 * with the constraints of a database. The route knows it from the description of its middleware.
 *
 * A middleware that wraps `readForm`, and does not take over its properties, hides the form from the route. So
 * `readForm` also leaves its form on the request when it runs, before it reads anything.
 */

import type { Context } from '../chain/context.ts';
import { descriptionOf } from '../chain/describe-middleware.ts';
import { Slot } from '../http/slot.ts';
import { MAX_FIELDS } from '../http/urlencoded.ts';
import type { Fields, Form, SomeForm } from './define-form.ts';

export interface RouteForm {
  /** Null if a function makes it for each request, and has not been called. */
  readonly definition: SomeForm | null;
  /** Whether a function makes it. Then `definition` may be its `base`, which stands in for it. */
  readonly varies: boolean;
  /** The path or the pattern of the page with the form; null if it is the path that the form is sent to. */
  readonly page: string | null;
  /** Its largest body, in bytes; null if it is that of all forms. */
  readonly limit: number | null;
}

/** Of `readForm`, from the time when it starts. */
export const formSlot: Slot<RouteForm | null> = new Slot(null);
/** Bytes of a form whose `readForm` has no limit of its own; 1 MiB unless `createSite` is told otherwise. */
export const formLimitSlot: Slot<number> = new Slot(1_048_576);

/** For the description of the middleware that reads the form, and for the requests of its form. */
export function toRouteForm<F extends Fields>(
  definition: Form<F, unknown> | null,
  { page = null, limit = null, varies = false }: Partial<Omit<RouteForm, 'definition'>>,
): RouteForm {
  return { definition, varies, page, limit };
}

/**
 * The form that a route reads. Null for a route without a form. A `readForm` in another function is found if that
 * has its properties: `Object.assign(outer, readForm(form))`.
 */
export function formOf(route: { readonly middleware?: readonly object[] }): RouteForm | null {
  const forms = route.middleware?.map((one) => descriptionOf(one)?.form) ?? [];
  return (forms.find((form) => form !== undefined) ?? null) as RouteForm | null;
}

/**
 * The form of a request: the one that `readForm` has read, also if it is wrapped in another function, or else the one
 * that its route reads. Null if neither is known; then no text of the request may be shown, as it may be a password.
 */
export function formOfRequest({ request, route }: Context): RouteForm | null {
  return formSlot.of(request) ?? (route === null ? null : formOf(route));
}

/** The largest body of the form of a request, in bytes. */
export function formLimitOf(context: Context): number {
  return formOfRequest(context)?.limit ?? formLimitSlot.of(context.request);
}

/** The most fields that the form of a request may send. A form with many rows may send more than others. */
export function maxEntriesOf(context: Context): number {
  const form = formOfRequest(context);
  return Math.max(toMaxEntries(form?.definition ?? null), form?.varies ? MAX_VARYING : 0);
}

/** Fields of a form that is read before it is known. */
const MAX_VARYING = 2_000;

/** Beside the declared fields there are those of other versions of the form, and those of the framework. */
export function toMaxEntries(definition: Pick<SomeForm, 'maxSent'> | null): number {
  return Math.max(MAX_FIELDS, (definition?.maxSent ?? 0) + MAX_FIELDS / 2);
}
