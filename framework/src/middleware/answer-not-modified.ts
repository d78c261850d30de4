/**
 * Answers 304 for a page that the browser has cached, without querying or rendering anything (RFC
 * 9110 sections 13.1.2 and 15.4.5). The entity tag is derived from a version of all data that such
 * pages show; see page-tags.ts.
 *
 * The version is read before the data of the page. If the data change in between, the page has an
 * old tag and new data, and the next request gets the page again. A page with a flash is shown
 * once, so it gets no tag and is never answered with 304.
 */

import { jsonOfferOf, preferJson } from '../chain/answers-json.ts';
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { type Awaitable, andThen } from '../http/awaitable.ts';
import { isAnyTag, listsTag } from '../http/entity-tag.ts';
import { isSafe } from '../http/request.ts';
import { closeStream, type Response, type ResponseHeaders, withVary } from '../http/response.ts';
import type { SessionContext } from '../session/session.ts';
import { createPageTags } from './page-tags.ts';

/** What `answerNotModified` adds to the context. */
export interface Versioned {
  /** The version of the data, read before the page reads them. */
  readonly version: string;
}

/**
 * Answers 304 when the browser has the page already, without running the rest of the chain. `readVersion`
 * returns a text that is different for every state of the data, no matter which process changed them, and
 * for every build of the code.
 */
export function answerNotModified(
  readVersion: () => Awaitable<string>,
): Middleware<Pick<SessionContext, 'session' | 'flash'>, Versioned> {
  const tagOf = createPageTags();
  return describeMiddleware(
    function answerNotModified(context, next) {
      const { request, route, session, flash } = context;
      return andThen(readVersion(), (version) => {
        const answer = () => next({ ...context, version });
        if (flash !== null || !isSafe(request)) return answer();
        // The tag is that of the page.
        const isEither = jsonOfferOf(route) === 'asked';
        if (isEither && preferJson(request.headers) > 0) return answer();
        const known = request.headers['if-none-match'];
        // Made late without `If-None-Match`: the page may turn out to have no tag.
        const tagged = known === undefined ? null : tagOf(version, session, request);
        if (known !== undefined && tagged !== null && listsTag(known, tagged.tag))
          return notModified(tagged.headers, isEither);
        return andThen(answer(), (response) => {
          if (!isCacheable(response)) return response;
          const { headers } = tagged ?? tagOf(version, session, request);
          if (known !== undefined && isAnyTag(known)) {
            closeStream(response);
            return notModified(headers, isEither);
          }
          const both = { ...response, headers: { ...response.headers, ...headers } };
          return isEither ? withVary(both, 'Accept') : both;
        });
      });
    },
    { needs: ['session', 'flash'], adds: ['version'] },
  );
}

function notModified(headers: ResponseHeaders, isEither: boolean): Response {
  const response = { status: 304, headers, body: null };
  return isEither ? withVary(response, 'Accept') : response;
}

/** Excludes responses that change the session, set a cookie or have their own Cache-Control. */
function isCacheable({ status, headers, session }: Response): boolean {
  return (
    status === 200 &&
    session === undefined &&
    headers['Cache-Control'] === undefined &&
    headers['Set-Cookie'] === undefined
  );
}
