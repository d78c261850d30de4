/**
 * Opens a zip whose bytes are in the file store, and reads it in ranges. Its directory is checked as a whole before
 * anything is read: what a zip could do to a program that unpacks it is refused, with the file, the reason and the
 * remedy. Nothing is ever unpacked to a path.
 */
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { UploadedFile } from 'seeother/files';
import type { Entry, RandomAccessReader, ZipFile } from 'yauzl';
import { formatNumber } from '../../site/format.ts';

/** Bytes of the zip: some 600 photos of a telephone. */
export const MAX_ZIP = 2_000_000_000;
/** Files in it, and bytes of all of them. Photos are hardly smaller in a zip. */
const MAX_ENTRIES = 20_000;
const MAX_TOTAL = 2 * MAX_ZIP;
/** Bytes of the names, extra fields and comments in its directory: all are in memory together. */
const MAX_NAMES = 16_000_000;
/** Characters of a path. */
const MAX_PATH = 1_000;
/** Bytes of the header before each file in the zip, at least. */
const HEADER = 30;
/** Bytes that are read at once of the directory: a bucket takes its time for each request. */
const BLOCK = 262_144;

/** A zip in the file store: as a form has sent it, or kept. */
export interface ZipSource extends Pick<UploadedFile, 'name' | 'size' | 'sha256'> {
  readonly chunks: UploadedFile['chunks'];
}

export interface ZipEntry {
  /** Normalized, with `/` between its parts. */
  readonly path: string;
  /** In bytes, as the zip says. More are never read. */
  readonly size: number;
}

export interface Zip {
  /** Without folders, and without what systems add by themselves. */
  readonly entries: ReadonlyMap<string, ZipEntry>;
  /** The content of an entry. Rejects with a `ZipError` if it is damaged, or not as large as the zip says. */
  readonly read: (path: string) => AsyncIterable<Uint8Array>;
}

/** Why a zip, or a file in it, is not taken: a sentence without a full stop. */
export class ZipError extends Error {
  override readonly name = 'ZipError';
}

/** Rejects with a `ZipError`, or with what the file store says. */
export async function openZip(source: ZipSource): Promise<Zip> {
  // Loaded for the first zip: most processes read none.
  const yauzl = (await import('yauzl')).default;
  const reader = createReader(source, yauzl.RandomAccessReader);
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: true };
  const opened = await reader
    .open(() => yauzl.fromRandomAccessReaderPromise(reader, source.size, options))
    .catch(orRefuse(`${source.name} is damaged, or is no zip. Make the zip again`));
  if (opened.entryCount > MAX_ENTRIES)
    throw new ZipError(
      `${source.name} has ${formatNumber(opened.entryCount)} files. Make zips of ${formatNumber(MAX_ENTRIES)} files or fewer`,
    );
  const found: Entry[] = [];
  await reader
    .open(async () => {
      let size = 0;
      for await (const entry of opened.eachEntry()) {
        const { fileNameRaw, extraFieldRaw, fileCommentRaw } = entry;
        size += fileNameRaw.length + extraFieldRaw.length + fileCommentRaw.length;
        if (size > MAX_NAMES)
          throw new ZipError(
            `The names and comments of the files in ${source.name} have more than ${MAX_NAMES / 1e6} MB. Make the zip with the program of your system`,
          );
        found.push(entry);
      }
    })
    .catch(orRefuse(`${source.name} is damaged. Make the zip again`));
  const entries = new Map<string, ZipEntry & { readonly entry: Entry }>();
  const paths = new Set<string>();
  for (const entry of found) {
    const path = pathOf(entry, yauzl);
    if (path.endsWith('/')) continue;
    const refusal = refusalOf(path, entry);
    if (refusal !== null) throw new ZipError(refusal);
    if (isOfSystem(path)) continue;
    // Some systems take both names for the same.
    if (paths.has(path.toLowerCase()))
      throw new ZipError(`${show(path)} is twice in the zip. Make the zip again, with one of them`);
    paths.add(path.toLowerCase());
    entries.set(path, { path, size: entry.uncompressedSize, entry });
  }
  refuseBomb(found);
  return {
    entries,
    async *read(path) {
      const known = entries.get(path);
      if (known === undefined) throw new ZipError(`${show(path)} is not in the zip`);
      yield* readEntry(opened, reader, known.entry, path);
    },
  };
}

type Yauzl = Pick<typeof import('yauzl'), 'getFileNameLowLevel' | 'validateFileName'>;

/** macOS writes UTF-8 without saying so, and older programs the encoding of MS-DOS. */
function pathOf(entry: Entry, yauzl: Yauzl): string {
  const { generalPurposeBitFlag: flags, fileNameRaw: raw, extraFields } = entry;
  let name: string;
  try {
    name = new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    name = yauzl.getFileNameLowLevel(flags, raw, extraFields, false);
  }
  if (name.length > MAX_PATH)
    throw new ZipError(
      `${show(name)} in the zip has a path of more than ${formatNumber(MAX_PATH)} characters. Give its folders shorter names, and make the zip again`,
    );
  const path = name.replaceAll('\\', '/').normalize('NFC');
  if (
    yauzl.validateFileName(path) !== null ||
    path.split('/').includes('..') ||
    /\p{Cc}/u.test(path)
  )
    throw new ZipError(
      `${show(path)} in the zip has a path that leads out of the zip. Make a zip of a folder with the photos`,
    );
  return path;
}

const SYMBOLIC_LINK = 0o120_000;

/** Why the entry is not taken; null if it is. */
function refusalOf(path: string, entry: Entry): string | null {
  const { externalFileAttributes, compressionMethod } = entry;
  if (entry.isEncrypted()) return `${show(path)} is encrypted. Make the zip without a password`;
  if (((externalFileAttributes >>> 16) & 0o170_000) === SYMBOLIC_LINK)
    return `${show(path)} is a link to another file. Put the photo itself into the zip`;
  if (compressionMethod !== 0 && compressionMethod !== 8)
    return `${show(path)} is compressed in a way that few programs read (method ${compressionMethod}). Make the zip with the program of your system`;
  return null;
}

/** Bytes that several entries share, and more bytes than photos have. */
function refuseBomb(entries: readonly Entry[]): void {
  const total = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (total > MAX_TOTAL)
    throw new ZipError(
      `The files in the zip have ${formatNumber(Math.round(total / 1e9))} GB. Make zips of ${MAX_TOTAL / 1e9} GB or less`,
    );
  let end = 0;
  for (const entry of entries.toSorted(
    (one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader,
  )) {
    const { relativeOffsetOfLocalHeader: start, compressedSize, fileNameRaw } = entry;
    if (start < end)
      throw new ZipError(
        `${show(fileNameRaw.toString('utf8'))} has the same bytes as another file in the zip. Make the zip again`,
      );
    end = start + HEADER + compressedSize;
  }
}

/** What macOS and Windows put into folders by themselves. */
function isOfSystem(path: string): boolean {
  const name = fileNameOf(path);
  return (
    path.split('/').includes('__MACOSX') ||
    name.startsWith('.') ||
    /^(?:thumbs\.db|desktop\.ini)$/i.test(name)
  );
}

async function* readEntry(
  opened: ZipFile,
  reader: ReturnType<typeof createReader>,
  entry: Entry,
  path: string,
): AsyncGenerator<Uint8Array> {
  const refuse = orRefuse(`${show(path)} is damaged in the zip. Make the zip again`);
  const stream = await reader.open(() => opened.openReadStreamPromise(entry)).catch(refuse);
  let sum = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    refuse(reader.failure() ?? error);
  } finally {
    stream.destroy();
  }
  if (sum !== entry.crc32) refuse(new Error('another checksum'));
}

/** What the library says is a flaw of the zip. Of the store, it is passed on. */
function orRefuse(message: string) {
  return (error: unknown): never => {
    if (error instanceof StoreFailure) throw error.cause;
    if (error instanceof ZipError) throw error;
    throw new ZipError(message, { cause: error });
  };
}

class StoreFailure extends Error {}

function createReader(source: ZipSource, Reader: typeof RandomAccessReader) {
  let failure: StoreFailure | null = null;
  let block: { readonly first: number; readonly bytes: Buffer } | null = null;
  async function* chunks(first: number, end: number): AsyncGenerator<Uint8Array> {
    if (first >= end) return;
    if (first < 0 || end > source.size) throw new Error('The zip is shorter than it says.');
    try {
      yield* source.chunks({ first, last: end - 1 });
    } catch (cause) {
      failure = new StoreFailure('Cannot read the zip', { cause });
      throw failure;
    }
  }
  async function readAt(position: number, length: number): Promise<Buffer> {
    const isIn =
      block !== null &&
      position >= block.first &&
      position + length <= block.first + block.bytes.length;
    if (!isIn) {
      const end = Math.min(source.size, position + Math.max(length, BLOCK));
      block = {
        first: position,
        bytes: Buffer.concat(await Array.fromAsync(chunks(position, end))),
      };
    }
    const at = position - (block?.first ?? 0);
    const bytes = block?.bytes.subarray(at, at + length) ?? Buffer.alloc(0);
    if (bytes.length < length) throw new Error('The zip is shorter than it says.');
    return bytes;
  }
  return new (class extends Reader {
    override _readStreamForRange(start: number, end: number): Readable {
      return Readable.from(chunks(start, end), { objectMode: false });
    }
    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null) => void,
    ): void {
      readAt(position, length).then(
        (bytes) => {
          bytes.copy(buffer, offset);
          callback(null);
        },
        (error: Error) => callback(error),
      );
    }
    failure(): StoreFailure | null {
      return failure;
    }
    /** Rejects with the failure of the store instead of what the library makes of it. */
    async open<T>(work: () => Promise<T>): Promise<T> {
      failure = null;
      try {
        return await work();
      } catch (error) {
        throw failure ?? error;
      }
    }
  })();
}

/** The name of the file, without its folders. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** In quotes, without what could change the sentence. */
function show(path: string): string {
  const text = path.toWellFormed().replaceAll(/[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, '');
  return `“${text.length > 200 ? `${text.slice(0, 200).toWellFormed()}…` : text}”`;
}
