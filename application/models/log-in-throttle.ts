/**
 * Slows down guessing: ten failed log-ins within three minutes, for one account or from one address,
 * and the next try has to wait. It is counted in the database, so that it holds across restarts.
 */
import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { toUsernameKey } from './account.ts';

export interface LogInThrottle {
  /**
   * Counts a try before it is made, so that tries made at once count each other. Resolves to the
   * seconds to wait; 0 when it may be made now. A try that has to wait is not counted.
   */
  readonly countTry: (username: string, address: string) => Promise<number>;
  /** The latest try was right after all: it does not count. */
  readonly takeBack: (username: string, address: string) => Promise<void>;
}

const WINDOW = 3 * 60_000;
const MOST_FAILURES = 10;

export function createLogInThrottle(
  database: Database,
  now: () => Date = () => new Date(),
): LogInThrottle {
  return {
    countTry: (username, address) =>
      database.write(async (transaction) => {
        const time = now().getTime();
        const past = new Date(time - WINDOW).toISOString();
        await transaction.deleteFrom('failed_log_ins').where('at', '<=', past).execute();
        const subjects = subjectsOf(username, address);
        const wait = await longestWait(transaction, subjects, time);
        if (wait > 0) return wait;
        const at = new Date(time).toISOString();
        const rows = subjects.map((subject) => ({ subject, at }));
        await transaction.insertInto('failed_log_ins').values(rows).execute();
        return 0;
      }),
    takeBack: (username, address) =>
      database.write(async (transaction) => {
        for (const subject of subjectsOf(username, address)) {
          const [latest] = await latestFailures(transaction, subject, 1);
          if (latest === undefined) continue;
          const rows = transaction.deleteFrom('failed_log_ins').where('subject', '=', subject);
          await rows.where('at', '=', latest).execute();
        }
      }),
  };
}

async function longestWait(
  database: Kysely<Schema>,
  subjects: readonly string[],
  time: number,
): Promise<number> {
  let wait = 0;
  for (const subject of subjects) {
    const oldest = (await latestFailures(database, subject, MOST_FAILURES))[MOST_FAILURES - 1];
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

function subjectsOf(username: string, address: string): readonly string[] {
  return [`account:${toUsernameKey(username)}`, `address:${address}`];
}
