/**
 * Whether files can be stored in FILES_FOLDER. The folder is made with the first file: until then, what counts is the
 * folder that it will be made in.
 */
import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

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
export async function findFilesObstacle(folder: string): Promise<string | null> {
  try {
    // What is in the way of the folder has no entries to search.
    await access(`${await existingFolder(folder)}/.`, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return describeFilesObstacle(folder, error);
  }
}

export function describeFilesObstacle(folder: string, error: unknown): string {
  return `Files cannot be stored in ${resolve(folder)}, so every form with a file is refused (${(error as Error).message}): set FILES_FOLDER to a folder that the user of the service may write to.`;
}

/**
 * Whether files can be stored, as of the call before. Each call looks again, and nobody waits for that: a folder on a
 * network may not answer. `check` rejects if the folder is not the one where files are, such as without its volume.
 */
export function watchFilesFolder(folder: string, check: () => Promise<void>): () => boolean {
  let canStore = true;
  let isLooking = false;
  const look = async () => {
    isLooking = true;
    const isThere = await check().then(
      () => true,
      () => false,
    );
    canStore = isThere && (await findFilesObstacle(folder)) === null;
    isLooking = false;
  };
  void look();
  return () => {
    if (!isLooking) void look();
    return canStore;
  };
}
