/**
 * Gives items that are there a kind, and values in three fields, for a measurement: a choice of three, a number that is
 * different for most, and a text in words. One item in ten has no value.
 */
import { sql } from 'kysely';
import type { Database } from '../database/kysely.ts';
import { createField, createKind } from '../own-fields/change-definitions.ts';
import { analyze } from './fill-items.ts';

const CHOICES = ['Good', 'Worn', 'Broken'].map((label, at) => ({ id: `c${at + 1}`, label }));

export async function fillOwnFields(database: Database): Promise<void> {
  await database.write(async (transaction) => {
    await createKind(transaction, { name: 'Tool' }, null);
    const shown = { inList: true } as const;
    await createField(
      transaction,
      { kind: 'choice', label: 'State', choices: CHOICES, ...shown },
      null,
    );
    await createField(transaction, { kind: 'money', label: 'Price', unit: 'EUR', ...shown }, null);
    await sql`insert into item_values (item_number, field_id, position, value, key, number)
      select number, 1, 0, 'c' || (number % 3 + 1), 'c' || (number % 3 + 1), null
      from items where number % 10 <> 0`.execute(transaction);
    await sql`insert into item_values (item_number, field_id, position, value, key, number)
      select number, 2, 0, cast(number * 7919 % 100000 as text), cast(number * 7919 % 100000 as text),
        number * 7919 % 100000
      from items where number % 10 <> 0`.execute(transaction);
    await sql`update items set kind = 1 where number % 50 = 7`.execute(transaction);
    await analyze(transaction, ['items', 'item_values']);
  });
}
