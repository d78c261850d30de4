/**
 * Prepared reads on SQLite: they answer at once, on a connection of their own. It is never inside a
 * transaction, so that each of them sees what was committed last, whatever the other connections do.
 *
 * What was read is kept until anybody commits anything. The hard case is a commit between the look
 * whether there was one and the read itself: then what is kept is newer than the look, and the next
 * look tells that it has to be read again. So a read that was not kept ends the look: what is kept of
 * before must not go with it.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import { compileStatement } from './prepared-read.ts';
import type { Schema } from './schema.ts';
import { fromSqlite } from './sqlite-errors.ts';

export interface SqliteReads {
  readonly prepare: Database['prepare'];
  readonly close: () => void;
}

/** Rows of one read that are kept at most; then it begins anew. A result without any counts as one. */
const MOST_KEPT = 1_000;

/** `timeout` is how many milliseconds to wait for a lock; `read` compiles the queries. */
export function openSqliteReads(file: string, timeout: number, read: Kysely<Schema>): SqliteReads {
  const connection = new DatabaseSync(file, { readOnly: true, timeout });
  const look = createLook(connection);
  return {
    prepare(build, fromRows) {
      const { query, toParameters } = compileStatement(read, build);
      const run = createRun(connection, query.sql);
      const kept = new Map<unknown, ReturnType<typeof fromRows>>();
      let keptAt = 0;
      let size = 0;
      return (values) => {
        const parameters = toParameters(values) as readonly SQLInputValue[];
        const key = parameters.length === 1 ? parameters[0] : JSON.stringify(parameters);
        try {
          const commits = look.commits();
          if (commits !== keptAt || size >= MOST_KEPT) {
            kept.clear();
            size = 0;
          }
          keptAt = commits;
          const known = kept.get(key);
          if (known !== undefined) return known;
          look.forget();
          const rows = run(parameters);
          const result = fromRows(rows as never);
          kept.set(key, result);
          size += Math.max(1, rows.length);
          return result;
        } catch (error) {
          throw fromSqlite(error);
        }
      };
    },
    close: () => connection.close(),
  };
}

interface Look {
  /** Another number when a connection, of this process or of another one, has committed. */
  readonly commits: () => number;
  /** The next one looks again. */
  readonly forget: () => void;
}

/**
 * A look holds until what runs now has run: so the reads of one request share it. Nobody can have been
 * told of what is committed meanwhile, for that takes another turn of the event loop.
 */
function createLook(connection: DatabaseSync): Look {
  let statement: StatementSync | null = null;
  let version = 0;
  let isHeld = false;
  const forget = () => {
    isHeld = false;
  };
  return {
    commits() {
      if (isHeld) return version;
      if (statement === null) {
        statement = connection.prepare('pragma data_version');
        statement.setReturnArrays(true);
      }
      [version] = statement.get() as unknown as readonly [number];
      isHeld = true;
      queueMicrotask(forget);
      return version;
    },
    forget,
  };
}

/** The statement is prepared when it is first run: the start is not the time for it. */
function createRun(connection: DatabaseSync, sql: string) {
  let statement: StatementSync | null = null;
  let names: readonly string[] = [];
  return (parameters: readonly SQLInputValue[]): readonly object[] => {
    if (statement === null) {
      statement = connection.prepare(sql);
      // A third less time: node:sqlite makes slow objects of rows.
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
