/** Kysely's own dialect for SQLite, over a connection of node:sqlite: for tables of older versions. */
import type { DatabaseSync } from 'node:sqlite';
import { type Dialect, SqliteDialect } from 'kysely';

export function createSqliteDialect(connection: DatabaseSync): Dialect {
  return new SqliteDialect({
    database: {
      close: () => connection.close(),
      prepare(sql) {
        const statement = connection.prepare(sql);
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => statement.all(...(parameters as string[])),
          run: (parameters) => statement.run(...(parameters as string[])),
          iterate: (parameters) => statement.iterate(...(parameters as string[])),
        };
      },
    },
  });
}
