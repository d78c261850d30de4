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
  readonly returnsRows: boolean;
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
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    // The last row may be one of an index of words, whose numbers no JavaScript number can hold.
    if (!prepared.returnsRows) statement.setReadBigInts(true);
    kept.set(sql, prepared);
    return prepared;
  };

  return (sql, parameters) => {
    // node:sqlite would take the first one for named parameters.
    if (isObject(parameters[0])) {
      throw new TypeError(`Cannot run ${sql}: its first value is no text, no number and no bytes.`);
    }
    const { statement, returnsRows } = prepare(sql);
    const values = parameters as SQLInputValue[];
    if (returnsRows) return { rows: statement.all(...values) };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], changes, lastInsertRowid };
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}
