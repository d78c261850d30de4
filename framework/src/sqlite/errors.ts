/** What SQLite's result codes mean, which of them are transient, and what to do about them. */
import {
  DatabaseUnavailable,
  type DiskTrouble,
  type Outcome,
  refuseWrite,
} from '../database/database.ts';
import { hasDescriptorsLeft, OUT_OF_DESCRIPTORS } from '../database/descriptors.ts';

const BUSY = 5;
const LOCKED = 6;
const READ_ONLY = 8;
const DISK_FAILS = 10;
const DAMAGED = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NO_DATABASE = 26;
/** The shared memory beside the file cannot grow. SQLite reports this as an I/O error. */
const NO_ROOM_FOR_MEMORY = 4_874;
const LOCKED_WORDS = 'another program holds it locked. End that program, or wait until it is done.';
const WORDS: Readonly<Record<number, string>> = {
  [BUSY]: LOCKED_WORDS,
  [LOCKED]: LOCKED_WORDS,
  [READ_ONLY]: 'it can only be read. Change the rights of the file and of its folder.',
  [DISK_FAILS]: 'the disk fails. Check it.',
  [DAMAGED]: 'it is damaged. Restore it from a backup.',
  [FULL]: 'the disk is full. Make room on it.',
  [CANNOT_OPEN]:
    'the file cannot be opened or made. Check that its folder may be written to, or name another path.',
  [NO_DATABASE]: 'the file is not a SQLite database. Name another path.',
};
/** Errors of the file system when a file is opened. */
const FILE_WORDS: Readonly<Record<string, string>> = {
  EACCES: 'the folder may not be written to. Change its rights, or name another path.',
  EEXIST: 'a part of the path is a file where a folder is needed. Name another path.',
  ENOTDIR: 'a part of the path is a file where a folder is needed. Name another path.',
  ...OUT_OF_DESCRIPTORS,
  ENOSPC: 'the disk is full. Make room on it.',
  EROFS: 'the disk can only be read. Name a path on another one.',
};

/** Why `openSqlite` has failed, and what to do about it, in one line. */
export function explainSqlite(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '' } = error as { readonly code?: string };
  return FILE_WORDS[code] ?? explainCode(error) ?? explainCode(error.cause) ?? error.message;
}

/** What is wrong and what to do about it; undefined for an error that is not SQLite's. */
export function explainCode(error: unknown): string | undefined {
  if (codeOf(error) === NO_ROOM_FOR_MEMORY) return WORDS[FULL];
  const code = primaryCode(error);
  return code === CANNOT_OPEN && !hasDescriptorsLeft() ? OUT_OF_DESCRIPTORS.EMFILE : WORDS[code];
}

/** Whether the error says that another connection holds the lock. */
export function isLocked(error: unknown): boolean {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  return [BUSY, LOCKED].includes(primaryCode(error) || primaryCode(cause));
}

/** Whether the error says that the file holds something that SQLite has not written. */
export function isDamage(error: unknown): boolean {
  return [DAMAGED, NO_DATABASE].includes(primaryCode(error));
}

/** Turns a transient error into a `DatabaseUnavailable`, and returns an error of the statement unchanged. */
export function fromSqlite(error: unknown, outcome: Outcome = 'not saved'): unknown {
  const why = explainCode(error);
  if (why === undefined || !(error instanceof Error)) return error;
  const disk = diskTroubleOf(error);
  return new DatabaseUnavailable(`${why} (${error.message})`, { cause: error, outcome, disk });
}

/** For a connection that only reads, which refuses a write with this code and not with an extended one. */
export function fromSqliteRead(error: unknown, sql: string): unknown {
  return codeOf(error) === READ_ONLY ? refuseWrite(sql, error) : fromSqlite(error);
}

/** If the disk fails during the commit, the commit may still have been saved. */
export function fromSqliteCommit(error: unknown): unknown {
  return fromSqlite(error, primaryCode(error) === DISK_FAILS ? 'unknown' : 'not saved');
}

function diskTroubleOf(error: unknown): DiskTrouble | null {
  const isFull = primaryCode(error) === FULL || codeOf(error) === NO_ROOM_FOR_MEMORY;
  if (isFull) return 'full';
  return primaryCode(error) === DISK_FAILS ? 'fails' : null;
}

/** The lowest byte of an extended code is the primary one. */
function primaryCode(error: unknown): number {
  return codeOf(error) & 0xff;
}

function codeOf(error: unknown): number {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode : 0;
}
