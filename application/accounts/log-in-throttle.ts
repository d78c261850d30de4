/**
 * Throttles log-ins: after ten failures within three minutes, for one account or from one IP address,
 * the next attempt must wait. Failures are counted in the database, so the limit holds across
 * instances and restarts.
 *
 * An attempt is stored as pending before its password is checked. If the pending attempts could reach the
 * limit, the next one waits for their results, so concurrent attempts cannot exceed it. A device that has
 * logged in to the account before is counted separately, with a limit of five, so failures elsewhere
 * cannot lock it out.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import { takeLock } from '../database/locks.ts';
import type { Schema } from '../database/schema.ts';
import { toUsernameKey } from './username-key.ts';

export interface Attempt {
  readonly username: string;
  /** The IP networks that contain the client's address, narrowest first, as `toNetworks` returns them. */
  readonly networks: readonly string[];
  /** The key of the device if it has logged in to this account before, or null. */
  readonly device: string | null;
}

export type Begun =
  | { readonly kind: 'begun'; readonly id: string }
  | { readonly kind: 'wait'; readonly seconds: number }
  /** The attempt has waited for ten seconds, and pending attempts could still reach the limit. */
  | { readonly kind: 'busy' };

export interface LogInThrottle {
  /** Seconds to wait, or 0. It only reads, so that a refusal is cheap. */
  readonly secondsToWait: (attempt: Attempt) => Promise<number>;
  /** Stores the attempt as pending unless the limit is reached. Waits up to ten seconds for pending ones. */
  readonly begin: (attempt: Attempt) => Promise<Begun>;
  /** Counts the attempt if it has failed; deletes it otherwise. */
  readonly end: (attempt: Attempt, id: string, hasFailed: boolean) => Promise<void>;
}

const WINDOW = 3 * 60_000;
/** Per account. */
const MAX_FAILURES = 10;
/** Per network, narrowest first. Wider networks have more users. */
const MAX_NETWORK_FAILURES = [10, 20, 40];
const MAX_DEVICE_FAILURES = 5;
/** Milliseconds until a pending attempt counts as failed: its process has probably crashed. */
const PENDING_TIMEOUT = 10_000;
const POLL_INTERVAL = 50;

export function createLogInThrottle(
  database: Database,
  now: () => Date = () => new Date(),
): LogInThrottle {
  const tryToBegin = (attempt: Attempt) =>
    database.write(async (transaction): Promise<Begun> => {
      await takeLock(transaction, 'tries');
      const time = now().getTime();
      const past = new Date(time - WINDOW).toISOString();
      const at = new Date(time).toISOString();
      await transaction.deleteFrom('failed_log_ins').where('at', '<=', past).execute();
      // If the clock was set back, failures in the future are given the present time, so no wait exceeds
      // the window.
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

/** The subjects that an attempt counts for, and the maximum failures of each. */
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

/** `isFull`: if all pending attempts fail, this one would exceed the limit. */
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

/** Deletes the failures of the account. Those of addresses and devices still count. */
export async function forgetFailures(
  transaction: KyselyTransaction,
  username: string,
): Promise<void> {
  const subject = accountSubject(username);
  await transaction.deleteFrom('failed_log_ins').where('subject', '=', subject).execute();
}
