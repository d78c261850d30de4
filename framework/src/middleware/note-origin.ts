/**
 * Checks the origin and refuses nothing yet: middleware between it and `refuseCrossOrigin` may fail, and its error page
 * must not repeat what another site has sent.
 */
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { type CrossOriginOptions, noteMismatch } from './refuse-cross-origin.ts';

/** Stands before the session is loaded. Its options are those of `refuseCrossOrigin`. */
export function noteOrigin({ publicOrigin = null }: CrossOriginOptions): Middleware {
  return describeMiddleware(
    function noteOrigin(context, next) {
      noteMismatch(context.request, publicOrigin);
      return next(context);
    },
    { needs: [], adds: [] },
  );
}
