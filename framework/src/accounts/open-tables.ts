/** The tables of accounts are opened as two, because rows expire in two of them: once a day, in another write. */
import type { Database, WriteTransaction } from '../database/database.ts';
import { openTable, type Table } from '../database/tables.ts';
import type { CheckedOptions } from './account-options.ts';
import type { Write } from './account-store.ts';
import { accountStatements, TABLES } from './account-tables.ts';

const DAY = 86_400_000;

export function openTables(
  database: Database,
  { now, keepEvents, tables }: Pick<CheckedOptions, 'now' | 'keepEvents' | 'tables'>,
): { readonly table: Table<WriteTransaction>; readonly write: Write } {
  const toStatements = () => accountStatements(database.engine, tables);
  const open = (name: string, column: string, days: number) =>
    openTable(database, null, name, toStatements, { column, after: days * DAY, every: DAY });
  const table = open(TABLES.tokens, 'ends_at', 1);
  const log = open(TABLES.events, 'at', keepEvents);
  return {
    table,
    write: (work) =>
      table.write(async (transaction) => {
        for (const { sweep } of [table, log]) await sweep(transaction, now().getTime());
        return work(transaction);
      }),
  };
}
