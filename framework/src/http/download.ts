/**
 * Answers with a file that a browser saves or shows. A path of this server is written `{ path }`, so that no text of a
 * request becomes one by mistake. Who may see the file is for the handler to decide.
 */
import { hash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { checkOptions, describeValue, FLAG, type OptionKinds, TEXT } from './check-options.ts';
import { HttpError } from './http-error.ts';
import type { Request } from './request.ts';
import { isStream, type Response } from './response.ts';
import { type ByteRange, type Content, describeContent, sendContent } from './send-content.ts';
import { cannotRead, startStream } from './start-stream.ts';

/** A file of this server, bytes, or a stream: an async iterable of bytes, such as a `Readable` of Node. */
export type Downloadable = { readonly path: string } | Uint8Array | AsyncIterable<Uint8Array>;

/** Options of `download`. */
export interface DownloadOptions {
  /**
   * The name under which a browser saves the file, such as `report.pdf`; by default that of the path, or the end of the
   * address.
   */
  readonly name?: string;
  /** The media type; `application/octet-stream` by default. */
  readonly type?: string;
  /** Whether a browser shows it instead of saving it. Pages and pictures with scripts are saved all the same. */
  readonly inline?: boolean;
}

const DOWNLOAD_KINDS = {
  name: TEXT,
  type: TEXT,
  inline: FLAG,
} satisfies OptionKinds<DownloadOptions>;

/**
 * The answer with a file, as a download. A path and bytes have an entity tag: a client that has them gets a 304, and
 * one that goes on after a break gets the range it lacks (RFC 9110 section 14). A stream is sent as it comes, without
 * either. Rejects with a 404 if there is no file at the path, and with a 503 if it cannot be read.
 *
 * A file that becomes shorter while it is sent ends the connection, so that no client takes a part for the whole. A
 * client that leaves closes the file or the stream.
 */
export async function download(
  { request }: { readonly request: Request },
  content: Downloadable,
  options: DownloadOptions = {},
): Promise<Response> {
  checkOptions('download', options, DOWNLOAD_KINDS);
  const { name = null, type = 'application/octet-stream', inline = false } = options;
  const description = { name, type, inline, isOwn: true };
  if (content instanceof Uint8Array) return sendContent(request, ofBytes(content), description);
  if (isStream(content)) {
    const { headers, defences } = describeContent(description);
    return { status: 200, headers: { ...headers, ...defences }, body: await startStream(content) };
  }
  const path: unknown = (content as { readonly path?: unknown } | null)?.path;
  if (typeof path !== 'string') {
    throw new TypeError(
      `Cannot download ${describeValue(content)}: pass { path: '…' } for a file of this server, Buffer.from(text) for text, or a stream of bytes.`,
    );
  }
  const named = { ...description, name: name ?? basename(path) };
  return sendContent(request, await openContent(path), named);
}

function ofBytes(bytes: Uint8Array): Content {
  const read = (range: ByteRange | null) =>
    range === null ? bytes : bytes.subarray(range.first, range.last + 1);
  return { size: bytes.byteLength, etag: `"${hash('sha256', bytes)}"`, modifiedAt: null, read };
}

/** The file stays open, so that one that is removed or replaced meanwhile is sent to its end. */
async function openContent(path: string): Promise<Content> {
  // Without `O_NONBLOCK`, opening a named pipe waits for its writer.
  const flags = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);
  const file = await openFile(path, flags).catch((error) => refuse(path, error));
  const close = () => closeFile(file);
  try {
    const stats = await statFile(file, { bigint: true });
    if (!stats.isFile()) throw gone(path);
    const size = Number(stats.size);
    return {
      size,
      // Nanoseconds, so that two versions of one second differ.
      etag: `"${stats.mtimeNs.toString(36)}-${stats.size.toString(36)}"`,
      modifiedAt: Number(stats.mtimeMs),
      async read(range) {
        const { first, last } = range ?? { first: 0, last: size - 1 };
        const chunks = readFrom(file, { first, last });
        const length = last - first + 1;
        return length > PIECE ? chunks : buffer(await startStream(chunks, length));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

// A `FileHandle` that is never read, as of an answer that a test only looks at, ends the process when it is collected.
const openFile = promisify(fs.open);
const closeFile = promisify(fs.close);
const readFile = promisify(fs.read);
const statFile = promisify(fs.fstat);

/** Bytes of a piece of a file. A file with no more is read before it is sent. */
const PIECE = 65_536;

async function* readFrom(file: number, { first, last }: ByteRange) {
  try {
    for (let at = first; at <= last; ) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE, last - at + 1));
      const { bytesRead } = await readFile(file, piece, 0, piece.length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await closeFile(file);
  }
}

function refuse(path: string, error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') throw gone(path);
  throw cannotRead(error);
}

/** The page names no path; the log does. */
function gone(path: string): HttpError {
  return new HttpError(404, ({ words }) => words.nothingHere, {
    reason: `Cannot download ${JSON.stringify(path)}: there is no such file.`,
  });
}
