/**
 * Needs no token, because every current browser sends the origin of a request. As in Go's net/http,
 * Sec-Fetch-Site is checked first, then Origin. Over plain http, a request with neither passes: no current
 * browser sends such a form. Only the method decides, and not the content type, so no difference between parsers
 * bypasses the check. The four safe methods change nothing (RFC 9110 section 9.2.1), so they pass.
 */

import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { checkOptions, FUNCTION, type OptionKinds, or, TEXT } from '../http/check-options.ts';
import { normalizeHost } from '../http/host.ts';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import { Slot } from '../http/slot.ts';

export interface CrossOriginOptions {
  /**
   * The site's own origin, such as `https://things.example`. Without it, the Host header is used.
   */
  readonly publicOrigin?: string | null;
  /** Called for every refused request, with the reason, which the page does not show. */
  readonly onRefused?: (request: Request, reason: string) => void;
}

const CROSS_ORIGIN_KINDS = {
  publicOrigin: or(TEXT, null),
  onRefused: FUNCTION,
} satisfies OptionKinds<CrossOriginOptions>;

/**
 * Refuses forms that another site sends in a user's name (CSRF) with 403, by the headers `Sec-Fetch-Site`
 * and `Origin`. It needs no token in the form.
 */
export function refuseCrossOrigin(options: CrossOriginOptions = {}): Middleware {
  checkOptions('refuseCrossOrigin', options, CROSS_ORIGIN_KINDS);
  const { publicOrigin = null, onRefused } = options;
  return describeMiddleware(
    function refuseCrossOrigin(context, next) {
      const { request, route } = context;
      const mismatch = noteMismatch(request, publicOrigin);
      if (mismatch === null || route?.acceptsCrossOrigin === true) return next(context);
      onRefused?.(request, mismatch);
      throw new HttpError(403, ({ words }) => words.notFromThisSite, { reason: mismatch });
    },
    { needs: [], adds: [] },
  );
}

/** Why the request seems to come from another site; null if it does not, or is not checked yet. */
export const mismatchSlot: Slot<string | null> = new Slot(null);

/** What `findMismatch` says of a request that may change something, also for the pages of errors. */
export function noteMismatch(request: Request, publicOrigin: string | null): string | null {
  if (SAFE.has(request.method)) return null;
  const mismatch = mismatchSlot.of(request) ?? findMismatch(request, publicOrigin);
  mismatchSlot.set(request, mismatch);
  return mismatch;
}

/** All of RFC 9110 section 9.2.1; `isSafe` knows the two that routes serve. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

const HIDDEN =
  'The header Origin is "null": the browser hides where the form was. It does so for a page with Referrer-Policy: no-referrer, a sandboxed frame, and a page that was saved as a file. Give the page the policy "same-origin", or open the form at its own address.';

/** Why the request seems to come from another site; null if it does not. */
function findMismatch(request: Request, publicOrigin: string | null): string | null {
  const site = request.headers['sec-fetch-site'];
  const origin = request.headers['origin'];
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return null;
    if (origin === 'null') return HIDDEN;
    return `Your browser says that the form came from another site: its header Sec-Fetch-Site is ${quote(site)}, where "same-origin" was expected.`;
  }
  if (origin === undefined) {
    if (request.scheme === 'http') return null;
    return 'The request does not say where it came from: over https, a header Sec-Fetch-Site or Origin was expected. A route for posts of programs needs acceptCrossOrigin, or readSigned.';
  }
  const host = request.headers['host'];
  const isOwn =
    publicOrigin === null
      ? host !== undefined && hostOf(origin) === normalizeHost(host, request.scheme)
      : origin.toLowerCase() === publicOrigin;
  if (isOwn) return null;
  if (origin === 'null') return HIDDEN;
  const expected = publicOrigin ?? `the host ${quote(host ?? '')}`;
  return `The header Origin is ${quote(origin)}, where ${expected} was expected. Behind a proxy, let it pass the Host header on unchanged, or set publicOrigin (PUBLIC_ORIGIN) to the address that people use.`;
}

function hostOf(origin: string): string | null {
  const [, scheme = '', host] = /^(https?):\/\/([^/?#@]+)$/i.exec(origin) ?? [];
  return host === undefined ? null : normalizeHost(host, scheme);
}

function quote(value: string): string {
  return JSON.stringify(value.slice(0, 200));
}
