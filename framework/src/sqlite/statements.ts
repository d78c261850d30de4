/** The statements of one connection to SQLite, each prepared once. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Result, Value } from '../database/database.ts';
import {
  namedPlace,
  notStored,
  requireValues,
  severalStatements,
  tooLarge,
  wrongCount,
} from '../database/statement-errors.ts';
import { createPublisher } from '../events/events.ts';

export type RunStatement = (sql: string, values?: readonly Value[]) => Result<never>;

interface Prepared {
  readonly statement: StatementSync;
  /** The names of the columns; empty for a statement that returns no rows. */
  readonly names: readonly string[];
  readonly places: number;
  readonly hasAllColumns: boolean;
}

/** Bounds the memory of an application that builds SQL from its input. */
const MAX_PREPARED = 500;

const ran = createPublisher('statement');

export function prepareStatements(database: DatabaseSync): RunStatement {
  const statements = new Map<string, Prepared>();
  let readVersion: StatementSync | undefined;
  let version: unknown;

  /** Another process may have added a column, which most versions of Node leave out of the rows of `select *`. */
  const hasSchemaChanged = (): boolean => {
    readVersion ??= database.prepare('pragma schema_version');
    const before = version;
    version = readVersion.get()?.['schema_version'];
    return version !== before;
  };

  const prepare = (sql: string): Prepared => {
    const known = statements.get(sql);
    const hasAllColumns = known?.hasAllColumns ?? ALL_COLUMNS.test(sql);
    const isOld = hasAllColumns && hasSchemaChanged();
    if (known !== undefined && !isOld) return known;
    if (isOld || statements.size >= MAX_PREPARED) statements.clear();
    const statement = database.prepare(sql);
    // SQLite prepares the first statement, and node:sqlite ignores the others.
    const others = sql.slice(statement.sourceSQL.length).replaceAll(BLANK, '');
    if (others !== '') throw severalStatements(sql);
    const prepared = {
      statement,
      names: namesOf(statement),
      places: countPlaces(sql),
      hasAllColumns,
    };
    // Halves the time of a read: building row objects in node:sqlite is slow.
    if (prepared.names.length > 0) statement.setReturnArrays(true);
    // lastInsertRowid may be one of a full-text index, which does not fit into a JavaScript number.
    else statement.setReadBigInts(true);
    statements.set(sql, prepared);
    return prepared;
  };

  return (sql, values = []) => {
    requireValues(sql, values);
    // node:sqlite takes an object as the first value for named parameters.
    if (isObject(values[0])) throw notStored(sql);
    const { statement, names, places } = prepare(sql);
    // SQLite takes null for a value that is missing.
    if (values.length !== places) throw wrongCount(sql, places, values.length);
    if (names.length === 0) {
      const { changes } = statement.run(...(values as SQLInputValue[]));
      if (ran.isHeard) ran.publish({ sql, rows: 0 });
      return { rows: [], changes: Number(changes) };
    }
    const rows = readAll(sql, statement, values);
    if (ran.isHeard) ran.publish({ sql, rows: rows.length });
    return { rows: rows.map((row) => toObject(names, row)), changes: rows.length };
  };
}

/** `select *`, `returning *` and `items.*`, but neither `count(*)` nor a product. */
const ALL_COLUMNS = /(?:\b(?:select|all|distinct|returning)|[,.])\s*\*/i;
/** Spaces, semicolons and comments. */
const BLANK = /[\s;]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
/** A place for a value: `?`, `?2`, `:name`. Or what may contain its characters: a text, a name, a comment. */
const PLACES =
  /\?(?<number>\d*)|(?<named>[:@$#][\w$]+)|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** `?2` is the second place, and `?` the one after the highest before it. */
function countPlaces(sql: string): number {
  let count = 0;
  for (const { groups } of sql.matchAll(PLACES)) {
    const { number, named } = groups as { readonly number?: string; readonly named?: string };
    if (named !== undefined) throw namedPlace(sql, named);
    if (number !== undefined) count = Math.max(count, Number(number) || count + 1);
  }
  return count;
}

function readAll(
  sql: string,
  statement: StatementSync,
  values: readonly Value[],
): readonly Value[][] {
  try {
    return statement.all(...(values as SQLInputValue[])) as unknown as readonly Value[][];
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message: string };
    throw code === 'ERR_OUT_OF_RANGE' ? tooLarge(sql, /-?\d+/.exec(message)?.[0] ?? '') : error;
  }
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
