/**
 * The build id: a digest of the sources and of the Node version. It is the same on every instance of
 * one deployment, and changes whenever a page may look different.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const APPLICATION = dirname(import.meta.dirname);
/**
 * Null outside of the bundle. `main.js` names the other files of the code by their digests; pages have the hash of
 * their script.
 */
const BUNDLE = import.meta.filename.endsWith('.js') ? ['code/main.js', 'public/seeother.js'] : null;

let name: string | null = null;

/** Computed on first use. */
export function nameBuild(): string {
  name ??=
    BUNDLE === null
      ? digestSources([APPLICATION, dirname(fileURLToPath(import.meta.resolve('seeother')))])
      : digestSources([APPLICATION], () => BUNDLE);
  return name;
}

/** Uses paths relative to the folders, whose location differs between machines. */
export function digestSources(
  folders: readonly string[],
  listFiles: (folder: string) => readonly string[] = listSources,
): string {
  const hash = createHash('sha256').update(process.version);
  for (const folder of folders) {
    for (const path of listFiles(folder)) {
      hash.update(`\n${path.replaceAll(sep, '/')}\n`).update(readFileSync(join(folder, path)));
    }
  }
  return hash.digest('base64url').slice(0, 22);
}

function listSources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.[jt]s$/.test(path))
    .sort();
}
