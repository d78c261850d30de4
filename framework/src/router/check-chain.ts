/**
 * Checks a chain where it is registered. The compiler checks more, but JavaScript has no types. A need
 * is known here only of described middleware, and only if all middleware before it is described too.
 */
import type { AnyMiddleware } from '../chain/context.ts';
import { descriptionOf } from '../chain/describe-middleware.ts';
import type { Method } from './route.ts';

/** Fields that the framework's own middleware adds, with the call that adds them. */
const ADDED_BY: Readonly<Record<string, string>> = {
  session: 'loadSession({ store })',
  flash: 'loadSession({ store })',
  flashAction: 'loadSession({ store })',
  form: 'readForm(form)',
  validation: 'readForm(form)',
  status: 'readForm(form)',
  once: 'onlyOnce(receipts)',
  repeated: 'onlyOnce(receipts)',
  stores: 'the middleware of createSite(stores)',
};

/** Throws a TypeError unless `added` are middleware that can follow `before`; `place` is for
 * the message, such as ` in GET /items`. */
export function checkMiddleware(
  place: string,
  before: readonly AnyMiddleware[],
  added: readonly unknown[],
): void {
  if (added.length === 0) return;
  let known: Set<string> | null = new Set(['request', 'route', 'params']);
  for (const one of before) known = addTo(known, one);
  for (const one of added) {
    if (typeof one !== 'function') {
      throw new TypeError(
        `Cannot use ${nameOf(one)} as a middleware${place}: it is no function. Pass a function of (context, next), and check the name in its import.`,
      );
    }
    const missing = descriptionOf(one)?.needs.find((need) => known?.has(need) === false);
    if (missing !== undefined) {
      throw new TypeError(
        `Cannot use ${nameOf(one)}${place}: it needs context.${missing}, which no middleware before it adds. Put ${ADDED_BY[missing] ?? 'a middleware that adds it'} before it.`,
      );
    }
    known = addTo(known, one as AnyMiddleware);
  }
}

/** Throws a TypeError for a middleware that does nothing in a global chain. */
export function checkGlobal(middleware: AnyMiddleware): void {
  if (descriptionOf(middleware)?.acceptsCrossOrigin !== true) return;
  throw new TypeError(
    `Cannot use ${nameOf(middleware)} for all routes: a form of another site could then be sent in a user's name. Put it into the chain of each route that takes posts from elsewhere.`,
  );
}

/** Throws a TypeError for a GET that reads a form. */
export function checkFormOfGet(
  method: Method,
  pattern: string,
  middleware: readonly AnyMiddleware[],
): void {
  const reader = middleware.find((one) => descriptionOf(one)?.adds.includes('validation') === true);
  if (method !== 'GET' || reader === undefined) return;
  throw new TypeError(
    `Cannot use ${nameOf(reader)} in GET ${pattern}: a GET has no body with a form. Put it into the chain of a POST, and read request.query here.`,
  );
}

/** Whether the route takes posts from elsewhere. Throws a TypeError if it cannot. */
export function checkCrossOrigin(
  method: Method,
  pattern: string,
  middleware: readonly AnyMiddleware[],
): boolean {
  const takes = (one: AnyMiddleware) => descriptionOf(one)?.acceptsCrossOrigin === true;
  const word = middleware.find(takes);
  if (word === undefined) return false;
  if (method !== 'POST') {
    throw new TypeError(
      `Cannot use ${nameOf(word)} in ${method} ${pattern}: a ${method} is let in from everywhere. Register it for POST.`,
    );
  }
  const other = middleware.find(
    (one) => !takes(one) && descriptionOf(one)?.adds.includes('session') === true,
  );
  if (other !== undefined) {
    throw new TypeError(
      `Cannot use ${nameOf(other)} in ${method} ${pattern}: the route takes posts from elsewhere (${nameOf(word)}), which have no session. Take one of the two out, and check a signature or a token instead.`,
    );
  }
  return true;
}

/** Null if it cannot be known. */
function addTo(known: Set<string> | null, middleware: AnyMiddleware): Set<string> | null {
  const description = descriptionOf(middleware);
  if (known === null || description === null) return null;
  for (const name of description.adds) known.add(name);
  return known;
}

/** Throws a TypeError unless the route can be registered with this handler. */
export function checkHandler(method: Method, pattern: string, handler: unknown): void {
  const route = `${method} ${pattern}`;
  if (method !== 'GET' && method !== 'POST') {
    throw new TypeError(
      `Cannot register ${route}: an HTML form sends GET or POST. Use one of these methods.`,
    );
  }
  if (typeof handler !== 'function') {
    throw new TypeError(
      `Cannot register ${route} with ${nameOf(handler)} as its handler. Put a function of the context last: (context) => response.`,
    );
  }
  if (descriptionOf(handler) !== null) {
    throw new TypeError(
      `Cannot register ${route} with ${nameOf(handler)} as its handler: it is a middleware. Put a handler after it.`,
    );
  }
}

function nameOf(value: unknown): string {
  if (typeof value === 'function') {
    return value.name === '' ? 'a function without a name' : JSON.stringify(value.name);
  }
  return typeof value === 'object' && value !== null
    ? 'an object'
    : (JSON.stringify(value) ?? String(value));
}
