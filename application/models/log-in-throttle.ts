/**
 * Slows down guessing: ten failed log-ins within three minutes, for one account or from one address,
 * and the next try has to wait. It is counted in the database, so that it holds across instances and
 * restarts.
 *
 * The hard case: strangers who fail on purpose make everybody wait for that account. So a try from a
 * device that has logged in to it before counts by itself, up to five.
 */
import type { Kysely } from 'kysely';
import type { Database, Writing } from '../database/database.ts';
import { lockFor } from '../database/engine.ts';
import type { Schema } from '../database/schema.ts';
import { toUsernameKey } from './username-key.ts';

/** Whose try it is. */
export interface Try {
  readonly username: string;
  readonly address: string;
  /** The key of a device that has logged in to this account before, or null. */
  readonly device: string | null;
}

export interface LogInThrottle {
  /**
   * Counts a try before it is made, so that tries made at once count each other. Resolves to the
   * seconds to wait; 0 when it may be made now. A try that has to wait is not counted.
   */
  readonly countTry: (one: Try) => Promise<number>;
  /** The latest try was right after all: it does not count. */
  readonly takeBack: (one: Try) => Promise<void>;
}

const WINDOW = 3 * 60_000;
const MOST_FAILURES = 10;
const MOST_FAILURES_OF_A_DEVICE = 5;

export function createLogInThrottle(
  database: Database,
  now: () => Date = () => new Date(),
): LogInThrottle {
  return {
    countTry: (one) =>
      database.write(async (transaction) => {
        await lockFor(transaction, 'tries');
        const time = now().getTime();
        const past = new Date(time - WINDOW).toISOString();
        const at = new Date(time).toISOString();
        await transaction.deleteFrom('failed_log_ins').where('at', '<=', past).execute();
        // The clock was set back: failures in the future count as now, so no wait exceeds the window.
        await transaction.updateTable('failed_log_ins').set({ at }).where('at', '>', at).execute();
        const wait = await longestWait(transaction, one, time);
        if (wait > 0) return wait;
        const rows = subjectsOf(one).map((subject) => ({ subject, at }));
        await transaction.insertInto('failed_log_ins').values(rows).execute();
        return 0;
      }),
    takeBack: (one) =>
      database.write(async (transaction) => {
        await lockFor(transaction, 'tries');
        for (const subject of subjectsOf(one)) {
          const [latest] = await latestFailures(transaction, subject, 1);
          if (latest === undefined) continue;
          await removeOne(transaction, subject, latest);
        }
      }),
  };
}

/** Tries of the same millisecond are rows that nothing tells apart: all but one come back. */
async function removeOne(transaction: Writing, subject: string, at: string): Promise<void> {
  const removed = await transaction
    .deleteFrom('failed_log_ins')
    .where('subject', '=', subject)
    .where('at', '=', at)
    .returning(['subject', 'at'])
    .execute();
  const others = removed.slice(1);
  if (others.length > 0) await transaction.insertInto('failed_log_ins').values(others).execute();
}

async function longestWait(database: Kysely<Schema>, one: Try, time: number): Promise<number> {
  const most = one.device === null ? MOST_FAILURES : MOST_FAILURES_OF_A_DEVICE;
  let wait = 0;
  for (const subject of subjectsOf(one)) {
    const oldest = (await latestFailures(database, subject, most))[most - 1];
    if (oldest === undefined) continue;
    wait = Math.max(wait, Math.ceil((Date.parse(oldest) + WINDOW - time) / 1000));
  }
  return wait;
}

/** The times of the latest failures, the latest first. */
async function latestFailures(
  database: Kysely<Schema>,
  subject: string,
  count: number,
): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('failed_log_ins')
    .select('at')
    .where('subject', '=', subject)
    .orderBy('at', 'desc')
    .limit(count)
    .execute();
  return rows.map(({ at }) => at);
}

function subjectsOf({ username, address, device }: Try): readonly string[] {
  if (device !== null) return [`device:${device}`];
  return [accountSubject(username), `address:${address}`];
}

function accountSubject(username: string): string {
  return `account:${toUsernameKey(username)}`;
}

/** The account has not failed at all; what has failed from an address or a device still counts there. */
export async function forgetFailures(transaction: Writing, username: string): Promise<void> {
  const subject = accountSubject(username);
  await transaction.deleteFrom('failed_log_ins').where('subject', '=', subject).execute();
}
