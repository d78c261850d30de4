/**
 * The files that a database knows: whether their bytes are where they should be, with the hash of their record. Bytes
 * are never changed after they were written, and removed before their record, so a file without them has ended since,
 * unless it is a kept one.
 */
import { createHash } from 'node:crypto';
import type { FileStore } from 'seeother/files';

export interface KnownFile {
  readonly key: string;
  /** As its user has named it. */
  readonly name: string;
  readonly sha256: string;
  /** Otherwise it waits in a form, and may end. */
  readonly isKept: boolean;
}

/** Of a file that is shared, one row. */
export const LIST_FILES = `select key, sha256, min(name) as name, min(case when expires_at is null then 0 else 1 end) as parked
  from seeother_files where key <> '' and sha256 <> '' group by key, sha256 order by key`;

export function toKnownFile(row: Readonly<Record<string, unknown>>): KnownFile {
  const { key, name, sha256, parked } = row;
  return {
    key: String(key),
    name: String(name),
    sha256: String(sha256),
    isKept: Number(parked) === 0,
  };
}

export interface CheckedFiles {
  /** Those that were read as a whole. */
  readonly count: number;
  /** Kept files without bytes. */
  readonly missing: readonly KnownFile[];
  /** Files whose bytes have another hash. */
  readonly damaged: readonly KnownFile[];
}

/** Files that are read at once: a bucket takes its time for each. */
const AT_ONCE = 4;

/** Reads each file, and passes its bytes to `take`. Rejects if the place cannot be read. */
export async function checkFiles(
  files: readonly KnownFile[],
  { read }: Pick<FileStore, 'read'>,
  take: (key: string, chunks: AsyncIterable<Uint8Array>) => Promise<void> = drain,
): Promise<CheckedFiles> {
  let count = 0;
  const missing: KnownFile[] = [];
  const damaged: KnownFile[] = [];
  const left = files.values();
  const work = async () => {
    for (const file of left) {
      const found = await takeFile(file, read, take);
      if (found === 'missing' && file.isKept) missing.push(file);
      if (found === 'damaged') damaged.push(file);
      if (found !== 'missing') count++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { count, missing, damaged };
}

async function takeFile(
  { key, sha256 }: KnownFile,
  read: FileStore['read'],
  take: (key: string, chunks: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<'whole' | 'missing' | 'damaged'> {
  const hash = createHash('sha256');
  let isMissing = false;
  const chunks = async function* () {
    try {
      for await (const chunk of read(key)) {
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      isMissing = ABSENT.has((error as { readonly code?: unknown }).code);
      throw error;
    }
  };
  try {
    await take(key, chunks());
  } catch (error) {
    if (isMissing) return 'missing';
    throw error;
  }
  return hash.digest('hex') === sha256 ? 'whole' : 'damaged';
}

/** Of a folder, and of a bucket. */
const ABSENT = new Set<unknown>(['ENOENT', 'NoSuchKey']);

async function drain(_key: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}

/** Names in a line. */
const MAX_NAMES = 10;

/** A sentence for those that are missing, and one for those that are damaged; empty if all are whole. */
export function describeFlaws(
  { missing, damaged }: CheckedFiles,
  place: string,
): readonly string[] {
  const describe = (files: readonly KnownFile[], one: string, several: string) => {
    if (files.length === 0) return [];
    const count = files.length.toLocaleString('en');
    const names = files
      .slice(0, MAX_NAMES)
      .map(
        ({ name, key }) =>
          `${JSON.stringify(name.replaceAll(/\p{Cc}/gu, '?'))} (${key.slice(0, 12)}…)`,
      );
    if (files.length > MAX_NAMES) names.push('…');
    return [`${count} ${files.length === 1 ? one : several} ${place}: ${names.join(', ')}.`];
  };
  return [
    ...describe(missing, 'file that was kept is missing in', 'files that were kept are missing in'),
    ...describe(
      damaged,
      'file has other bytes than it had, in',
      'files have other bytes than they had, in',
    ),
  ];
}
