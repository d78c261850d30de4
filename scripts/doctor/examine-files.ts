/**
 * Writes a file where the service will store those of forms, and removes it: rights, a read-only file system and a full
 * disk are found by writing alone. It makes no folder.
 */
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  checkFiles,
  describeFlaws,
  type KnownFile,
} from '../../application/maintenance/known-files.ts';
import {
  describeFilesObstacle,
  existingFolder,
  findFilesObstacle,
} from '../../application/settings/files-obstacle.ts';
import { type FilesPlace, nameFiles, openFiles } from '../../application/settings/files-place.ts';
import { bad, type Finding, good } from './finding.ts';

/**
 * For a database that knows files: their place has to have its mark, or it is another one, and each kept file the hash
 * of its record.
 */
export async function examineKnownFiles(
  place: FilesPlace,
  known: readonly KnownFile[],
): Promise<readonly Finding[]> {
  try {
    const store = openFiles(place);
    await store.check?.(false);
    const checked = await checkFiles(
      known.filter(({ isKept }) => isKept),
      store,
    );
    const flaws = describeFlaws(checked, nameFiles(place));
    if (flaws.length > 0) return flaws.map((flaw) => bad(`${flaw} ${REMEDY}`));
    if (checked.count === 0) return [];
    return [
      good(`kept files: all ${checked.count.toLocaleString('en')} are whole, by their hash.`),
    ];
  } catch (error) {
    return [bad((error as Error).message)];
  }
}

const REMEDY = 'Copy them from a backup into this place, under the same keys.';

export async function examineFiles(place: FilesPlace): Promise<readonly Finding[]> {
  if (place.filesBucket !== null) {
    const obstacle = await findFilesObstacle(place);
    if (obstacle !== null) return [bad(obstacle)];
    return [good(`files of forms go to ${nameFiles(place)}: writing to it works.`)];
  }
  const { filesFolder } = place;
  try {
    const folder = await existingFolder(filesFolder);
    const probe = join(folder, `doctor-${process.pid}`);
    try {
      await writeFile(probe, 'doctor', { flag: 'wx', mode: 0o600 });
    } finally {
      await rm(probe, { force: true });
    }
    const first = resolve(filesFolder) === folder ? '' : `, which the first one creates`;
    return [
      good(`files of forms go to ${resolve(filesFolder)}${first}: writing to ${folder} works.`),
    ];
  } catch (error) {
    return [bad(describeFilesObstacle(place, error))];
  }
}
