/** SQLite's own result codes, in words: which of them pass by themselves, and what to do about them. */
import { hasDescriptorsLeft, OUT_OF_DESCRIPTORS } from '../process/descriptors.ts';
import { DatabaseUnavailable, type Outcome } from './database-unavailable.ts';

const BUSY = 5;
const LOCKED = 6;
const DISK_FAILS = 10;
const DAMAGED = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NO_DATABASE = 26;
/** The shared memory beside the file cannot grow, which SQLite counts among the failures of the disk. */
const NO_ROOM_FOR_MEMORY = 4_874;
const WORDS: Readonly<Record<number, string>> = {
  [BUSY]: 'another program holds it locked. End that program, or wait until it is done.',
  [LOCKED]: 'another program holds it locked. End that program, or wait until it is done.',
  8: 'it can only be read. Change the rights of the file and of its folder.',
  [DISK_FAILS]: 'the disk fails. Check it.',
  [DAMAGED]: 'it is damaged. Restore it from a backup.',
  [FULL]: 'the disk is full. Make room on it.',
  [CANNOT_OPEN]:
    'the file cannot be opened or made. Check that its folder may be written to, or set DATABASE_URL to another path.',
  [NO_DATABASE]: 'the file is not a SQLite database. Set DATABASE_URL to another path.',
};

/** What is wrong and what to do about it; undefined for an error of ours. */
export function explainSqlite(error: unknown): string | undefined {
  const code = primaryCode(error);
  if (codeOf(error) === NO_ROOM_FOR_MEMORY) return WORDS[FULL];
  if (code === CANNOT_OPEN && !hasDescriptorsLeft()) return OUT_OF_DESCRIPTORS;
  return WORDS[code];
}

/** Another connection holds the lock, or an instance that migrates. */
export function isLocked(error: unknown): boolean {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  return [BUSY, LOCKED].includes(primaryCode(error) || primaryCode(cause));
}

/** What the file holds is not what SQLite has written. */
export function isDamage(error: unknown): boolean {
  return [DAMAGED, NO_DATABASE].includes(primaryCode(error));
}

/** An error of the file or of another program becomes a `DatabaseUnavailable`; one of ours stays. */
export function fromSqlite(error: unknown, outcome: Outcome = 'not saved'): unknown {
  const why = explainSqlite(error);
  if (why === undefined || !(error instanceof Error)) return error;
  return new DatabaseUnavailable(`${why} (${error.message})`, { cause: error, outcome });
}

/** A disk that fails while it saves may have saved all the same. */
export function fromSqliteCommit(error: unknown): unknown {
  return fromSqlite(error, primaryCode(error) === DISK_FAILS ? 'unknown' : 'not saved');
}

/** The extended codes hold the primary one in their lowest byte. */
function primaryCode(error: unknown): number {
  return codeOf(error) & 0xff;
}

function codeOf(error: unknown): number {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode : 0;
}
