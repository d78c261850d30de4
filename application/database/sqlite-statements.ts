/**
 * The statements of one connection, each prepared once and kept. Of a statement that returns no rows
 * it is told what it changed.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

export interface Ran {
  readonly rows: readonly object[];
  /** Undefined for a statement that returns rows. */
  readonly changes?: number | bigint;
  readonly lastInsertRowid?: number | bigint;
}

export type RunStatement = (sql: string, parameters: readonly unknown[]) => Ran;

interface Prepared {
  readonly statement: StatementSync;
  /** Of the columns; none for a statement that returns no rows. */
  names: readonly string[];
}

/** The queries of an application are few; a bound guards against one that is built ever anew. */
const MOST_PREPARED = 500;

export function keepStatements(database: DatabaseSync): RunStatement {
  const kept = new Map<string, Prepared>();

  const prepare = (sql: string): Prepared => {
    const known = kept.get(sql);
    if (known !== undefined) return known;
    if (kept.size >= MOST_PREPARED) kept.clear();
    const statement = database.prepare(sql);
    const prepared = { statement, names: namesOf(statement) };
    // Half the time: node:sqlite makes slow objects of rows.
    if (prepared.names.length > 0) statement.setReturnArrays(true);
    // The last row may be one of an index of words, whose numbers no JavaScript number can hold.
    else statement.setReadBigInts(true);
    kept.set(sql, prepared);
    return prepared;
  };

  return (sql, parameters) => {
    // node:sqlite would take the first one for named parameters.
    if (isObject(parameters[0])) {
      throw new TypeError(`Cannot run ${sql}: its first value is no text, no number and no bytes.`);
    }
    const prepared = prepare(sql);
    const { statement } = prepared;
    const values = parameters as SQLInputValue[];
    if (prepared.names.length === 0) {
      const { changes, lastInsertRowid } = statement.run(...values);
      return { rows: [], changes, lastInsertRowid };
    }
    const rows = statement.all(...values) as unknown as readonly (readonly unknown[])[];
    // A newer instance has added a column, and the statement asks for all of them.
    if (rows[0] !== undefined && rows[0].length !== prepared.names.length)
      prepared.names = namesOf(statement);
    return { rows: rows.map((row) => toObject(prepared.names, row)) };
  };
}

function namesOf(statement: StatementSync): readonly string[] {
  return statement.columns().map(({ name }) => name);
}

function toObject(names: readonly string[], row: readonly unknown[]): object {
  const object: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) object[names[index] as string] = row[index];
  return object;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}
