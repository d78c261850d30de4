/**
 * The lines of source around the place where an error was thrown, as its stack names it. A message can hold
 * a client's text, and look like a stack. So it is cut off first, and no file is read but source below the
 * working folder.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
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
/** No settings, databases or keys, which may be below the folder too. */
const SOURCE = /\.[cm]?[jt]sx?$/;

/**
 * The first place in source below the folder, outside of packages and of this framework; null without one,
 * or if its file cannot be read.
 */
export function excerptOf(error: Error, folder: string = process.cwd()): Excerpt | null {
  for (const line of framesOf(error)) {
    const [, location = '', row, column] = FRAME.exec(line) ?? [];
    if (location === '') continue;
    const file = location.startsWith('file:') ? fileURLToPath(location) : location;
    if (isShown(file, folder)) return readExcerpt(file, Number(row), `${file}:${row}:${column}`);
  }
  return null;
}

/**
 * The lines of a stack after the name and the message of its error. Empty if the message is not where V8
 * writes it, for example because it was changed later: then nothing says where it ends.
 */
function framesOf({ message, stack = '' }: Error): readonly string[] {
  const name = message === '' ? /^[^:\n]+/.exec(stack)?.[0] : stack.split(message, 1)[0];
  if (name === undefined || name.includes('\n')) return [];
  const frames = stack.slice(name.length + message.length);
  return frames.startsWith('\n    at ') ? frames.slice(1).split('\n') : [];
}

const FRAMEWORK = fileURLToPath(new URL('../', import.meta.url));

function isShown(file: string, folder: string): boolean {
  try {
    const path = realpathSync(file);
    const root = realpathSync(folder);
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep) || !SOURCE.test(path))
      return false;
    const isOurs = path.startsWith(FRAMEWORK) && !path.includes('.test.');
    return !isOurs && !/[/\\]node_modules[/\\]/.test(path);
  } catch {
    return false;
  }
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
