/**
 * Prepared reads on SQLite: they answer at once, on a connection of their own. It is never inside a
 * transaction, so that each of them sees what was committed last, whatever the other connections do.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import { compileRead } from './prepared-read.ts';
import type { Schema } from './schema.ts';
import { fromSqlite } from './sqlite-errors.ts';

export interface SqliteReads {
  readonly prepare: Database['prepare'];
  readonly close: () => void;
}

/** `timeout` is how many milliseconds to wait for a lock; `read` compiles the queries. */
export function openSqliteReads(file: string, timeout: number, read: Kysely<Schema>): SqliteReads {
  const connection = new DatabaseSync(file, { readOnly: true, timeout });
  return {
    prepare(build) {
      const { query, toParameters } = compileRead(read, build);
      const run = createRun(connection, query.sql);
      return (values) => {
        try {
          return run(toParameters(values) as SQLInputValue[]) as never;
        } catch (error) {
          throw fromSqlite(error);
        }
      };
    },
    close: () => connection.close(),
  };
}

/** The statement is prepared when it is first run: the start is not the time for it. */
function createRun(connection: DatabaseSync, sql: string) {
  let statement: StatementSync | null = null;
  let names: readonly string[] = [];
  return (parameters: readonly SQLInputValue[]): readonly object[] => {
    if (statement === null) {
      statement = connection.prepare(sql);
      // Half the time: node:sqlite would make slow objects of the rows.
      statement.setReturnArrays(true);
      names = statement.columns().map(({ name }) => name);
    }
    const rows = statement.all(...parameters) as unknown as readonly (readonly unknown[])[];
    return rows.map((row) => toObject(names, row));
  };
}

function toObject(names: readonly string[], row: readonly unknown[]): object {
  const object: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) object[names[index] as string] = row[index];
  return object;
}
