/**
 * Writes a file where the service will store those of forms, and removes it: rights, a read-only file system and a full
 * disk are found by writing alone. It makes no folder.
 */
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createFolder } from 'seeother/files';
import type { Config } from '../../application/settings/config.ts';
import { describeFilesObstacle, existingFolder } from '../../application/settings/files-folder.ts';
import { bad, type Finding, good } from './finding.ts';

/**
 * For a database that knows files: their folder has to be there, with its mark, or its volume is not mounted.
 */
export async function findMissingFiles({ filesFolder }: Config): Promise<readonly Finding[]> {
  try {
    await createFolder(filesFolder).check?.(false);
    return [];
  } catch (error) {
    return [bad((error as Error).message)];
  }
}

export async function examineFiles({ filesFolder }: Config): Promise<readonly Finding[]> {
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
    return [bad(describeFilesObstacle(filesFolder, error))];
  }
}
