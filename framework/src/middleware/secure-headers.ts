/**
 * The headers that every answer carries: nothing is loaded from elsewhere, no script runs, nobody
 * frames the site, and nothing is kept in a cache unless the answer itself says so. A response that
 * sets one of them keeps its own value.
 */

import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { andThen } from '../http/awaitable.ts';
import type { Request } from '../http/request.ts';
import type { Response, ResponseHeaders } from '../http/response.ts';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Without what is said over https only. The server's own refusals, which no middleware sees, carry it too. */
export const SECURE_HEADERS: ResponseHeaders = Object.freeze({
  'Cache-Control': 'no-store',
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
});

/** Sent over https only (RFC 6797 section 7.2). */
const HTTPS_HEADERS: ResponseHeaders = Object.freeze({
  ...SECURE_HEADERS,
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
});

export const secureHeaders: Middleware = describeMiddleware(
  function secureHeaders(context, next) {
    return andThen(next(context), (response) =>
      withSecureHeaders(response, context.request.scheme),
    );
  },
  { needs: [], adds: [] },
);

/** For an answer that no middleware sees. */
export function withSecureHeaders(response: Response, scheme: Request['scheme']): Response {
  const merge = scheme === 'https' ? mergeForHttps : mergeForHttp;
  return { ...response, headers: merge(response.headers) };
}

const mergeForHttp = createMerge(SECURE_HEADERS);
const mergeForHttps = createMerge(HTTPS_HEADERS);

/** Puts headers over the set. Those that many answers share, frozen by their maker, are merged once. */
function createMerge(set: ResponseHeaders): (headers: ResponseHeaders) => ResponseHeaders {
  const merged = new WeakMap<ResponseHeaders, ResponseHeaders>();
  return (headers) => {
    if (!Object.isFrozen(headers)) return { ...set, ...headers };
    let both = merged.get(headers);
    if (both === undefined) {
      both = Object.freeze({ ...set, ...headers });
      merged.set(headers, both);
    }
    return both;
  };
}
