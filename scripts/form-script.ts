/**
 * `npm run form-script`: minifies the scripts of the framework into texts of it, so that the package and a bundle need
 * no file beside their code. A test compares them.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { ROOT, readText } from './project-files.ts';

interface Script {
  readonly source: string;
  readonly text: string;
  /** Its name in the file of the text. */
  readonly name: string;
  readonly title: string;
}

export const SCRIPTS: readonly Script[] = [
  {
    source: 'src/browser/form-script.js',
    text: 'framework/src/site/form-script-text.ts',
    name: 'FORM_SCRIPT',
    title: 'The script of forms',
  },
  {
    source: 'src/browser/passkey-script.js',
    text: 'framework/src/passkeys/passkey-script-text.ts',
    name: 'PASSKEY_SCRIPT',
    title: 'The script of passkeys',
  },
];

/** The file of the text. */
export async function minifyScript({ source, name, title }: Script): Promise<string> {
  const { code } = await transform(readText(`framework/${source}`), {
    minify: true,
    format: 'esm',
    target: 'es2022',
  });
  return `/** ${title}, minified: \`npm run form-script\` writes it of ${source}. */
export const ${name} = ${JSON.stringify(code.trim())};
`;
}

if (import.meta.main)
  for (const script of SCRIPTS) writeFileSync(join(ROOT, script.text), await minifyScript(script));
