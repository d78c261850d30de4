/**
 * The free 304: a page that the browser has already, and that is as it was, is answered before
 * anything is looked up or rendered for it (RFC 9110 sections 13.1.2 and 15.4.5). What it is like is
 * said by a version, which names the state of all that such pages show; see page-tags.ts.
 *
 * The version is read before the page: what changes in between gets into the page, and the next
 * request has another version. The hard case is a page that is to be shown once, with a message: it
 * is neither kept nor answered from what was kept.
 */

import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { type Awaitable, andThen } from '../http/awaitable.ts';
import { isAnyTag, listsTag } from '../http/entity-tag.ts';
import { isSafe } from '../http/request.ts';
import type { Response, ResponseHeaders } from '../http/response.ts';
import type { SessionContext } from '../session/session.ts';
import { keepPageTags } from './page-tags.ts';

/** What `answerNotModified` adds to the context. */
export interface Versioned {
  /** Names the state of what the page shows, read before the page was. */
  readonly version: string;
}

/**
 * `readVersion` gives a text that was never given for another state, whoever has changed it, and that
 * changes with the code too.
 */
export function answerNotModified(
  readVersion: () => Awaitable<string>,
): Middleware<SessionContext, Versioned> {
  const tagOf = keepPageTags();
  return describeMiddleware(
    function answerNotModified(context, next) {
      const { request, session, flash } = context;
      return andThen(readVersion(), (version) => {
        const answer = () => next({ ...context, version });
        if (flash !== null || !isSafe(request)) return answer();
        const { tag, headers } = tagOf(version, session, request.target);
        const kept = request.headers['if-none-match'];
        if (kept !== undefined && listsTag(kept, tag)) return notModified(headers);
        return andThen(answer(), (response) => {
          if (!mayBeKept(response)) return response;
          if (kept !== undefined && isAnyTag(kept)) return notModified(headers);
          return { ...response, headers: { ...response.headers, ...headers } };
        });
      });
    },
    { needs: ['session', 'flash'], adds: ['version'] },
  );
}

function notModified(headers: ResponseHeaders): Response {
  return { status: 304, headers, body: null };
}

/** Not what changes the session or sets a cookie, nor what says itself how long it is kept. */
function mayBeKept({ status, headers, session }: Response): boolean {
  return (
    status === 200 &&
    session === undefined &&
    headers['Cache-Control'] === undefined &&
    headers['Set-Cookie'] === undefined
  );
}
