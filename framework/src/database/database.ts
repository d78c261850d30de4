/**
 * What SQLite and PostgreSQL have in common: reads, one door for every write, and an error for a database
 * that cannot be used now. The SQL differs: SQLite takes `?` for a value, PostgreSQL `$1`.
 */

/** A value in a statement or a row. */
export type Value = string | number | bigint | Uint8Array | null;

/** What a statement has returned. */
export interface Result<Row> {
  readonly rows: readonly Row[];
  /** Rows that the statement has changed; 0 for one that returns rows of SQLite. */
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

/** What the work of a `write` is given. */
export interface WriteTransaction extends Connection {
  /**
   * Runs the function before the commit: on SQLite after all works that share the transaction, and on
   * PostgreSQL after this one. SQLite writes a full-text index to its file whenever other tables are changed
   * after it, so that several works cost less when they all change it at the end. If the function fails, so
   * does the work.
   */
  readonly atEnd: (finish: () => Promise<void>) => void;
}

/** An open database: reads of three kinds, and one door for every write. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * For single statements that change nothing; they do not wait for a write. On SQLite they may see a
   * commit a moment before it is on disk.
   */
  readonly read: Connection;
  /**
   * For reads of tables that every page needs. SQLite gives the same rows again until a connection
   * commits: nobody changes them.
   */
  readonly cachedRead: Connection;
  /**
   * For reads that may take long, such as searches: on SQLite they run one by one in a thread, on
   * PostgreSQL over connections of their own.
   */
  readonly slowRead: Connection;
  /**
   * Runs the work in one transaction: when the promise is fulfilled all of it is on disk, when it is
   * rejected nothing is. The work may run again, so it changes nothing but the database. Other writes
   * wait for it, so it waits for nothing but its statements, and starts no other write. A statement
   * that fails fails the work, even when the work catches the error.
   */
  readonly write: <T>(work: (transaction: WriteTransaction) => Promise<T>) => Promise<T>;
  /** All that the work reads is of one moment, however long it takes. */
  readonly snapshot: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;
  /** Resolves when the database answers a read. Simultaneous calls share one read. */
  readonly check: () => Promise<void>;
  /** Waits for the writes that are under way. */
  readonly close: () => Promise<void>;
}

/** Options of `openSqlite` and `openPostgres`. */
export interface OpenOptions {
  /** Milliseconds that a statement waits for a connection, a lock or an answer: 2,000 by default. */
  readonly timeout?: number;
  /** Is told what no caller waits for, such as an idle connection that broke. */
  readonly report?: (entry: { readonly message: string; readonly error?: unknown }) => void;
  /**
   * Runs before everything else, on a connection that may change tables and begin transactions. Of
   * processes that open a PostgreSQL database at once, one runs it at a time.
   */
  readonly migrate?: (connection: Connection) => Promise<void>;
}

/**
 * What became of the work of a `write` that failed. `unknown`: the connection broke during the commit, so
 * the work may have been saved.
 */
export type Outcome = 'not saved' | 'unknown';

/** The database is away, locked, full or too slow. That is transient: answer 503 with `Retry-After`. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly outcome: Outcome;

  /** `why` is for the log. It never holds the address of the database, which may hold a password. */
  constructor(why: string, options: { readonly cause?: unknown; readonly outcome?: Outcome } = {}) {
    super(`The database cannot be used now: ${why}`, { cause: options.cause });
    this.outcome = options.outcome ?? 'not saved';
  }
}

/** `run` is shared by all calls that come while it runs. */
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
