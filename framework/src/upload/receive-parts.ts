/**
 * Reads a `multipart/form-data` body (RFC 7578) part by part, as it arrives, with `@fastify/busboy`. Every part is
 * a stream, also a text field: the form decides which parts are text, and not their headers.
 *
 * The parser reports failures by several events, and not at all if the body ends early. So one signal collects them.
 * It ends every wait, for the client and for the reader of a part: a parser whose part is not read any more never asks
 * for more. Streams that are still open at the end are destroyed.
 */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { BusboyInstance } from '@fastify/busboy';
import { normalizeText } from '../field/normalize-text.ts';
import { streamBody } from '../http/body.ts';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import type { Words } from '../language/words.ts';
import { inTime, type TimeLimits } from './in-time.ts';

export interface BodyPart {
  readonly name: string;
  /** Without folders; undefined for a text field. */
  readonly fileName: string | undefined;
  readonly contentType: string;
  readonly chunks: Readable;
}

export interface PartLimits extends TimeLimits {
  /** Bytes of the whole body. */
  readonly bytes: number;
  readonly parts: number;
}

/** Bytes of a part's headers. Those behind them are dropped, and with the name the whole part. */
const MAX_HEADERS = 8_192;
const MAX_HEADER_PAIRS = 20;
/** Characters. */
const MAX_NAME_LENGTH = 1_000;

/**
 * Passes each part to `take`, which must read its chunks. Rejects with an `HttpError` (400 for a body that ends early
 * or has no boundary, 413 beyond the limits), or with the error of `take`.
 */
export async function receiveParts(
  request: Request,
  limits: PartLimits,
  take: (part: BodyPart) => Promise<void>,
): Promise<void> {
  const tooLarge = () => new HttpError(413, ({ words }) => words.bodyTooLarge(limits.bytes));
  if (Number(request.headers['content-length'] ?? 0) > limits.bytes) throw tooLarge();
  const parser = await createParser(request, limits.parts);
  const stop = new AbortController();
  const { signal } = stop;
  const fail = (error: unknown) => stop.abort(error);
  let wake = () => {};
  signal.addEventListener('abort', () => wake());
  const open = new Set<Readable>();
  const taking: Promise<void>[] = [];
  const takeOpen = async (part: BodyPart) => {
    try {
      await take(part);
    } catch (error) {
      fail(error);
    } finally {
      open.delete(part.chunks);
    }
  };
  parser.on('file', (name: string | undefined, chunks, fileName, _encoding, contentType) => {
    // The signal reports it.
    chunks.on('error', () => {});
    if (name !== undefined && name.length > MAX_NAME_LENGTH) {
      chunks.resume();
      fail(unreadable('longName'));
      return;
    }
    open.add(chunks);
    const named = {
      name: decodeName(name ?? ''),
      fileName: fileName && normalizeText(decodeName(fileName)),
    };
    taking.push(takeOpen({ ...named, contentType, chunks }));
  });
  parser.on('partsLimit', () =>
    fail(new HttpError(400, ({ words }) => words.tooManyFields(limits.parts))),
  );
  parser.on('error', (cause) => fail(unreadable('endsEarly', cause)));
  const finished = once(parser, 'finish');
  finished.catch(() => {});
  try {
    let size = 0;
    for await (const chunk of inTime(streamBody(request) ?? NOTHING, limits, signal)) {
      size += chunk.byteLength;
      if (size > limits.bytes) throw tooLarge();
      const isReady = parser.write(chunk);
      signal.throwIfAborted();
      if (isReady) continue;
      // Not a listener of the signal for each of the thousands of chunks.
      await new Promise<void>((resolve) => {
        wake = resolve;
        parser.once('drain', resolve);
      });
      signal.throwIfAborted();
    }
    parser.end();
    await new Promise<unknown>((resolve, reject) => {
      wake = () => reject(signal.reason);
      if (signal.aborted) wake();
      finished.then(() => Promise.all(taking)).then(resolve, reject);
    });
  } finally {
    for (const chunks of open) chunks.destroy();
    if (open.size > 0) await Promise.all(taking);
  }
}

/**
 * All bytes of a part, or those until `goesOn` says no, which gets the size of each chunk. An iterator of the stream
 * would cost as much as all else that is done with a field of text.
 */
export function collectChunks(
  chunks: Readable,
  goesOn: (size: number) => boolean,
): Promise<Uint8Array> {
  const collected: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    const end = () => resolve(Buffer.concat(collected));
    chunks.on('data', (chunk: Uint8Array) => {
      collected.push(chunk);
      if (goesOn(chunk.byteLength)) return;
      end();
      chunks.destroy();
    });
    chunks.on('end', end);
    chunks.on('error', reject);
    // After its end, too, when nothing waits for it.
    chunks.on('close', () => reject(new Error('A part of the form has ended early.')));
  });
}

/** Browsers escape these three characters of a name, and no percent sign. */
function decodeName(text: string): string {
  return text.replaceAll(/%(22|0D|0A)/gi, (escaped) => decodeURIComponent(escaped));
}

async function createParser({ headers }: Request, parts: number): Promise<BusboyInstance> {
  const Busboy = await loadParser();
  try {
    return new Busboy({
      headers: { 'content-type': headers['content-type'] ?? '' },
      isPartAFile: () => true,
      limits: { parts, headerPairs: MAX_HEADER_PAIRS, headerSize: MAX_HEADERS },
    });
  } catch (cause) {
    throw unreadable('noBoundary', cause);
  }
}

/** A field with a file calls it when it is made, so that a missing package shows at the start. */
export async function requireParser(): Promise<void> {
  await loadParser();
}

/** Not exported: the declarations of the package must compile without the optional one. */
async function loadParser(): Promise<typeof import('@fastify/busboy').Busboy> {
  try {
    // Bundlers give a module of CommonJS this export, and no others.
    return (await import('@fastify/busboy')).default.Busboy;
  } catch (cause) {
    throw new TypeError(
      'Cannot read forms with files: the package @fastify/busboy is missing. Run npm install @fastify/busboy.',
      { cause },
    );
  }
}

const NOTHING: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };

function unreadable(why: keyof Words['formFlaws'], cause?: unknown): HttpError {
  return new HttpError(400, ({ words }) => words.formFlaws[why], { cause });
}
