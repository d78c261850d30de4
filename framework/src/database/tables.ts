/**
 * The tables of the framework's stores, in SQL for both engines. The first use creates one. After a failure, the next
 * use tries again.
 */
import type { Awaitable } from '../http/awaitable.ts';
import type { Connection, Database, Value, WriteTransaction } from './database.ts';

export interface Table<Transaction> {
  readonly name: string;
  /**
   * `read` and `write` begin with it. In a transaction, it creates the table there, because the transaction may be
   * rolled back, and cannot wait for another write.
   */
  readonly prepare: (transaction?: Transaction) => Awaitable<void>;
  /** The rows of a statement outside of transactions. */
  readonly read: <Row>(sql: string, values: readonly Value[]) => Promise<readonly Row[]>;
  /** In the given transaction, or in one of its own. */
  readonly write: <T>(
    work: (transaction: Transaction) => Promise<T>,
    transaction?: Transaction,
  ) => Promise<T>;
  /** Within a write: removes old rows, unless it did so a short time ago. */
  readonly sweep: (connection: Connection, now?: number) => Promise<void>;
}

/**
 * Old rows have in `column` a time of `after` milliseconds ago, or more. They are removed every so many milliseconds.
 */
export interface Sweep {
  readonly column: string;
  readonly after: number;
  readonly every: number;
}

/** `existing` is the SQL name of a table of the application, which is neither created nor swept. */
export function openTable<Transaction extends WriteTransaction>(
  database: Database<Transaction>,
  existing: string | null,
  ownName: string,
  toStatements: (name: string) => readonly string[],
  { column, after, every }: Sweep = { column: '', after: 0, every: Number.POSITIVE_INFINITY },
): Table<Transaction> {
  const name = existing ?? ownName;
  let isMade = existing !== null;
  let making: Promise<void> | null = null;
  let sweptAt = 0;

  const make = async ({ run }: Connection): Promise<void> => {
    // Without the lock, two processes could both find no table.
    if (database.engine === 'postgres') await run('select pg_advisory_xact_lock(5334303, 9)');
    for (const statement of toStatements(name)) await run(statement);
  };
  const makeIn = async (transaction: Transaction): Promise<void> => {
    await make(transaction);
    transaction.onCommit(() => {
      isMade = true;
    });
  };
  const makeOnce = async (): Promise<void> => {
    await database.write(make);
    isMade = true;
  };
  const prepare = (transaction?: Transaction): Awaitable<void> => {
    if (isMade) return;
    if (transaction !== undefined) return makeIn(transaction);
    making ??= makeOnce().finally(() => {
      making = null;
    });
    return making;
  };

  return {
    name,
    prepare,
    async read<Row>(sql: string, values: readonly Value[]) {
      await prepare();
      return (await database.read.run<Row>(sql, values)).rows;
    },
    async write(work, transaction) {
      await prepare(transaction);
      return transaction === undefined ? database.write(work) : work(transaction);
    },
    async sweep({ run }, now = Date.now()) {
      if (existing !== null || Math.abs(now - sweptAt) < every) return;
      await run(`delete from ${name} where ${column} <= ?`, [new Date(now - after).toISOString()]);
      sweptAt = now;
    },
  };
}
