/**
 * The router reads the middleware of a route before its chain runs. So `refuseCrossOrigin` knows that this one follows
 * and lets the post pass, and `loadSession` looks for no session: no middleware of the chain sees one.
 */
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';

/** What the context of such a route has: whatever cookie came along, nobody is logged in. */
export interface NoSession {
  readonly session: null;
}

/**
 * Lets posts from elsewhere into a route: of another site, or over https of a program that names no origin. The post
 * has no session, and its answer starts none. What proves it instead, such as a token, is checked by a middleware of
 * yours. Throws where it is registered on a GET route, with `use`, or together with `requireSession`.
 */
export const acceptCrossOrigin: Middleware<unknown, NoSession> = describeMiddleware(
  function acceptCrossOrigin(context, next) {
    return next({ ...context, session: null });
  },
  { needs: [], adds: ['session'], acceptsCrossOrigin: true },
);
