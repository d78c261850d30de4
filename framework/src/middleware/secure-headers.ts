/**
 * The security headers that every response carries. By default a page loads nothing from other sites,
 * runs no script, is in no frame and in no cache. A response that sets one of these headers keeps its
 * own value, with one exception: a response with a nonce is never stored, because the nonce would be
 * valid again each time that the stored page is shown.
 */
import { randomBytes } from 'node:crypto';
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { andThen } from '../http/awaitable.ts';
import { checkOptions, OBJECT, type OptionKinds } from '../http/check-options.ts';
import type { Request } from '../http/request.ts';
import type { Response, ResponseHeaders } from '../http/response.ts';
import {
  compilePolicy,
  type PolicySource,
  type SecurityPolicy,
} from './content-security-policy.ts';

const STRICT = compilePolicy({});

/** Without the header for https. The server's own refusals, which no middleware sees, carry these too. */
export const SECURE_HEADERS: ResponseHeaders = Object.freeze({
  'Cache-Control': 'no-store',
  'Content-Security-Policy': STRICT.text,
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
});

/** What `secureHeaders` adds to the context if its policy has the source `'nonce'`. */
export interface NonceContext {
  /**
   * The nonce of this response, 128 random bits in base64url: for `<script nonce="…">` and
   * `<style nonce="…">`. Calling it makes the response `no-store`, without `ETag` and `Last-Modified`.
   * A response for which it is not called has no nonce. Throws once the headers are made.
   */
  readonly nonce: () => string;
}

/** All sources of a policy. */
type SourcesOf<P extends SecurityPolicy> = Extract<P[keyof P], readonly PolicySource[]>[number];

/** A misspelt directive. TypeScript itself reports one only if no other directive is given. */
type Unknown<P> = { readonly [Name in Exclude<keyof P, keyof SecurityPolicy>]: never };

export type AddedBy<P extends SecurityPolicy> =
  "'nonce'" extends SourcesOf<P> ? NonceContext : unknown;

export interface SecureHeadersOptions<P extends SecurityPolicy> {
  /** The directives that differ from the strict policy; none by default. */
  readonly policy?: P & Unknown<P>;
}

const HEADERS_KINDS = { policy: OBJECT } satisfies OptionKinds<
  SecureHeadersOptions<SecurityPolicy>
>;

/**
 * Adds a strict Content-Security-Policy and other security headers to every response. Throws if the policy
 * is not valid.
 */
export function secureHeaders<const P extends SecurityPolicy = Record<never, never>>(
  options?: SecureHeadersOptions<P>,
): Middleware<unknown, AddedBy<P>>;
export function secureHeaders(options: SecureHeadersOptions<SecurityPolicy> = {}): Middleware {
  checkOptions('secureHeaders', options, HEADERS_KINDS);
  const { policy = {} } = options;
  const { text, withNonce } = compilePolicy(policy);
  const put = createPut(text);
  if (withNonce !== null) return secureHeadersWithNonce(put, withNonce) as Middleware;
  return describeMiddleware(
    function secureHeaders(context, next) {
      return andThen(next(context), (response) => put(response, context.request.scheme));
    },
    { needs: [], adds: [] },
  );
}

function secureHeadersWithNonce(
  put: Put,
  withNonce: (nonce: string) => string,
): Middleware<unknown, NonceContext> {
  return describeMiddleware(
    function secureHeaders(context, next) {
      const nonce = openNonce();
      return andThen(next({ ...context, nonce: nonce.read }), (response) => {
        const used = nonce.close();
        const { scheme } = context.request;
        // The page that the browser has stored has no nonce, and a 304 would give it a new policy.
        if (used === null || response.status === 304) return put(response, scheme);
        return put(withoutStorage(response, withNonce(used)), scheme);
      });
    },
    { needs: [], adds: ['nonce'] },
  );
}

function openNonce() {
  let value: string | null = null;
  let isClosed = false;
  const read = () => {
    if (value === null && isClosed) {
      throw new Error(
        'Cannot make a nonce: the headers of this response are made already. Call nonce() before the handler returns, not while the body is streamed.',
      );
    }
    value ??= randomBytes(16).toString('base64url');
    return value;
  };
  const close = () => {
    isClosed = true;
    return value;
  };
  return { read, close };
}

function withoutStorage(response: Response, policy: string): Response {
  const { ETag: _tag, 'Last-Modified': _modified, ...rest } = response.headers;
  const headers = { 'Content-Security-Policy': policy, ...rest, 'Cache-Control': 'no-store' };
  return { ...response, headers };
}

type Put = (response: Response, scheme: Request['scheme']) => Response;

/** For a response that no middleware sees. */
export const withSecureHeaders: Put = createPut(STRICT.text);

function createPut(policy: string): Put {
  const http = Object.freeze({ ...SECURE_HEADERS, 'Content-Security-Policy': policy });
  // Sent over https only (RFC 6797 section 7.2).
  const https = { ...http, 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' };
  const mergeForHttp = createMerge(http);
  const mergeForHttps = createMerge(Object.freeze(https));
  return (response, scheme) => {
    const merge = scheme === 'https' ? mergeForHttps : mergeForHttp;
    return { ...response, headers: merge(response.headers) };
  };
}

/** Puts headers over the set. Frozen headers, which many responses share, are merged once. */
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
