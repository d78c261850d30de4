/**
 * Answers with bytes that are known beforehand: all of them, a range (RFC 9110 section 14), a 304 or a 412. A range is
 * for a download that goes on after a break, and for sound and video.
 */
import type { Awaitable } from './awaitable.ts';
import { checkConditions, PRECONDITION_FAILED } from './conditions.ts';
import { toDisposition } from './content-disposition.ts';
import type { Request } from './request.ts';
import { type Response, type ResponseHeaders, text } from './response.ts';
import { startStream } from './start-stream.ts';

/** Both are positions of bytes; `last` is the last one that is read. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Content whose size and version are known. */
export interface Content {
  /** In bytes. */
  readonly size: number;
  /** A strong entity tag, with its quotes. */
  readonly etag: string;
  /** In milliseconds. */
  readonly modifiedAt: number | null;
  /** Reads all of it, or a range. */
  readonly read: (range: ByteRange | null) => Awaitable<Uint8Array | AsyncIterable<Uint8Array>>;
  /** Called instead of `read` if no content is sent. */
  readonly close?: () => Promise<void>;
}

/** How a browser takes the content. */
export interface Description {
  /** Null for the end of the address. */
  readonly name: string | null;
  /** A media type as anybody wrote it. */
  readonly type: string;
  /** Whether a browser may show it. */
  readonly inline: boolean;
  /** Whether the site has made it, so that a PDF may be shown. */
  readonly isOwn: boolean;
  /** Whether its address always has this content, so that a browser need not ask again. */
  readonly isImmutable?: boolean;
}

/** Rejects if the first bytes cannot be read. */
export async function sendContent(
  request: Request,
  { size, etag, modifiedAt, read, close }: Content,
  description: Description,
): Promise<Response> {
  const { headers, defences } = describeContent(description);
  const time = modifiedAt === null ? null : Math.floor(modifiedAt / 1000) * 1000;
  const dated = time === null ? {} : { 'Last-Modified': new Date(time).toUTCString() };
  const caching =
    description.isImmutable === true ? 'private, max-age=31536000, immutable' : 'private, no-cache';
  const validators = { ...defences, ETag: etag, ...dated, 'Cache-Control': caching };
  const flaw = checkConditions(request, { etag, modifiedAt: time });
  const range = flaw === null ? rangeOf(request, etag, size) : null;
  if (flaw !== null || range === 'none' || size === 0) await close?.();
  if (flaw === 412) return PRECONDITION_FAILED;
  if (flaw === 304) return { status: 304, headers: validators, body: null };
  const described = { ...headers, ...validators };
  if (range === 'none') {
    const { status, headers: plain, body } = text('The file has no such range.\n', 416);
    const told = { ...described, ...plain, 'Content-Range': `bytes */${size}` };
    return { status, headers: told, body };
  }
  const sent = { ...described, 'Accept-Ranges': 'bytes' };
  if (size === 0) return { status: 200, headers: sent, body: '' };
  const { first, last } = range ?? { first: 0, last: size - 1 };
  const length = last - first + 1;
  const bytes = await read(range);
  const isStream = !(bytes instanceof Uint8Array);
  const body = isStream ? await startStream(bytes, length) : bytes;
  const measured = isStream ? { ...sent, 'Content-Length': `${length}` } : sent;
  if (range === null) return { status: 200, headers: measured, body };
  const contentRange = `bytes ${first}-${last}/${size}`;
  return { status: 206, headers: { ...measured, 'Content-Range': contentRange }, body };
}

/** No SVG and no HTML, which may have scripts. */
const HARMLESS =
  /^(?:image\/(?:png|jpeg|gif|webp|avif)|audio\/(?:mpeg|ogg|wav|mp4)|video\/(?:mp4|webm|ogg)|text\/plain)$/;
const PDF = 'application/pdf';

/** A type and a subtype, without parameters. */
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+/i;

const NOSNIFF = { 'X-Content-Type-Options': 'nosniff' };
const SANDBOX = { 'Content-Security-Policy': "sandbox; default-src 'none'", ...NOSNIFF };

/** Headers of the content, and those that a 304 has too, because a browser may store them. */
export function describeContent({ name, type: known, inline, isOwn }: Description): {
  readonly headers: ResponseHeaders;
  readonly defences: ResponseHeaders;
} {
  const type = MEDIA_TYPE.exec(known)?.[0].toLowerCase() ?? 'application/octet-stream';
  const isPdf = isOwn && type === PDF;
  const kind = inline && (isPdf || HARMLESS.test(type)) ? 'inline' : 'attachment';
  const headers = {
    'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'Content-Disposition': toDisposition(kind, name),
  };
  // No browser shows a PDF in a sandbox. The policy of the site holds for it.
  return { headers, defences: inline && isPdf ? NOSNIFF : SANDBOX };
}

/**
 * Null to send the whole content: also for several ranges, which a server may ignore (RFC 9110 section 14.2), and for a
 * range of another version.
 */
function rangeOf(
  { method, headers }: Request,
  etag: string,
  size: number,
): ByteRange | 'none' | null {
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers['range'] ?? '');
  const version = headers['if-range'];
  if (asked === null || method !== 'GET' || (version !== undefined && version !== etag))
    return null;
  const [, from = '', to = ''] = asked;
  if (from === '' && to === '') return null;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < first) return null;
  return first > last ? 'none' : { first, last };
}
