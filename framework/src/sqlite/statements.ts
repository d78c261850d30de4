/** The statements of one connection to SQLite, each prepared once. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Result, Value } from '../database/database.ts';

export type RunStatement = (sql: string, values?: readonly Value[]) => Result<never>;

interface Prepared {
  readonly statement: StatementSync;
  /** The names of the columns; empty for a statement that returns no rows. */
  names: readonly string[];
}

/** Bounds the memory of an application that builds SQL from its input. */
const MAX_PREPARED = 500;

export function prepareStatements(database: DatabaseSync): RunStatement {
  const statements = new Map<string, Prepared>();

  const prepare = (sql: string): Prepared => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    if (statements.size >= MAX_PREPARED) statements.clear();
    const statement = database.prepare(sql);
    const prepared = { statement, names: namesOf(statement) };
    // Halves the time of a read: building row objects in node:sqlite is slow.
    if (prepared.names.length > 0) statement.setReturnArrays(true);
    // lastInsertRowid may be one of a full-text index, which does not fit into a JavaScript number.
    else statement.setReadBigInts(true);
    statements.set(sql, prepared);
    return prepared;
  };

  return (sql, values = []) => {
    // node:sqlite takes an object as the first value for named parameters.
    if (isObject(values[0])) {
      throw new TypeError(`Cannot run ${sql}: its first value is no text, no number and no bytes.`);
    }
    const prepared = prepare(sql);
    const { statement } = prepared;
    if (prepared.names.length === 0) {
      const { changes } = statement.run(...(values as SQLInputValue[]));
      return { rows: [], changes: Number(changes) };
    }
    const rows = statement.all(...(values as SQLInputValue[])) as unknown as readonly Value[][];
    // Another process has added a column to a table, and the statement selects *.
    if (rows[0] !== undefined && rows[0].length !== prepared.names.length)
      prepared.names = namesOf(statement);
    return { rows: rows.map((row) => toObject(prepared.names, row)), changes: 0 };
  };
}

function namesOf(statement: StatementSync): readonly string[] {
  return statement.columns().map(({ name }) => name);
}

function toObject(names: readonly string[], row: readonly Value[]): never {
  const object: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) object[names[index] as string] = row[index];
  return object as never;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}
