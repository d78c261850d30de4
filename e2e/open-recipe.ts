/** Runs the site of a recipe exactly as the document has it: the code block that exports `site`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Site } from './open-site.ts';
import { serveSite } from './serve-site.ts';

export interface RecipeSite extends Site {
  readonly bookings: readonly string[];
}

/** The code blocks of a recipe. */
export function readRecipe(name: string): readonly string[] {
  const path = new URL(`../docs/recipes/${name}.md`, import.meta.url);
  const blocks = readFileSync(path, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g);
  return [...blocks].map(([, code = '']) => code);
}

export async function openRecipe(code: string): Promise<RecipeSite> {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  mkdirSync(join(folder, 'node_modules'));
  const framework = fileURLToPath(new URL('../framework', import.meta.url));
  symlinkSync(framework, join(folder, 'node_modules', 'seeother'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const file = join(folder, 'site.ts');
  writeFileSync(file, code);
  const { site, bookings } = await import(file);
  const served = await serveSite(site);
  return {
    ...served,
    bookings,
    async stop() {
      await served.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
