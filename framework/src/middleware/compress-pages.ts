/**
 * Compresses pages, outside the main thread, and caches the result. The key of the
 * cache is the whole page, so a page with a new idempotency key is another page.
 *
 * For routes whose pages hold no secret. Only an address without a query is compressed: what an attacker
 * puts into a query may be on the page beside what other people typed, and the compressed length would then
 * reveal one through the other (BREACH).
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { type Awaitable, andThen } from '../http/awaitable.ts';
import type { Request } from '../http/request.ts';
import type { Response, ResponseHeaders } from '../http/response.ts';
import { rankCodings } from './accept-encoding.ts';

/** Characters. A smaller page fits into the packet that its headers need anyway. */
const MIN_LENGTH = 1_000;
/** Characters of all pages in the cache of one coding. */
const MAX_CACHED = 2_000_000;

const COMPRESS = {
  br: (body: string) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: string) => promisify(gzip)(body),
};
type PageCoding = keyof typeof COMPRESS;

/** Stands before `answerNotModified`, so that a 304 has the same `Vary` as the page. */
export function compressPages(): Middleware {
  const compress = { br: cacheResults(COMPRESS.br), gzip: cacheResults(COMPRESS.gzip) };
  const headersFor = { br: createVaried('br'), gzip: createVaried('gzip') };
  const vary = createVaried(null);
  return describeMiddleware(
    function compressPages(context, next) {
      const { request } = context;
      if (request.target.includes('?')) return next(context);
      const coding = chooseCoding(request);
      return andThen(next(context), (response): Awaitable<Response> => {
        const { status, body } = response;
        if (!isPage(response)) return status === 304 ? withHeaders(response, vary) : response;
        if (coding === null || typeof body !== 'string' || body.length < MIN_LENGTH)
          return withHeaders(response, vary);
        const coded = withHeaders(response, headersFor[coding]);
        return andThen(compress[coding](body), (bytes) => ({ ...coded, body: bytes }));
      });
    },
    { needs: [], adds: [] },
  );
}

/** The best coding of those that a page can have; null for none. */
function chooseCoding({ headers }: Request): PageCoding | null {
  const ranked = rankCodings(headers['accept-encoding']);
  const best = ranked.find((one) => one !== 'zstd');
  return best === 'br' || best === 'gzip' ? best : null;
}

function isPage({ headers }: Response): boolean {
  const type = headers['Content-Type'];
  return (
    typeof type === 'string' &&
    type.startsWith('text/html') &&
    headers['Content-Encoding'] === undefined
  );
}

function withHeaders(
  response: Response,
  change: (headers: ResponseHeaders) => ResponseHeaders,
): Response {
  return { ...response, headers: change(response.headers) };
}

/** Adds `Vary`, and the coding. Frozen headers, which many responses share, are changed once. */
function createVaried(coding: PageCoding | null): (headers: ResponseHeaders) => ResponseHeaders {
  const changed = new WeakMap<ResponseHeaders, ResponseHeaders>();
  const change = (headers: ResponseHeaders): ResponseHeaders => {
    const vary = headers['Vary'];
    const varied = {
      ...headers,
      Vary: vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`,
    };
    return coding === null ? varied : { ...varied, 'Content-Encoding': coding };
  };
  return (headers) => {
    if (!Object.isFrozen(headers)) return change(headers);
    let known = changed.get(headers);
    if (known === undefined) {
      known = Object.freeze(change(headers));
      changed.set(headers, known);
    }
    return known;
  };
}

/** A full cache is emptied: pages that are still requested are compressed again. */
function cacheResults(compress: (body: string) => Promise<Uint8Array>) {
  const cache = new Map<string, Uint8Array>();
  let size = 0;
  return (body: string): Awaitable<Uint8Array> => {
    const known = cache.get(body);
    if (known !== undefined) return known;
    return compress(body).then((bytes) => {
      if (cache.has(body) || body.length > MAX_CACHED) return bytes;
      if (size + body.length > MAX_CACHED) {
        cache.clear();
        size = 0;
      }
      cache.set(body, bytes);
      size += body.length;
      return bytes;
    });
  };
}
