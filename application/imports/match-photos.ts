/**
 * Says of each file in a zip which thing it is a photo of. The rule, which the page tells:
 *
 * 1. A column with the names of the files, such as “Photo”.
 * 2. The name of the file, without its ending: a number, a reference, a serial number, a product code, a name.
 * 3. The same, without a counter at its end: `17-2.jpg`, `17_2.jpg`, `17 (2).jpg`.
 * 4. The folder that the file is in: `No. 17/IMG_0001.jpg`.
 *
 * The first of these that any thing has decides. If two things have it, the file is left out, and told: nothing is
 * guessed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { plainText } from './same-text.ts';
import { fileNameOf } from './zip/read-zip.ts';

/** What the names of files are compared with, in this order. */
export const PHOTO_KEYS = ['number', 'reference', 'serial', 'code', 'name'] as const;
export type PhotoKey = (typeof PHOTO_KEYS)[number];

/** Why a file is left out, without a full stop. */
export interface LeftFile {
  readonly path: string;
  readonly problem: string;
}

export interface PhotoMatches {
  /** The files of each thing, in their order. A column may name one file for several things. */
  readonly files: ReadonlyMap<number, readonly string[]>;
  readonly left: readonly LeftFile[];
  /** Names in the column of which the zip has no file. */
  readonly missing: readonly string[];
}

/** Files that are matched without a pause. */
const AT_ONCE = 500;

const NO_THING = 'no thing has its name';
const SEVERAL = 'several things have its name';
const SAME_NAME = 'the table names it, and another file of the zip has this name too';

export function createPhotoMatcher() {
  const keys = new Map<string, Set<number>>();
  const named: (readonly [name: string, id: number])[] = [];

  /** The ids of the things that the path names. */
  function find(path: string): readonly number[] {
    for (const text of textsOf(path)) {
      const [plain, number] = [toPhotoKey(text), toNumber(text)];
      for (const key of PHOTO_KEYS) {
        const ids = keys.get(`${key} ${key === 'number' ? number : plain}`);
        if (ids !== undefined) return [...ids];
      }
    }
    return [];
  }

  return {
    /** The thing is known by this text: by its line in a table, or by its number here. */
    addKey(key: PhotoKey, text: string, id: number): void {
      const plain = toPhotoKey(text);
      if (plain === '') return;
      const ids = keys.get(`${key} ${plain}`);
      if (ids === undefined) keys.set(`${key} ${plain}`, new Set([id]));
      else ids.add(id);
    },
    /** A column names a file of the thing. */
    addFile(name: string, id: number): void {
      named.push([name, id]);
    },
    /** Lets other requests of the process run in between. */
    async match(paths: readonly string[]): Promise<PhotoMatches> {
      const files = new Map<number, Set<string>>();
      const left = new Map<string, LeftFile>();
      const missing: string[] = [];
      const byName = toNames(named.length === 0 ? [] : paths);
      const isNamed = new Set<string>();
      const attach = (path: string, id: number) => {
        const own = files.get(id);
        if (own === undefined) files.set(id, new Set([path]));
        else own.add(path);
      };
      const take = (name: string, id: number) => {
        const found = lookUp(byName, name);
        for (const path of found) {
          isNamed.add(path);
          if (found.length === 1) attach(path, id);
          else left.set(path, { path, problem: SAME_NAME });
        }
        return found.length > 0;
      };
      for (const [at, [name, id]] of named.entries()) {
        if (at % AT_ONCE === 0) await nextTurn();
        if (take(name, id)) continue;
        // A comma separates names, unless it is in one.
        for (const part of name.split(',').map((one) => one.trim()))
          if (part !== '' && !take(part, id)) missing.push(part);
      }
      const others = paths.filter((path) => !isNamed.has(path));
      for (const [at, path] of byCounter(others).entries()) {
        if (at % AT_ONCE === 0) await nextTurn();
        const found = find(path);
        const [only] = found;
        if (only === undefined) left.set(path, { path, problem: NO_THING });
        else if (found.length === 1) attach(path, only);
        else left.set(path, { path, problem: SEVERAL });
      }
      const lists = new Map([...files].map(([id, own]) => [id, [...own]]));
      return { files: lists, left: [...left.values()], missing };
    },
  };
}

/** The names of files in a cell, each of which may have commas. */
export function readFileNames(cell: string): readonly string[] {
  return cell.split(/[\n;|]/).flatMap((one) => one.trim() || []);
}

/** What a path may call its thing, the surest first. */
export function textsOf(path: string): readonly string[] {
  const parts = path.split('/');
  const name = withoutEnding(parts.pop() ?? '');
  // Spaces before the counter are trimmed separately: in the expression, they would cost their square.
  const bare = name.replace(/(?:[-_]\d{1,3}|\(\d{1,3}\))$/, '').trimEnd();
  return [...new Set([name, bare, parts.at(-1) ?? ''])].filter((text) => text !== '');
}

/** `No. 17`, `#17` and `17` are the number 17. */
export function toNumber(text: string): string {
  return toPhotoKey(text).replace(/^(?:no|nr|n°|nº|#)[.\s]*(?=\d+$)/, '');
}

/** Without what no system allows in the name of a file. */
export function toPhotoKey(text: string): string {
  return plainText(text.normalize('NFC').replaceAll(/[/\\:*?"<>|]/g, ' '));
}

function withoutEnding(name: string): string {
  return name.replace(/\.[a-z0-9]{1,5}$/i, '');
}

const ORDER = new Intl.Collator('en', { numeric: true });

/** `17.jpg` is before `17-2.jpg`, and that before `17-10.jpg`. */
function byCounter(paths: readonly string[]): readonly string[] {
  return paths
    .map((path) => ({ path, key: withoutEnding(path).replaceAll(/[-_(]/g, ' ') }))
    .toSorted((one, other) => ORDER.compare(one.key, other.key))
    .map(({ path }) => path);
}

/** By the path and by the name, each with and without the ending. */
function toNames(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const path of paths) {
    const texts = [path, withoutEnding(path), fileNameOf(path), withoutEnding(fileNameOf(path))];
    for (const text of new Set(texts.map(fileKey))) {
      const known = names.get(text);
      if (known === undefined) names.set(text, [path]);
      else known.push(path);
    }
  }
  return names;
}

/** A table may have the path that the file had on the computer of its author. */
function lookUp(names: ReadonlyMap<string, readonly string[]>, text: string): readonly string[] {
  const key = fileKey(text);
  return names.get(key) ?? names.get(fileNameOf(key)) ?? [];
}

function fileKey(text: string): string {
  return text.normalize('NFC').replaceAll('\\', '/').replace(/^\.\//, '').toLowerCase();
}
