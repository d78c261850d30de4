/**
 * What neither engine may do silently: cut a text, store null for a value that is none, run a part of the SQL, round a
 * number. The sentences are the same on both.
 */
import type { Value } from './database.ts';

const cannotRun = (sql: string, why: string) => new TypeError(`Cannot run ${sql}: ${why}.`);

/** Throws for a value that a database would change. */
export function requireValues(sql: string, values: readonly Value[]): void {
  for (let index = 0; index < values.length; index++) {
    const why = flawOf(values[index]);
    if (why !== null) throw cannotRun(sql, `its value ${index + 1} ${why}`);
  }
}

function flawOf(value: Value | undefined): string | null {
  if (value === undefined) return 'is undefined. Pass null for no value';
  // SQLite stores null for it.
  if (Number.isNaN(value)) return 'is NaN';
  return typeof value === 'string' && value.includes('\0')
    ? 'has a NUL in it, which PostgreSQL refuses and SQLite may cut there'
    : null;
}

export function severalStatements(sql: string): Error {
  return cannotRun(
    sql,
    'it is more than one statement. Run them one after another, in one write if they belong together',
  );
}

export function wrongCount(sql: string, places: number, values: number): Error {
  return cannotRun(sql, `it has places for ${places} values, and got ${values}`);
}

export function namedPlace(sql: string, name: string): Error {
  return cannotRun(sql, `SQLite would take null for ${name}. Write ? for each value`);
}

export function notStored(sql: string): Error {
  return cannotRun(sql, 'its first value is no text, no number and no bytes');
}

/** For a row with a whole number beyond 2^53, such as the text `9007199254740993`. */
export function tooLarge(sql: string, number: string): Error {
  return cannotRun(
    sql,
    `the number ${number} in its rows is too large for a JavaScript number. Select it as text: cast(… as text)`,
  );
}
