/**
 * Slows down guessing: ten failed log-ins within three minutes, for one account or from one address,
 * and the next try has to wait. It is counted in the database, so that it holds across restarts.
 */
import type { Database } from '../database/database.ts';
import { toUsernameKey } from './account.ts';

export interface LogInThrottle {
  /** Seconds until the next try is let through; 0 when it may come now. */
  readonly waitFor: (username: string, address: string) => Promise<number>;
  readonly noteFailure: (username: string, address: string) => Promise<void>;
}

const WINDOW = 3 * 60_000;
const MOST_FAILURES = 10;

export function createLogInThrottle(
  database: Database,
  now: () => Date = () => new Date(),
): LogInThrottle {
  const failuresOf = async (subject: string) => {
    const rows = await database.read
      .selectFrom('failed_log_ins')
      .select('at')
      .where('subject', '=', subject)
      .where('at', '>', new Date(now().getTime() - WINDOW).toISOString())
      .orderBy('at', 'desc')
      .limit(MOST_FAILURES)
      .execute();
    return rows.map(({ at }) => at);
  };
  return {
    async waitFor(username, address) {
      const waits = await Promise.all(
        subjectsOf(username, address).map(async (subject) => {
          const oldest = (await failuresOf(subject))[MOST_FAILURES - 1];
          if (oldest === undefined) return 0;
          return Math.ceil((Date.parse(oldest) + WINDOW - now().getTime()) / 1000);
        }),
      );
      return Math.max(0, ...waits);
    },
    noteFailure: (username, address) =>
      database.write(async (transaction) => {
        const at = now().toISOString();
        const past = new Date(now().getTime() - WINDOW).toISOString();
        await transaction.deleteFrom('failed_log_ins').where('at', '<=', past).execute();
        const rows = subjectsOf(username, address).map((subject) => ({ subject, at }));
        await transaction.insertInto('failed_log_ins').values(rows).execute();
      }),
  };
}

function subjectsOf(username: string, address: string): readonly string[] {
  return [`account:${toUsernameKey(username)}`, `address:${address}`];
}
