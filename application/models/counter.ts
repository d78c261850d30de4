/**
 * Numbers that count up without a gap and are never used again: the next one is taken in the
 * transaction of what it numbers, so that a failed insert gives it back.
 */
import type { Kysely } from 'kysely';
import type { Database, Writing } from '../database/database.ts';
import { prepareWrite } from '../database/prepared-write.ts';
import type { Schema } from '../database/schema.ts';

type Counter = 'items' | 'accounts';

/** Takes the next number; the first is 1. */
export type TakeNumber = (transaction: Writing) => Promise<number>;

/** For what is numbered often: the statement is built once. */
export function prepareCounter(database: Database, counter: Counter): TakeNumber {
  const count = prepareWrite(database, (source) => countUp(source, counter));
  return async (transaction) => toNumber((await transaction.executeQuery(count({}))).rows);
}

export async function nextNumber(transaction: Writing, counter: Counter): Promise<number> {
  return toNumber(await countUp(transaction, counter).execute());
}

function countUp(source: Kysely<Schema>, counter: Counter) {
  return source
    .insertInto('counters')
    .values({ name: counter, value: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ value: row('counters.value', '+', 1) })),
    )
    .returning('value');
}

function toNumber([row]: readonly { readonly value: number }[]): number {
  if (row === undefined) throw new Error('Cannot take the next number: no row came back.');
  return row.value;
}
