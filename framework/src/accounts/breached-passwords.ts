/**
 * A local copy of the list of breached passwords (Pwned Passwords), as `haveibeenpwned-downloader` makes it: a folder
 * with a file for each range, named after the first five digits of the SHA-1 of its passwords (`-s false`), or one file
 * of all hashes in their order. Nothing is sent anywhere.
 *
 * A check reads one file of a range, about 80 kB, or a few blocks of the one file, which has 40 GB: a few kilobytes of
 * memory either way.
 */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { toOneForm } from './passwords.ts';

export interface BreachedPasswords {
  /** Rejects if the file of the range is missing or damaged; the error does not tell which. */
  readonly has: (password: string) => Promise<boolean>;
}

/** Bytes. The largest range has about 100 kB. */
const MAX_RANGE = 1_048_576;
const BLOCK = 4_096;
/** Two lines of the one file are shorter: 40 digits, a count and the mark that may stand before them. */
const TWO_LINES = 160;
/** A byte order mark, which the downloader writes at the beginning of each range in the one file. */
const MARK = '\xEF\xBB\xBF';
const LINE = /^(?:\xEF\xBB\xBF)?([0-9A-F]{35}|[0-9A-F]{40}):(\d+)$/i;

/** Throws if the folder or the file is missing, is not such a list, or is not in order. */
export function openBreachedPasswords(path: string): BreachedPasswords {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder) {
    for (const range of ['00000', '80000', 'FFFFF']) {
      const name = toFile(path, range);
      withFile(path, name, (file) => {
        const { size } = fstatSync(file);
        parseRange(readStart(file, Math.min(size, MAX_RANGE + 1), 0), name);
      });
    }
  } else withFile(path, path, (file) => checkOrder(file, path));

  async function find(password: string): Promise<boolean> {
    // Lists have what was typed there; what is hashed here is one form of it.
    for (const form of new Set([toOneForm(password), password])) {
      const sha1 = createHash('sha1').update(form).digest('hex').toUpperCase();
      if (await (isFolder ? isInRange(path, sha1) : isInFile(path, sha1))) return true;
    }
    return false;
  }

  return {
    has: (password) =>
      find(password).catch((error) => {
        // Without the error, which names the file: its name is a part of the hash of the password.
        throw new Error(
          `Cannot look up a password in the list of breached ones at ${path}: a file of it is missing or damaged (${error.code ?? 'no list of SHA-1 hashes'}). Download the list again.`,
        );
      }),
  };
}

async function isInRange(folder: string, sha1: string): Promise<boolean> {
  const name = toFile(folder, sha1.slice(0, 5));
  const file = await open(name);
  try {
    const { size } = await file.stat();
    const text = await read(file, 0, Math.min(size, MAX_RANGE + 1));
    return (parseRange(text, name).get(sha1.slice(5)) ?? 0) > 0;
  } finally {
    await file.close();
  }
}

function toFile(folder: string, range: string): string {
  return join(folder, `${range}.txt`);
}

/** The count of each hash, which lacks the digits of the range. Ranges from the service may be padded with zeros. */
function parseRange(text: string, name: string): ReadonlyMap<string, number> {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const counts = new Map(
    lines.map((line) => {
      const { digits, count } = parseLine(line, name);
      if (digits.length !== 35) throw damaged(name);
      return [digits, count];
    }),
  );
  if (counts.size === 0 || text.length > MAX_RANGE) throw damaged(name);
  return counts;
}

/** A binary search by the positions of bytes: the list is too large for an index. */
async function isInFile(name: string, sha1: string): Promise<boolean> {
  const file = await open(name);
  try {
    const { size } = await file.stat();
    // The line of the hash, if there is one, begins at `low` or later and before `high`. A line begins at `low`.
    let [low, high] = [0, size];
    while (high - low > BLOCK) {
      const middle = Math.floor((low + high) / 2);
      const next = lineAfter(await read(file, middle, TWO_LINES), name);
      if (next.digits <= sha1) low = middle + next.start;
      else high = middle + 1;
    }
    const lines = (await read(file, low, high - low + TWO_LINES)).split(/\r?\n/);
    parseLine(lines[0] ?? '', name);
    const found = lines.find((line) => line.replace(MARK, '').startsWith(sha1));
    return found !== undefined && parseLine(found, name).count > 0;
  } finally {
    await file.close();
  }
}

/** A list that is ordered by count would find nothing, and a download that has stopped lacks the last hashes. */
function checkOrder(file: number, name: string): void {
  const { size } = fstatSync(file);
  const first = parseLine(readStart(file, TWO_LINES, 0).split(/\r?\n/)[0] ?? '', name);
  const end = readStart(file, TWO_LINES, Math.max(size - TWO_LINES, 0)).split(/\r?\n/);
  const last = parseLine(end.findLast((line) => line !== '') ?? '', name);
  const parts = [0.25, 0.5, 0.75].map((part) => Math.floor(size * part));
  const hashes = [
    first,
    ...parts.map((at) => lineAfter(readStart(file, TWO_LINES, at), name)),
    last,
  ].map(({ digits }) => digits);
  const isOrdered = hashes.every((one, at) => one.length === 40 && one >= (hashes[at - 1] ?? ''));
  // Each range has some hundred hashes.
  const isWhole = first.digits.startsWith('00000') && last.digits.startsWith('FFFFF');
  if (!isOrdered || !isWhole) throw damaged(name);
}

/** The first line that begins in the text, and the byte at which it does. */
function lineAfter(
  text: string,
  name: string,
): { readonly start: number; readonly digits: string } {
  const end = text.indexOf('\n');
  const [line = ''] = text.slice(end + 1).split(/\r?\n/);
  const { digits } = parseLine(end === -1 ? '' : line, name);
  return { start: end + 1, digits };
}

function parseLine(
  line: string,
  name: string,
): { readonly digits: string; readonly count: number } {
  const [, digits, count] = LINE.exec(line) ?? [];
  if (digits === undefined) throw damaged(name);
  return { digits: digits.toUpperCase(), count: Number(count) };
}

/** Each byte is read as a character, because positions are those of bytes. */
async function read(file: FileHandle, position: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.toString('latin1', 0, bytesRead);
}

function readStart(file: number, length: number, position: number): string {
  const buffer = Buffer.alloc(length);
  return buffer.toString('latin1', 0, readSync(file, buffer, 0, length, position));
}

function withFile<T>(path: string, name: string, work: (file: number) => T): T {
  let file: number;
  try {
    file = openSync(name, 'r');
  } catch (cause) {
    throw new Error(
      `Cannot read the list of breached passwords at ${path}: ${name} cannot be opened. Make it with haveibeenpwned-downloader, as a folder with -s false, or do without the list.`,
      { cause },
    );
  }
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

function damaged(name: string): Error {
  return new Error(
    `Cannot read the list of breached passwords: ${name} is not a list of SHA-1 hashes with their counts, in the order of the hashes, or was cut off. Download it again with haveibeenpwned-downloader, without -n.`,
  );
}
