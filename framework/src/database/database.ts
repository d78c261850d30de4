/**
 * What SQLite and PostgreSQL have in common: reads, one door for every write, and an error for a database
 * that cannot be used now. A value has the place `?` on both; otherwise, the SQL is that of the engine.
 */

import type { Awaitable } from '../http/awaitable.ts';
import { COUNT, FUNCTION, type OptionKinds } from '../http/check-options.ts';

/** A value in a statement or a row. */
export type Value = string | number | bigint | Uint8Array | null;

/** What a statement has returned. */
export interface Result<Row> {
  readonly rows: readonly Row[];
  /** Rows that the statement has changed; of one that returns rows, how many. */
  readonly changes: number;
}

/** Runs statements: one after the other inside a transaction, each by itself elsewhere. */
export interface Connection {
  /** Rejects with a `DatabaseUnavailable` when the database is away, locked, full or too slow. */
  readonly run: <Row = Readonly<Record<string, Value>>>(
    sql: string,
    values?: readonly Value[],
  ) => Promise<Result<Row>>;
}

/** A connection whose results may be there without waiting. What a `Connection` rejects with, it may throw. */
export interface CachedConnection {
  readonly run: <Row = Readonly<Record<string, Value>>>(
    sql: string,
    values?: readonly Value[],
  ) => Awaitable<Result<Row>>;
}

/** What the function passed to `write` gets. */
export interface WriteTransaction extends Connection {
  /**
   * Runs `finish` before the commit: on SQLite after all writes that share the transaction, on PostgreSQL after
   * this write. SQLite flushes a full-text index whenever another table is changed after it, so several writes cost
   * less if all of them change the index at the end. If `finish` fails, so does the write.
   */
  readonly atEnd: (finish: () => Promise<void>) => void;
  /**
   * Calls `done` once this write is on disk, and never if it fails. A crash may come between: work that must not be
   * lost belongs in an outbox.
   */
  readonly onCommit: (done: () => void) => void;
}

/**
 * An open database: reads of three kinds, and one door for every write. `Transaction` is what a write gets, such as a
 * `WriteTransaction` with a query builder around it.
 */
export interface Database<Transaction extends WriteTransaction = WriteTransaction> {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * For single statements that change nothing; others are refused. They do not wait for writes. On SQLite they may
   * see a commit shortly before it is on disk.
   */
  readonly read: Connection;
  /**
   * For reads that every page needs. SQLite caches the rows until a connection commits, so they must not be
   * changed, and returns them at once: a page of such reads waits for nothing.
   */
  readonly cachedRead: CachedConnection;
  /**
   * For reads that may take long, such as searches: on SQLite they run one after another in another thread, on
   * PostgreSQL on separate connections.
   */
  readonly slowRead: Connection;
  /**
   * Runs `work` in one transaction. When the promise is fulfilled, all of it is on disk; when it is rejected,
   * nothing was written, unless the error says otherwise (`Outcome`). `work` may run again, so it must change
   * nothing but the database. Other writes wait for it, so it must wait only for its own statements, and must not
   * start another write. If a statement fails, the write fails, even if `work` catches the error or does not await
   * the statement.
   */
  readonly write: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
  /** All reads in `work` see the database as of one moment. */
  readonly snapshot: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;
  /** Why writes fail, if the disk is full or fails while reads work: null once one has succeeded for a while. */
  readonly writeFailure: () => DatabaseUnavailable | null;
  /** Resolves when the database answers a read. Concurrent calls share one read. */
  readonly check: () => Promise<void>;
  /** Waits for running writes. */
  readonly close: () => Promise<void>;
}

/** Options of `openSqlite` and `openPostgres`. */
export interface OpenOptions {
  /** Milliseconds that a statement waits for a connection, a lock or an answer: 2,000 by default. */
  readonly timeout?: number;
  /** Called for problems that no caller sees, such as a broken idle connection. */
  readonly report?: (entry: { readonly message: string; readonly error?: unknown }) => void;
  /**
   * Runs before everything else, on a connection that may change tables and begin transactions. If several
   * processes open a PostgreSQL database at once, they run it one after another.
   */
  readonly migrate?: (connection: Connection) => Promise<void>;
}

export const OPEN_KINDS: OptionKinds<OpenOptions> = {
  timeout: COUNT,
  report: FUNCTION,
  migrate: FUNCTION,
};

/**
 * The outcome of a failed `write`. `unknown`: the connection or the disk failed during the commit, so it may have been
 * saved.
 */
export type Outcome = 'not saved' | 'unknown';

/** What is wrong with the disk of the database. Reads still work. */
export type DiskTrouble = 'full' | 'fails';

/** The database is away, locked, full or too slow. That is transient: answer 503 with `Retry-After`. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly outcome: Outcome;
  /** Null for any other cause. */
  readonly disk: DiskTrouble | null;

  /** `why` is for the log. It must not contain the address of the database, which may contain a password. */
  constructor(
    why: string,
    options: {
      readonly cause?: unknown;
      readonly outcome?: Outcome;
      readonly disk?: DiskTrouble | null;
    } = {},
  ) {
    super(`The database cannot be used now: ${why}`, { cause: options.cause });
    this.outcome = options.outcome ?? 'not saved';
    this.disk = options.disk ?? null;
  }
}

/** Calls that arrive while `run` is running share its result. */
export function shareCheck(run: () => Promise<unknown>): Database['check'] {
  let running: Promise<void> | null = null;
  return () => {
    running ??= run()
      .then(() => {})
      .finally(() => {
        running = null;
      });
    return running;
  };
}

/** The error of a write on a connection for reads: a mistake of the code, so that waiting does not help. */
export function refuseWrite(sql: string, cause: unknown): Error {
  return new Error(
    `Cannot run ${sql}. This connection only reads: use \`transaction\` or \`database.write\`.`,
    { cause },
  );
}

/** For reads: nothing is lost with one that no code awaits, and an unhandled rejection would end the process. */
export function withoutUnhandledRejections({ run }: Connection): Connection {
  return {
    run(sql, values) {
      const answer = run<never>(sql, values);
      answer.catch(() => {});
      return answer;
    },
  };
}
