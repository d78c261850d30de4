/**
 * A static file with its prepared responses: the file and a 304, for the uncompressed bytes and
 * for each coding. Each coding has its own entity tag (RFC 9110 section 8.8.3.3), so that a cache does
 * not mix their bytes.
 *
 * The first request for a coding compresses the file at the highest level, in the thread pool;
 * concurrent requests wait for the same result. So the start does not wait for compression.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { Awaitable } from '../http/awaitable.ts';
import type { Response, ResponseHeaders } from '../http/response.ts';
import type { Coding } from './accept-encoding.ts';

/** A file in one content coding (RFC 9110 section 3.2). */
export interface Representation {
  readonly etag: string;
  readonly found: () => Awaitable<Response>;
  readonly notModified: Response;
}

export interface StaticFile {
  /** In milliseconds, rounded down to seconds as in HTTP dates. */
  readonly modifiedAt: number;
  /** `identity` is the uncompressed file. A small or binary file has no other coding. */
  readonly representations: Readonly<Record<'identity', Representation>> &
    Partial<Readonly<Record<Coding, Representation>>>;
}

/** Bytes. A smaller response fits in one packet uncompressed. */
const WORTH_COMPRESSING = 1_000;
const TEXT = /^text\/|\+xml$/;

export function createStaticFile(
  body: Uint8Array,
  type: string,
  modifiedAt: number,
  caching = 'no-cache',
): StaticFile {
  const date = new Date(modifiedAt).toUTCString();
  const common = { 'Cache-Control': caching, 'Last-Modified': date };
  const tag = (version: string) => {
    const hash = createHash('sha256').update(version).update(body).digest('base64url');
    return `"${hash.slice(0, 22)}"`;
  };
  if (body.length < WORTH_COMPRESSING || !TEXT.test(type)) {
    return {
      modifiedAt,
      representations: { identity: asItIs(body, type, { ...common, ETag: tag('') }) },
    };
  }
  // In every coding, so that no cache sends one to a client that does not accept it.
  const chosen = { ...common, Vary: 'Accept-Encoding' };
  const compressed = (coding: Coding): Representation => {
    const headers = { ...chosen, ETag: tag(`${coding} ${VERSIONS[coding]}`) };
    return compressedAs(coding, body, type, headers);
  };
  const identity = asItIs(body, type, { ...chosen, ETag: tag('') });
  return {
    modifiedAt,
    representations: {
      identity,
      br: compressed('br'),
      zstd: compressed('zstd'),
      gzip: compressed('gzip'),
    },
  };
}

type TaggedHeaders = ResponseHeaders & { readonly ETag: string };

function asItIs(body: Uint8Array, type: string, headers: TaggedHeaders): Representation {
  const found = {
    status: 200,
    headers: Object.freeze({ ...headers, 'Content-Type': type }),
    body,
  };
  return { etag: headers.ETag, found: () => found, notModified: notModified(headers) };
}

function compressedAs(
  coding: Coding,
  body: Uint8Array,
  type: string,
  headers: TaggedHeaders,
): Representation {
  const sent = Object.freeze({ ...headers, 'Content-Type': type, 'Content-Encoding': coding });
  let answer: Awaitable<Response> | null = null;
  const prepare = async (): Promise<Response> => {
    try {
      answer = { status: 200, headers: sent, body: await COMPRESS[coding](body) };
      return answer;
    } catch (error) {
      // The next request tries again.
      answer = null;
      throw error;
    }
  };
  const found = () => {
    answer ??= prepare();
    return answer;
  };
  return { etag: headers.ETag, found, notModified: notModified(headers) };
}

function notModified(headers: ResponseHeaders): Response {
  return { status: 304, headers: Object.freeze(headers), body: null };
}

const COMPRESS: Readonly<Record<Coding, (body: Uint8Array) => Promise<Uint8Array>>> = {
  br: (body) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
  zstd: (body) =>
    promisify(zstdCompress)(body, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  gzip: (body) => promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION }),
};

/** Another version of the compressor may write other bytes, which then need another tag. */
const VERSIONS: Readonly<Record<Coding, string | undefined>> = {
  br: process.versions.brotli,
  zstd: process.versions['zstd'],
  gzip: process.versions.zlib,
};
