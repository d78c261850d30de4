/**
 * Buckets of `limitRate` in a table, so that a limit holds across processes and restarts. A refused request only
 * reads. Each take is one statement for each bucket, and a later one sees it, so requests at once cannot exceed the
 * limit.
 */
import {
  type Bucket,
  boundsOf,
  type EmptyBucket,
  intervalOf,
  type RateStore,
  waitFor,
} from '../middleware/rate-store.ts';
import type { Connection, Database, WriteTransaction } from './database.ts';
import { openTable } from './tables.ts';

/** Requests between two removals of full buckets, and how many are removed: more than that many requests add. */
const SWEEP_INTERVAL = 100;
const SWEEP_SIZE = 1_000;

/**
 * The store of a `limitRate`, in the table `seeother_rates`, which is created when it is first used. `name` tells the
 * limits of a database apart: those with the same name count together.
 */
export function createRateStore<Transaction extends WriteTransaction = WriteTransaction>(
  database: Database<Transaction>,
  name: string,
): RateStore {
  const { prepare } = openTable(database, null, 'seeother_rates', (table) => [
    `create table if not exists ${table} (
      key text not null primary key, full_at double precision not null)`,
    `create index if not exists ${table}_by_end on ${table} (full_at)`,
  ]);
  const select = 'select full_at from seeother_rates where key = ?';
  const upsert = `insert into seeother_rates (key, full_at) values (?, ?)
    on conflict (key) do update set full_at = ? +
      case when seeother_rates.full_at between ? and ? then seeother_rates.full_at else ? end
    where seeother_rates.full_at <= ? or seeother_rates.full_at > ?`;
  const putBack = 'update seeother_rates set full_at = full_at - ? where key = ?';
  // On PostgreSQL, two processes could otherwise wait for each other's rows.
  const skipLocked = database.engine === 'postgres' ? 'for update skip locked' : '';
  const removeFull = `delete from seeother_rates where key in (
    select key from seeother_rates where full_at <= ? limit ${SWEEP_SIZE} ${skipLocked})`;
  let requests = 0;

  const toKey = ({ key }: Bucket) => `${name} ${key}`;

  const findEmpty = async (
    { run }: Connection,
    buckets: readonly Bucket[],
    within: number,
  ): Promise<EmptyBucket | null> => {
    const now = Date.now();
    for (const bucket of buckets) {
      const { rows } = await run<{ readonly full_at: number }>(select, [toKey(bucket)]);
      const wait = waitFor(bucket, rows[0]?.full_at ?? 0, within, now);
      if (wait > 0) return { key: bucket.key, wait };
    }
    return null;
  };

  const takeOne = async ({ run }: Connection, bucket: Bucket, within: number): Promise<void> => {
    const now = Date.now();
    const interval = intervalOf(bucket, within);
    const { latest, ignored } = boundsOf(bucket, within, now);
    const added = [toKey(bucket), now + interval];
    const moved = [interval, now, ignored, now];
    const { changes } = await run(upsert, [...added, ...moved, latest, ignored]);
    if (changes === 0) throw new TakenMeanwhile();
  };

  return {
    async take(buckets, within) {
      await prepare();
      for (;;) {
        const empty = await findEmpty(database.read, buckets, within);
        if (empty !== null) return empty;
        const taken = database.write(async (transaction) => {
          for (const bucket of inOrder(buckets)) await takeOne(transaction, bucket, within);
          if (requests++ % SWEEP_INTERVAL === 0) await transaction.run(removeFull, [Date.now()]);
        });
        if (await taken.then(() => true, ignoreTaken)) return null;
      }
    },
    giveBack: (buckets, within) =>
      database.write(async ({ run }) => {
        for (const bucket of inOrder(buckets))
          await run(putBack, [intervalOf(bucket, within), toKey(bucket)]);
      }),
  };
}

/** Another request has taken the last one since the read. Nothing of this transaction is committed. */
class TakenMeanwhile extends Error {}

function ignoreTaken(error: unknown): false {
  if (error instanceof TakenMeanwhile) return false;
  throw error;
}

/** All transactions lock their rows in the same order, so none waits for one that waits for it. */
function inOrder(buckets: readonly Bucket[]): readonly Bucket[] {
  return buckets.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}
