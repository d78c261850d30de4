/**
 * A static file, ready to be sent: each of its forms, as it is and compressed, with the answers that
 * have it and those that say "not modified". Each form has a tag of its own (RFC 9110 section
 * 8.8.3.3), so that nobody takes the bytes of one for those of another.
 *
 * It is compressed as far as it goes, away from the main thread, when somebody asks for it first:
 * whoever asks until then waits for the same bytes. A start need not wait for what takes the longest.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { Awaitable } from '../http/awaitable.ts';
import type { Response, ResponseHeaders } from '../http/response.ts';
import type { Coding } from './accept-encoding.ts';

/** One form of a file. */
export interface Form {
  readonly etag: string;
  readonly found: () => Awaitable<Response>;
  readonly notModified: Response;
}

export interface StaticFile {
  /** In milliseconds, without the fraction of a second that HTTP dates do not have. */
  readonly modifiedAt: number;
  /** `identity` is the file as it is. A file that is not worth compressing has no other. */
  readonly forms: Readonly<Record<'identity', Form>> & Partial<Readonly<Record<Coding, Form>>>;
}

/** Below so many bytes the answer is one packet anyway. */
const WORTH_COMPRESSING = 1_000;
const TEXT = /^text\/|\+xml$/;

export function createStaticFile(body: Uint8Array, type: string, modifiedAt: number): StaticFile {
  const date = new Date(modifiedAt).toUTCString();
  const common = { 'Cache-Control': 'no-cache', 'Last-Modified': date };
  const tag = (version: string) => {
    const hash = createHash('sha256').update(version).update(body).digest('base64url');
    return `"${hash.slice(0, 22)}"`;
  };
  if (body.length < WORTH_COMPRESSING || !TEXT.test(type)) {
    return { modifiedAt, forms: { identity: asItIs(body, type, { ...common, ETag: tag('') }) } };
  }
  // Said with every form, so that no cache gives one to a client that cannot read it.
  const chosen = { ...common, Vary: 'Accept-Encoding' };
  const compressed = (coding: Coding): Form => {
    const headers = { ...chosen, ETag: tag(`${coding} ${VERSIONS[coding]}`) };
    return compressedAs(coding, body, type, headers);
  };
  const identity = asItIs(body, type, { ...chosen, ETag: tag('') });
  return {
    modifiedAt,
    forms: { identity, br: compressed('br'), zstd: compressed('zstd'), gzip: compressed('gzip') },
  };
}

type TaggedHeaders = ResponseHeaders & { readonly ETag: string };

function asItIs(body: Uint8Array, type: string, headers: TaggedHeaders): Form {
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
): Form {
  const sent = Object.freeze({ ...headers, 'Content-Type': type, 'Content-Encoding': coding });
  let answer: Awaitable<Response> | null = null;
  const prepare = async (): Promise<Response> => {
    try {
      answer = { status: 200, headers: sent, body: await COMPRESS[coding](body) };
      return answer;
    } catch (error) {
      // The next who asks tries again.
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

/** Another one may make other bytes of the same file, which then need another tag. */
const VERSIONS: Readonly<Record<Coding, string | undefined>> = {
  br: process.versions.brotli,
  zstd: process.versions['zstd'],
  gzip: process.versions.zlib,
};
