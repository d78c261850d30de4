/**
 * Whether files can be stored. A folder is made with the first file: until then, what counts is the folder that it will
 * be made in. In a bucket, a small object is written and removed: the rights are known to nothing else.
 */
import { randomBytes } from 'node:crypto';
import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type FilesPlace, nameFiles, openFiles } from './files-place.ts';

/** The folder, or the lowest one above it that exists. */
export async function existingFolder(folder: string): Promise<string> {
  const path = resolve(folder);
  try {
    await stat(path);
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return existingFolder(dirname(path));
  }
}

/** Why no file can be stored, in a sentence with the remedy; null if it can. */
export async function findFilesObstacle(place: FilesPlace): Promise<string | null> {
  try {
    if (place.filesBucket === null) await requireFolder(place.filesFolder);
    else await tryBucket(place);
    return null;
  } catch (error) {
    return describeFilesObstacle(place, error);
  }
}

async function requireFolder(folder: string): Promise<void> {
  // What is in the way of the folder has no entries to search.
  await access(`${await existingFolder(folder)}/.`, constants.W_OK | constants.X_OK);
}

/** Milliseconds: the start does not wait longer for a bucket. */
const PATIENCE = 10_000;

async function tryBucket(place: FilesPlace): Promise<void> {
  const store = openFiles(place);
  const key = randomBytes(32).toString('hex');
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`it gave no answer for ${PATIENCE / 1_000} s`)),
    PATIENCE,
  );
  const written = store.write(key, oneByte()).then(() => store.remove(key));
  await Promise.race([written, late]).finally(() => clearTimeout(timer));
}

async function* oneByte() {
  yield Buffer.from('x');
}

export function describeFilesObstacle(place: FilesPlace, error: unknown): string {
  const remedy =
    place.filesBucket === null
      ? 'set FILES_FOLDER to a folder that the user of the service may write to.'
      : 'check FILES_URL and its keys, which need the rights to get, put and delete objects and to list the bucket.';
  return `Files cannot be stored in ${nameFiles(place)}, so every form with a file is refused (${(error as Error).message}): ${remedy}`;
}

/**
 * Whether files can be stored, as of the call before. Each call looks again, and nobody waits for that: a folder on a
 * network may not answer. `check` rejects if the place is not the one where files are, such as a folder without its
 * volume.
 */
export function watchFiles(place: FilesPlace, check: () => Promise<void>): () => boolean {
  let canStore = true;
  let isLooking = false;
  const look = async () => {
    isLooking = true;
    const isThere = await check().then(
      () => true,
      () => false,
    );
    // To write into a bucket again and again would cost money.
    const isFree = place.filesBucket !== null || (await findFilesObstacle(place)) === null;
    canStore = isThere && isFree;
    isLooking = false;
  };
  void look();
  return () => {
    if (!isLooking) void look();
    return canStore;
  };
}
