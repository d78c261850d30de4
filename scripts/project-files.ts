/** The files of the project, for checks of its structure and documents. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

/** Generated folders. The sources may be present without git. */
const FOREIGN = new Set(['.git', 'node_modules', 'storage', 'coverage', 'dist']);

/** Every file of the project, as paths from the root. */
export function listFiles(folder = ''): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !FOREIGN.has(name))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? listFiles(path) : [path];
    });
}

/** The documents for users of the framework, which its package contains. */
export function listGuides(): readonly string[] {
  return listFiles('docs').filter((file) =>
    /^docs\/(tutorial|guides|recipes|coming-from)\/.*\.md$/.test(file),
  );
}

export function readText(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** The modules that a TypeScript file imports, as written. */
export function importsOf(file: string): readonly string[] {
  const found = readText(file).matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].map(([, module = '']) => module);
}
