/**
 * Numbers that count up without a gap and are never used again: the next one is taken in the
 * transaction of what it numbers, so that a failed insert gives it back.
 */
import type { Kysely } from 'kysely';
import type { Writing } from './database.ts';
import type { Schema } from './schema.ts';

type Counter = 'items' | 'accounts' | 'item events' | 'batches' | 'imports';

/** The next number of the counter; the first is 1. */
export async function nextNumber(transaction: Writing, counter: Counter): Promise<number> {
  const { value } = await countUp(transaction, counter).executeTakeFirstOrThrow();
  return value;
}

/** The next numbers of the counter, without a gap. Resolves to the first. */
export async function nextNumbers(
  transaction: Writing,
  counter: Counter,
  count: number,
): Promise<number> {
  const { value } = await transaction
    .insertInto('counters')
    .values({ name: counter, value: count })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ value: row('counters.value', '+', count) })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return value - count + 1;
}

/** The statement that takes the next number, for whoever builds it once or asks it for more. */
export function countUp(source: Kysely<Schema>, counter: Counter) {
  return source
    .insertInto('counters')
    .values({ name: counter, value: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ value: row('counters.value', '+', 1) })),
    )
    .returning('value');
}
