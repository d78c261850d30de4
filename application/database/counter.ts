/**
 * Consecutive numbers that are never reused. The next number is taken in the transaction of the row that gets it,
 * so a failed insert leaves no gap.
 */
import type { Kysely } from 'kysely';
import type { KyselyTransaction } from './kysely.ts';
import type { Schema } from './schema.ts';

type Counter =
  | 'items'
  | 'accounts'
  | 'item events'
  | 'item files'
  | 'batches'
  | 'counts'
  | 'imports'
  | 'places'
  | 'field changes'
  | 'forgotten words'
  | 'item kinds'
  | 'own fields';

/** Takes the next numbers of the counter, which begins at 1. Resolves to the first of them. */
export async function nextNumber(
  transaction: KyselyTransaction,
  counter: Counter,
  count = 1,
): Promise<number> {
  const { value } = await countUp(transaction, counter, count).executeTakeFirstOrThrow();
  return value - count + 1;
}

/** A statement that takes the next numbers and returns the last of them. */
export function countUp(source: Kysely<Schema>, counter: Counter, count = 1) {
  return source
    .insertInto('counters')
    .values({ name: counter, value: count })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ value: row('counters.value', '+', count) })),
    )
    .returning('value');
}
