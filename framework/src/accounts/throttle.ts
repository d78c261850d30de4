/**
 * Throttles attempts that may be guesses, and requests for mails: after so many of a kind within a time, for one
 * account or from one network, the next must wait. They are counted in the database, so a limit holds across instances
 * and restarts.
 *
 * An attempt is stored as pending before it is checked. If the pending attempts could reach the limit, the next one
 * waits for their results, so concurrent attempts cannot exceed it. A device that has logged in to the account before
 * is counted separately, so failures elsewhere cannot lock it out.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Connection, Database, WriteTransaction } from '../database/database.ts';
import { openTable } from '../database/tables.ts';

/** Of a `reset`, a `mail link` and a `registration` each one counts, not only one that fails. */
export type AttemptKind =
  | 'log-in'
  | 'passkey'
  | 'second factor'
  | 'recovery code'
  | 'reset'
  | 'mail link'
  | 'registration';

export interface Attempt {
  readonly kind: AttemptKind;
  /** The key of the account, whether it exists or not: such as its username in lower case. */
  readonly account: string;
  /** The IP networks that contain the client's address, narrowest first, as `toNetworks` returns them. */
  readonly networks: readonly string[];
  /** The key of the device if it has logged in to this account before, or null. */
  readonly device: string | null;
}

/** How many attempts of a kind may fail. */
export interface AttemptLimits {
  /** Milliseconds. */
  readonly within: number;
  readonly account: number;
  /** Of each network, narrowest first. Wider networks have more users. */
  readonly networks: readonly number[];
  /** Of a known device, which counts for neither the account nor a network. */
  readonly device: number;
}

/**
 * A code of six digits that is valid for two steps is guessed with a chance of one in 500,000: 480 guesses a day are
 * little, and only those who know the password can use them up.
 */
const CODES: AttemptLimits = {
  within: 15 * 60_000,
  account: 5,
  networks: [10, 20, 40],
  device: 5,
};
const LIMITS: Readonly<Record<AttemptKind, AttemptLimits>> = {
  'log-in': { within: 3 * 60_000, account: 10, networks: [10, 20, 40], device: 5 },
  // Nobody guesses one: it only limits the work. The account is not known, the address stands for it.
  passkey: { within: 15 * 60_000, account: 30, networks: [30, 60, 120], device: 30 },
  'second factor': CODES,
  'recovery code': CODES,
  // A mailbox is not to be flooded, and a whole office may have one address.
  reset: { within: 60 * 60_000, account: 3, networks: [20, 40, 80], device: 3 },
  'mail link': { within: 15 * 60_000, account: 5, networks: [30, 60, 120], device: 5 },
  registration: { within: 60 * 60_000, account: 20, networks: [20, 40, 80], device: 20 },
};

export type Begun =
  | { readonly kind: 'begun'; readonly id: string }
  | { readonly kind: 'wait'; readonly seconds: number }
  /** The attempt has waited for ten seconds, and pending attempts could still reach the limit. */
  | { readonly kind: 'busy' };

/** Counts attempts, pending and failed. `createAttempts` calls it in the right order. */
export interface Throttle<Transaction = WriteTransaction> {
  /** Seconds to wait, or 0. It only reads, so that a refusal is cheap. */
  readonly secondsToWait: (attempt: Attempt) => Promise<number>;
  /** Stores the attempt as pending unless the limit is reached. Waits up to ten seconds for pending ones. */
  readonly begin: (attempt: Attempt) => Promise<Begun>;
  /** Counts the attempt if it has failed; deletes it otherwise. */
  readonly end: (attempt: Attempt, id: string, hasFailed: boolean) => Promise<void>;
  /**
   * Deletes the attempts of an account of these kinds, and all of the devices. Those of networks still count.
   *
   * After a new password forget `log-in` alone: who reads the mails of the account could otherwise guess codes without
   * an end, with a new password before each five.
   */
  readonly forget: (forgotten: Forgotten, transaction?: Transaction) => Promise<void>;
}

export interface Forgotten {
  readonly account: string;
  readonly kinds: readonly AttemptKind[];
  /** Keys, as `forget` of devices returns them. */
  readonly devices?: readonly string[];
}

export interface ThrottleOptions {
  /** Over the limits of each kind. */
  readonly limits?: { readonly [Kind in AttemptKind]?: Partial<AttemptLimits> };
  /**
   * The SQL name of a table of your own, with the columns `subject`, `at` and `pending`, all of text. By default
   * `seeother_failed_attempts`, which is created when it is first used.
   */
  readonly table?: string;
  readonly now?: () => Date;
}

/** Milliseconds until a pending attempt counts as failed: its process has probably crashed. */
const PENDING_TIMEOUT = 10_000;
const POLL_INTERVAL = 50;

/** Throws for limits that are not whole numbers from 1 on. */
export function createThrottle<Transaction extends WriteTransaction = WriteTransaction>(
  database: Database<Transaction>,
  { limits: own = {}, table: existing, now = () => new Date() }: ThrottleOptions = {},
): Throttle<Transaction> {
  const table = openTable(database, existing ?? null, 'seeother_failed_attempts', toCreate);
  const { name, write } = table;
  const limitsOf = (kind: AttemptKind): AttemptLimits => checkLimits(kind, own[kind]);
  for (const kind of KINDS) limitsOf(kind);

  /** `isFull`: if all pending attempts fail, this one would exceed the limit. */
  async function lookUp(run: Run, attempt: Attempt, time: number) {
    const { within } = limitsOf(attempt.kind);
    const limits = subjectsOf(attempt, limitsOf(attempt.kind));
    const rows = await run<Row>(
      `select subject, at, pending from ${name} where subject in (${places(limits)})
        and at > ? and at <= ? order by at desc`,
      [...limits.map(({ subject }) => subject), toText(time - within), toText(time)],
    );
    const lost = toText(time - PENDING_TIMEOUT);
    let [seconds, isFull] = [0, false];
    for (const { subject, max } of limits) {
      const all = rows.filter((row) => row.subject === subject);
      const failed = all.filter(({ at, pending }) => pending === '' || at <= lost);
      const oldest = failed[max - 1];
      if (oldest !== undefined)
        seconds = Math.max(seconds, Math.ceil((Date.parse(oldest.at) + within - time) / 1000));
      if (all.length >= max) isFull = true;
    }
    return { seconds, isFull };
  }

  const tryToBegin = (attempt: Attempt) =>
    write(async (transaction): Promise<Begun> => {
      const { run } = transaction;
      if (database.engine === 'postgres') await run('select pg_advisory_xact_lock(5334303, 2)');
      const time = now().getTime();
      const at = toText(time);
      const { within } = limitsOf(attempt.kind);
      const patterns = patternsOf(attempt.kind);
      await run(
        `delete from ${name} where at <= ? and (${patterns.map(() => 'subject like ?').join(' or ')})`,
        [toText(time - within), ...patterns],
      );
      // If the clock was set back, failures in the future are given the present time, so no wait exceeds
      // the window.
      await run(`update ${name} set at = ? where at > ?`, [at, at]);
      const { seconds, isFull } = await lookUp(rowsOf(transaction), attempt, time);
      if (seconds > 0) return { kind: 'wait', seconds };
      if (isFull) return { kind: 'busy' };
      const id = randomUUID();
      const subjects = subjectsOf(attempt, limitsOf(attempt.kind));
      await run(
        `insert into ${name} (subject, at, pending) values ${subjects.map(() => '(?, ?, ?)').join()}`,
        subjects.flatMap(({ subject }) => [subject, at, id]),
      );
      return { kind: 'begun', id };
    });

  return {
    secondsToWait: async (attempt) => (await lookUp(table.read, attempt, now().getTime())).seconds,
    async begin(attempt) {
      for (let waited = 0; waited < PENDING_TIMEOUT; waited += POLL_INTERVAL) {
        const begun = await tryToBegin(attempt);
        if (begun.kind !== 'busy') return begun;
        await setTimeout(POLL_INTERVAL);
      }
      return { kind: 'busy' };
    },
    end: (attempt, id, hasFailed) =>
      write(async ({ run }) => {
        const subjects = subjectsOf(attempt, limitsOf(attempt.kind));
        const isThis = `subject in (${places(subjects)}) and pending = ?`;
        const values = [...subjects.map(({ subject }) => subject), id];
        if (hasFailed) await run(`update ${name} set pending = '' where ${isThis}`, values);
        else await run(`delete from ${name} where ${isThis}`, values);
      }),
    forget: ({ account, kinds, devices = [] }, transaction) =>
      write(async ({ run }) => {
        const subjects = [
          ...kinds.map((kind) => accountSubject(kind, account)),
          ...devices.flatMap((device) => KINDS.map((kind) => deviceSubject(kind, device))),
        ];
        if (subjects.length === 0) return;
        await run(`delete from ${name} where subject in (${places(subjects)})`, subjects);
      }, transaction),
  };
}

interface Row {
  readonly subject: string;
  readonly at: string;
  /** Empty when the attempt has failed. */
  readonly pending: string;
}

type Run = <T>(sql: string, values: readonly string[]) => Promise<readonly T[]>;

function rowsOf({ run }: Connection): Run {
  return async <T>(sql: string, values: readonly string[]) => (await run<T>(sql, values)).rows;
}

const toCreate = (name: string): readonly string[] => [
  `create table if not exists ${name} (
    subject text not null, at text not null, pending text not null default '')`,
  `create index if not exists ${name}_by_subject on ${name} (subject, at)`,
  `create index if not exists ${name}_by_time on ${name} (at)`,
];

const KINDS = Object.keys(LIMITS) as readonly AttemptKind[];

/** Log-ins came first, so their subjects have no prefix. */
function prefixOf(kind: AttemptKind): string {
  return kind === 'log-in' ? '' : `${kind} `;
}

function patternsOf(kind: AttemptKind): readonly string[] {
  return kind === 'log-in' ? ['account:%', 'address:%', 'device:%'] : [`${kind} %`];
}

function accountSubject(kind: AttemptKind, account: string): string {
  return `${prefixOf(kind)}account:${account}`;
}

function deviceSubject(kind: AttemptKind, device: string): string {
  return `${prefixOf(kind)}device:${device}`;
}

/** The subjects that an attempt counts for, and the maximum failures of each. */
function subjectsOf({ kind, account, networks, device }: Attempt, limits: AttemptLimits) {
  if (device !== null) return [{ subject: deviceSubject(kind, device), max: limits.device }];
  return [
    { subject: accountSubject(kind, account), max: limits.account },
    ...networks.map((network, index) => ({
      subject: `${prefixOf(kind)}address:${network}`,
      max: limits.networks[index] ?? limits.account,
    })),
  ];
}

function checkLimits(kind: AttemptKind, own: Partial<AttemptLimits> = {}): AttemptLimits {
  const limits = { ...LIMITS[kind], ...own };
  const { within, account, networks, device } = limits;
  const wrong = [within, account, device, ...networks].find(
    (one) => !Number.isSafeInteger(one) || one < 1,
  );
  if (wrong === undefined) return limits;
  throw new TypeError(
    `Cannot limit attempts of ${kind} with ${wrong}: pass whole numbers from 1 on, and the time in milliseconds.`,
  );
}

function places(list: readonly unknown[]): string {
  return list.map(() => '?').join();
}

function toText(time: number): string {
  return new Date(time).toISOString();
}
