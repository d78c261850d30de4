/**
 * Numbers that count up without a gap and are never used again: the next one is taken in the
 * transaction of what it numbers, so that a failed insert gives it back.
 */
import type { Writing } from '../database/database.ts';

/** The next number of the counter; the first is 1. */
export async function nextNumber(
  transaction: Writing,
  counter: 'items' | 'accounts',
): Promise<number> {
  const { value } = await transaction
    .insertInto('counters')
    .values({ name: counter, value: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ value: row('counters.value', '+', 1) })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}
