/**
 * Copies the files that a database knows to another place, with its mark, without which a restored service stores none.
 * Each is compared with the hash of its record on the way.
 */
import type { FileStore } from 'seeother/files';
import { type CheckedFiles, checkFiles, type KnownFile } from './known-files.ts';

/** Nothing is made in `to` if nothing was ever stored. */
export async function copyFiles(
  files: readonly KnownFile[],
  from: FileStore,
  to: FileStore,
): Promise<CheckedFiles> {
  const isMarked = (await from.check?.(false).then(
    () => true,
    () => false,
  )) as boolean;
  const checked = await checkFiles(files, from, async (key, chunks) => {
    // That of an earlier copy, which may have been interrupted.
    await to.remove(key);
    await to.write(key, chunks);
  });
  if (isMarked || checked.count > 0) await to.check?.(true);
  return checked;
}
