/**
 * A file that a form has sent, on disk. It has no name there: the directory entry is removed as soon as the
 * file is open, so the system frees it when it is closed, also when the process is killed.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpError } from '../http/http-error.ts';

/** It can be read until the response has been made. */
export interface UploadedFile {
  /**
   * The name that the browser has sent, at most 255 characters: without folders and control characters. It
   * is for people. Never use it as a path.
   */
  readonly name: string;
  /** The content type that the browser has sent: it guesses it by the name. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
  /** The content from the start, in chunks of at most 64 KiB. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
  /** Writes the content to a new file. Rejects if the path exists. */
  readonly saveTo: (path: string) => Promise<void>;
}

const CHUNK = 65_536;
const MAX_NAME_LENGTH = 255;

export class StoredFile implements UploadedFile {
  readonly name: string;
  readonly type: string;
  readonly sha256: string;
  readonly size: number;
  /** Whether it was larger than the field allows. Then nothing of it is stored. */
  readonly isTooLarge: boolean;
  readonly #handle: FileHandle;

  private constructor(
    { name, type }: { readonly name: string; readonly type: string },
    { size, sha256, isTooLarge }: Stored,
    handle: FileHandle,
  ) {
    this.name = toName(name);
    this.type = type;
    this.size = size;
    this.sha256 = sha256;
    this.isTooLarge = isTooLarge;
    this.#handle = handle;
  }

  /** Reads all chunks, also those of a file that is too large. */
  static async receive(
    named: { readonly name: string; readonly type: string },
    chunks: AsyncIterable<Uint8Array>,
    { directory, maxSize }: { readonly directory: string; readonly maxSize: number },
  ): Promise<StoredFile> {
    const handle = await openUnnamed(directory);
    try {
      return new StoredFile(named, await store(handle, chunks, maxSize), handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < this.size; ) {
      const { bytesRead, buffer } = await this.#handle.read(Buffer.alloc(CHUNK), 0, CHUNK, at);
      if (bytesRead === 0) throw new Error(`Cannot read the file ${this.name}: it ended early.`);
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async saveTo(path: string): Promise<void> {
    const target = await open(path, 'wx', 0o600);
    try {
      for await (const chunk of this.chunks()) await target.writeFile(chunk);
    } finally {
      await target.close();
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

interface Stored {
  readonly size: number;
  readonly sha256: string;
  readonly isTooLarge: boolean;
}

async function openUnnamed(directory: string): Promise<FileHandle> {
  const path = join(directory, `seeother-upload-${randomUUID()}`);
  try {
    const handle = await open(path, 'wx+', 0o600);
    await unlink(path);
    return handle;
  } catch (cause) {
    throw cannotStore(cause);
  }
}

async function store(
  handle: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  maxSize: number,
): Promise<Stored> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    hash.update(chunk);
    if (size <= maxSize) {
      await handle.writeFile(chunk).catch((cause) => {
        throw cannotStore(cause);
      });
    }
  }
  const isTooLarge = size > maxSize;
  if (isTooLarge) await handle.truncate(0);
  return { size: isTooLarge ? 0 : size, sha256: hash.digest('hex'), isTooLarge };
}

function cannotStore(cause: unknown): HttpError {
  return new HttpError(503, 'The file cannot be stored right now.', {
    headers: { 'Retry-After': '60' },
    cause,
  });
}

/** Also without the characters that change the direction of the text after them. */
function toName(sent: string): string {
  const name = sent.toWellFormed().replaceAll(/[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, '');
  return [...name].slice(0, MAX_NAME_LENGTH).join('');
}
