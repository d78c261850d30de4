/**
 * Serves a kept file. Its content comes from a user, so no browser may take it for a page of the site: it is saved
 * under its name, or shown without scripts in an origin of its own. Who may see it is for the handler to decide.
 *
 * The first bytes are read before the answer is made, so that a file that cannot be read is a 503 and not a connection
 * that closes.
 */
import type { Context } from '../chain/context.ts';
import { checkOptions, describeValue, FLAG, type OptionKinds } from '../http/check-options.ts';
import { isAnyTag, listsStrongTag, listsTag } from '../http/entity-tag.ts';
import type { Request } from '../http/request.ts';
import { notFound, type Response, text } from '../http/response.ts';
import type { FileRecord } from './file-records.ts';
import type { ByteRange } from './file-store.ts';
import { cannotRead } from './guard-store.ts';
import { requireUploads } from './upload-limits.ts';

export interface SendOptions {
  /**
   * Whether a browser shows it instead of saving it. Only pictures, sound, video and plain text are shown: other types
   * could have scripts.
   */
  readonly inline?: boolean;
}

/** A 304 has them too, because a browser may store them. */
const DEFENCES = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
};

const SEND_KINDS = { inline: FLAG } satisfies OptionKinds<SendOptions>;

/** No SVG, which may have scripts. */
const HARMLESS =
  /^(?:image\/(?:png|jpeg|gif|webp|avif)|audio\/(?:mpeg|ogg|wav|mp4)|video\/(?:mp4|webm|ogg)|text\/plain)$/;

/** A type and a subtype, without parameters. */
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+/i;

/**
 * The answer with the file of this id, which `keep` has returned; a 404 if there is none. It serves ranges, and a 304
 * to a browser that has it. Rejects with a 503 if its content cannot be read. Check first that the user may see it.
 */
export async function sendFile(
  { request }: Pick<Context, 'request'>,
  id: string,
  options: SendOptions = {},
): Promise<Response> {
  checkOptions('sendFile', options, SEND_KINDS);
  if (typeof id !== 'string') {
    throw new TypeError(
      `Cannot send the file ${describeValue(id)}: pass the id that keep has returned.`,
    );
  }
  const { files } = requireUploads(request, 'send a file');
  const file = await files.find(id);
  return file === null ? notFound() : sendRecord(request, file, options);
}

/** The same for a file that is kept, or that a form has sent and answers refer to. */
export async function sendRecord(
  request: Request,
  file: FileRecord,
  options: SendOptions,
): Promise<Response> {
  const { files } = requireUploads(request, 'send a file');
  const etag = `"${file.sha256}"`;
  const validators = { ...DEFENCES, ETag: etag, 'Cache-Control': 'private, no-cache' };
  const headers = { ...describeFile(file, options), ...validators };
  const flaw = checkConditions(request, etag);
  if (flaw === 412) return text('The file is another one than the request expects.\n', 412);
  if (flaw === 304) return { status: 304, headers: validators, body: null };
  const { bytes } = files;
  const range = rangeOf(request, etag, file.size);
  if (range === 'none') {
    return {
      ...text('The file has no such range.\n', 416),
      headers: {
        ...headers,
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Range': `bytes */${file.size}`,
      },
    };
  }
  const { first, last } = range ?? { first: 0, last: file.size - 1 };
  const length = last - first + 1;
  const sent = { ...headers, 'Accept-Ranges': 'bytes', 'Content-Length': `${length}` };
  const content = range === null ? bytes.read(file.key) : bytes.read(file.key, range);
  const body = await begin(content, length);
  if (range === null) return { status: 200, headers: sent, body };
  const contentRange = `bytes ${first}-${last}/${file.size}`;
  return { status: 206, headers: { ...sent, 'Content-Range': contentRange }, body };
}

/**
 * Reads the first chunk. Its own iterator, because a generator that was never started would not close the file. Rejects
 * if there are not `length` bytes: the client would take the next answer for the rest.
 */
async function begin(
  content: AsyncIterable<Uint8Array>,
  length: number,
): Promise<AsyncIterableIterator<Uint8Array>> {
  const chunks = content[Symbol.asyncIterator]();
  let left = length;
  const next = async () => {
    const step = await chunks.next();
    left -= step.value?.byteLength ?? 0;
    if (left >= 0 && (step.done !== true || left === 0)) return step;
    throw cannotRead(new Error('The stored file has another size than it had.'));
  };
  let first: IteratorResult<Uint8Array> | null = await next();
  const body: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => body,
    async next() {
      if (first === null) return next();
      const step = first;
      first = null;
      return step;
    },
    async return() {
      await chunks.return?.();
      return { done: true, value: undefined };
    },
  };
  return body;
}

function describeFile({ name, type: known }: FileRecord, { inline = false }: SendOptions) {
  const type = MEDIA_TYPE.exec(known)?.[0].toLowerCase() ?? 'application/octet-stream';
  const disposition = inline && HARMLESS.test(type) ? 'inline' : 'attachment';
  return {
    'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'Content-Disposition': `${disposition}; ${toFileName(name)}`,
  };
}

/** RFC 6266 and RFC 8187: once for everybody, and once for the clients that read more than ASCII. */
function toFileName(name: string): string {
  const plain = name.replaceAll(/[^ !#-&(-[\]-~]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** In the order of RFC 9110 section 13.2.2. */
function checkConditions({ headers }: Request, etag: string): 412 | 304 | null {
  const expected = headers['if-match'];
  if (expected !== undefined && !isAnyTag(expected) && !listsStrongTag(expected, etag)) return 412;
  const known = headers['if-none-match'];
  return known !== undefined && (isAnyTag(known) || listsTag(known, etag)) ? 304 : null;
}

/**
 * Null to send the whole file: also for several ranges, which a server may ignore (RFC 9110 section 14.2), and for a
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
