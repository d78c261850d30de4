/**
 * Values in a table, as JSON. In the transaction of a form, a value changes with everything else that the form
 * writes. On PostgreSQL, a read in a transaction locks the row, and without a value the place of one: two transactions
 * that find nothing would both store the first value.
 */
import type { ValueStore } from '../form/value-store.ts';
import type { Database, WriteTransaction } from './database.ts';
import { openTable } from './tables.ts';

const HOUR = 3_600_000;

/** It creates the table `seeother_values` when it is first used, and removes expired values. */
export function createValueStore<Transaction extends WriteTransaction = WriteTransaction>(
  database: Database<Transaction>,
): ValueStore<Transaction> {
  const { name, prepare, write, sweep } = openTable(
    database,
    null,
    'seeother_values',
    (name) => [
      `create table if not exists ${name} (key text primary key, value text not null, expires_at text)`,
      `create index if not exists ${name}_by_end on ${name} (expires_at)`,
    ],
    { column: 'expires_at', after: 0, every: HOUR },
  );
  const select = `select value from ${name} where key = ? and (expires_at is null or expires_at > ?)`;
  // On SQLite, a transaction that writes already holds the only lock.
  const selectLocked = database.engine === 'postgres' ? `${select} for update` : select;
  const upsert = `insert into ${name} (key, value, expires_at) values (?, ?, ?)
    on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`;
  // An expired row, so nobody finds it. It waits for the row of another transaction, and locks one that is there.
  const hold = `insert into ${name} (key, value, expires_at) values (?, 'null', '')
    on conflict (key) do update set value = excluded.value where false`;
  const removeOne = `delete from ${name} where key = ?`;

  return {
    async find(key, transaction) {
      await prepare(transaction);
      const values = [key, new Date().toISOString()];
      const look = async () => {
        const { rows } =
          transaction === undefined
            ? await database.read.run<ValueRow>(select, values)
            : await transaction.run<ValueRow>(selectLocked, values);
        return rows[0] === undefined ? null : JSON.parse(rows[0].value);
      };
      const found = await look();
      if (found !== null || transaction === undefined || database.engine !== 'postgres')
        return found;
      await transaction.run(hold, [key]);
      return look();
    },
    put: (key, value, expiresAt, transaction) =>
      write(async (connection) => {
        await sweep(connection);
        const end = expiresAt?.toISOString() ?? null;
        await connection.run(upsert, [key, JSON.stringify(value), end]);
      }, transaction),
    async remove(key, transaction) {
      await write(({ run }) => run(removeOne, [key]), transaction);
    },
  };
}

type ValueRow = { readonly value: string };
