/**
 * Writes the event of the addition of a single item. Its id is the number of the item, negative: no counter is written,
 * and the event comes before all others of the item. Its statement is prepared, because a create is the most frequent
 * write. Call it after the item is inserted, as after any change: see events/item-events.ts.
 */
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import type { Placeholders } from '../database/statement.ts';

export function prepareAddition({ statement }: Pick<Database, 'statement'>) {
  const insert = statement((source, values: Placeholders<Addition>) =>
    source.insertInto('item_events').values({
      id: values.id,
      item_number: values.number,
      item_name: values.name,
      version: 1,
      at: values.at,
      account_id: values.author,
      kind: 'added',
      reason: '',
      changes: '{}',
    }),
  );
  return async (transaction: KyselyTransaction, addition: Omit<Addition, 'id'>): Promise<void> => {
    await insert.run(transaction, { id: -addition.number, ...addition });
  };
}

interface Addition {
  readonly id: number;
  readonly number: number;
  readonly name: string;
  readonly author: number | null;
  readonly at: string;
}
