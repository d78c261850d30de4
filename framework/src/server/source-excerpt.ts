/** The lines of source around the place where an error was thrown, as its stack names it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Excerpt {
  /** Such as `/app/router.ts:12:6`. */
  readonly place: string;
  readonly lines: readonly { readonly number: number; readonly text: string }[];
  /** The number of the line that threw. */
  readonly broken: number;
}

/** Lines before and after. */
const AROUND = 5;
const FRAME = /\(?((?:file:\/\/)?\/[^()\s]+|[A-Za-z]:\\[^()]+):(\d+):(\d+)\)?$/;

/**
 * The first place outside of Node, of packages and of this framework; null without one, or if its file
 * cannot be read.
 */
export function excerptOf({ stack = '' }: Error): Excerpt | null {
  for (const line of stack.split('\n').slice(1)) {
    const [, location = '', row, column] = FRAME.exec(line) ?? [];
    if (location === '' || isForeign(location)) continue;
    const file = location.startsWith('file:') ? fileURLToPath(location) : location;
    return readExcerpt(file, Number(row), `${file}:${row}:${column}`);
  }
  return null;
}

const FRAMEWORK = new URL('../', import.meta.url);

function isForeign(location: string): boolean {
  const isOurs =
    location.startsWith(FRAMEWORK.href) || location.startsWith(fileURLToPath(FRAMEWORK));
  return (isOurs && !location.includes('.test.')) || /[/\\]node_modules[/\\]/.test(location);
}

function readExcerpt(file: string, broken: number, place: string): Excerpt | null {
  try {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .map((text, index) => ({ number: index + 1, text }))
      .slice(Math.max(0, broken - 1 - AROUND), broken + AROUND);
    return { place, lines, broken };
  } catch {
    return null;
  }
}
