/**
 * `npm run form-script`: minifies the script of forms into a text of the framework, so that the package and a bundle
 * need no file beside their code. A test compares it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { ROOT, readText } from './project-files.ts';

const SOURCE = 'framework/src/browser/form-script.js';
export const SCRIPT_TEXT = 'framework/src/site/form-script-text.ts';

/** The file of the text. */
export async function minifyScript(): Promise<string> {
  const { code } = await transform(readText(SOURCE), {
    minify: true,
    format: 'esm',
    target: 'es2022',
  });
  return `/** The script of forms, minified: \`npm run form-script\` writes it of src/browser/form-script.js. */
export const FORM_SCRIPT = ${JSON.stringify(code.trim())};
`;
}

if (import.meta.main) writeFileSync(join(ROOT, SCRIPT_TEXT), await minifyScript());
