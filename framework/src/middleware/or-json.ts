/**
 * One address for people and programs. The page and the JSON differ by `Accept` alone, so both say so, and the JSON has
 * no entity tag of the page.
 */
import { preferJson } from '../chain/answers-json.ts';
import type { Context, Handler, Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { andThen } from '../http/awaitable.ts';
import { describeValue } from '../http/check-options.ts';
import { type Response, withVary } from '../http/response.ts';

/**
 * Answers with `handler` if the client prefers JSON by its `Accept`; otherwise the rest of the chain answers: for a
 * browser, for any type, and for a client that says nothing. Errors of the route are JSON then, too (RFC 9457), and a
 * request without a session is a 401 instead of a redirect.
 */
export function orJson<Needs = unknown>(handler: Handler<Context & Needs>): Middleware<Needs> {
  if (typeof handler !== 'function') {
    throw new TypeError(
      `Cannot answer in JSON with ${describeValue(handler)}: pass a function of the context, orJson(() => json(…)).`,
    );
  }
  return describeMiddleware(
    function orJson(context, next) {
      if (preferJson(context.request.headers) <= 0) {
        return andThen(next(context), (response) => withVary(response, 'Accept'));
      }
      return andThen(handler(context), (response) => withVary(withoutStorage(response), 'Accept'));
    },
    { needs: [] as never, adds: [], json: 'asked' },
  );
}

function withoutStorage(response: Response): Response {
  return { ...response, headers: { 'Cache-Control': 'no-store', ...response.headers } };
}
