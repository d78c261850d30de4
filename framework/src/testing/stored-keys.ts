/** What a folder of files has stored, without its mark. */
import { readdir } from 'node:fs/promises';

/** The keys; none if there is no folder. */
export async function storedKeys(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^[0-9a-f]{64}$/.test(name));
}
