/**
 * Slows down guessing: ten failed log-ins within three minutes, for one account or from one
 * address, and the next attempt has to wait. Failures are counted in the database, so that the
 * limit holds across instances and restarts.
 *
 * The hard cases: attempts at once, of which nobody knows yet whether they fail. An attempt is
 * stored as pending before it is made; one that the pending ones leave no room for waits for their
 * outcome. And strangers who fail on purpose: an attempt from a known device counts by itself, up
 * to five.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Database, Writing } from '../database/database.ts';
import { engineOf } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { toUsernameKey } from './username-key.ts';

export interface Attempt {
  readonly username: string;
  /**
   * The networks that the address counts as, the narrowest first: see
   * controllers/client-network.ts.
   */
  readonly networks: readonly string[];
  /** The key of a device that has logged in to this account before, or null. */
  readonly device: string | null;
}

export type Begun =
  | { readonly kind: 'begun'; readonly id: string }
  | { readonly kind: 'wait'; readonly seconds: number }
  /** Attempts under way had no outcome for ten seconds. */
  | { readonly kind: 'busy' };

export interface LogInThrottle {
  /** The seconds to wait, 0 for none. Only reads, so that a refusal costs little. */
  readonly secondsToWait: (attempt: Attempt) => Promise<number>;
  /** Stores the attempt as pending. One that has to wait is not stored. */
  readonly begin: (attempt: Attempt) => Promise<Begun>;
  /** An attempt that has failed counts; any other is forgotten. */
  readonly end: (attempt: Attempt, id: string, hasFailed: boolean) => Promise<void>;
}

const WINDOW = 3 * 60_000;
/** For an account. */
const MAX_FAILURES = 10;
/** Wider networks have more people in them. */
const MAX_NETWORK_FAILURES = [10, 20, 40];
const MAX_DEVICE_FAILURES = 5;
/** Milliseconds until a pending attempt counts as failed: its process has ended. */
const PENDING_TIMEOUT = 10_000;
const POLL_INTERVAL = 50;

export function createLogInThrottle(
  database: Database,
  now: () => Date = () => new Date(),
): LogInThrottle {
  const tryToBegin = (attempt: Attempt) =>
    database.write(async (transaction): Promise<Begun> => {
      await engineOf(transaction).lockFor(transaction, 'tries');
      const time = now().getTime();
      const past = new Date(time - WINDOW).toISOString();
      const at = new Date(time).toISOString();
      await transaction.deleteFrom('failed_log_ins').where('at', '<=', past).execute();
      // The clock was set back: failures in the future count as now, so no wait exceeds the window.
      await transaction.updateTable('failed_log_ins').set({ at }).where('at', '>', at).execute();
      const { seconds, isFull } = await lookUp(transaction, attempt, time);
      if (seconds > 0) return { kind: 'wait', seconds };
      if (isFull) return { kind: 'busy' };
      const id = randomUUID();
      const rows = limitsOf(attempt).map(({ subject }) => ({ subject, at, pending: id }));
      await transaction.insertInto('failed_log_ins').values(rows).execute();
      return { kind: 'begun', id };
    });

  return {
    secondsToWait: async (attempt) =>
      (await lookUp(database.read, attempt, now().getTime())).seconds,
    async begin(attempt) {
      for (let waited = 0; waited < PENDING_TIMEOUT; waited += POLL_INTERVAL) {
        const begun = await tryToBegin(attempt);
        if (begun.kind !== 'busy') return begun;
        await setTimeout(POLL_INTERVAL);
      }
      return { kind: 'busy' };
    },
    end: (attempt, id, hasFailed) =>
      database.write(async (transaction) => {
        const subjects = limitsOf(attempt).map(({ subject }) => subject);
        const isThis = (row: ExpressionBuilder<Schema, 'failed_log_ins'>) =>
          row.and([row('subject', 'in', subjects), row('pending', '=', id)]);
        if (hasFailed)
          await transaction
            .updateTable('failed_log_ins')
            .set({ pending: '' })
            .where(isThis)
            .execute();
        else await transaction.deleteFrom('failed_log_ins').where(isThis).execute();
      }),
  };
}

/** What an attempt counts for, and how many failures each may have. */
function limitsOf({ username, networks, device }: Attempt) {
  if (device !== null) return [{ subject: `device:${device}`, max: MAX_DEVICE_FAILURES }];
  return [
    { subject: accountSubject(username), max: MAX_FAILURES },
    ...networks.map((network, index) => ({
      subject: `address:${network}`,
      max: MAX_NETWORK_FAILURES[index] ?? MAX_FAILURES,
    })),
  ];
}

/** `isFull` when the pending attempts could fail, and this one would be one too many. */
async function lookUp(database: Kysely<Schema>, attempt: Attempt, time: number) {
  const limits = limitsOf(attempt);
  const rows = await database
    .selectFrom('failed_log_ins')
    .select(['subject', 'at', 'pending'])
    .where(
      'subject',
      'in',
      limits.map(({ subject }) => subject),
    )
    .where('at', '>', new Date(time - WINDOW).toISOString())
    .where('at', '<=', new Date(time).toISOString())
    .orderBy('at', 'desc')
    .execute();
  const lost = new Date(time - PENDING_TIMEOUT).toISOString();
  let [seconds, isFull] = [0, false];
  for (const { subject, max } of limits) {
    const all = rows.filter((row) => row.subject === subject);
    const failed = all.filter(({ at, pending }) => pending === '' || at <= lost);
    const oldest = failed[max - 1];
    if (oldest !== undefined)
      seconds = Math.max(seconds, Math.ceil((Date.parse(oldest.at) + WINDOW - time) / 1000));
    if (all.length >= max) isFull = true;
  }
  return { seconds, isFull };
}

function accountSubject(username: string): string {
  return `account:${toUsernameKey(username)}`;
}

/**
 * The account has not failed at all; what has failed from an address or a device still counts
 * there.
 */
export async function forgetFailures(transaction: Writing, username: string): Promise<void> {
  const subject = accountSubject(username);
  await transaction.deleteFrom('failed_log_ins').where('subject', '=', subject).execute();
}
