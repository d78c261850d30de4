/**
 * The font of the PDFs, DejaVu Sans: Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic and Lao letters. Only
 * what a file needs of it is embedded. `npm run bundle` puts the files beside the code.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const FONTS = { regular: 'DejaVuSans.ttf', bold: 'DejaVuSans-Bold.ttf' } as const;

/** The path of the file. */
export function findFont(name: keyof typeof FONTS): string {
  const bundled = join(import.meta.dirname, '..', 'fonts', FONTS[name]);
  if (existsSync(bundled)) return bundled;
  return createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${FONTS[name]}`);
}

const COVERED =
  /^[\p{Script=Common}\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Lao}]*$/u;

/** Whether the font has the letters of the text. A browser has a font for all others. */
export function hasLetters(text: string): boolean {
  return COVERED.test(text) && !/\p{Emoji_Presentation}/u.test(text);
}
