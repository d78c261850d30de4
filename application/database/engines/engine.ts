/** The SQL that differs by engine. Everything else is Kysely, the same for both. */
import type { Kysely, QueryExecutor, RawBuilder, Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

export interface Queryable {
  readonly getExecutor: () => QueryExecutor;
}
type Writing = Transaction<Schema>;

/**
 * A transaction of SQLite holds the one lock for writing from its start. In PostgreSQL writers run beside
 * each other ("read committed"), so a transaction that reads in order to write locks what it reads.
 */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  /**
   * Changes to the rows by others wait until the transaction ends. Rows are locked in the order of their
   * values, so that two transactions never wait for each other. Resolves to the values of the rows that it has
   * locked: a row that comes back after it, as that of a deleted item may, is not locked.
   */
  readonly lockRows: <Value extends number | string>(
    transaction: Writing,
    table: 'accounts' | 'sessions' | 'items' | 'item_events' | 'imports',
    column: 'id' | 'key' | 'number',
    values: readonly Value[],
  ) => Promise<readonly Value[]>;
  /** For decisions by the absence of a row: other transactions that take the lock wait for this one. */
  readonly lockFor: (transaction: Writing, what: 'accounts' | 'tries' | 'samples') => Promise<void>;
  /** Only this transaction writes to them. */
  readonly lockTables: (transaction: Writing, names: readonly string[]) => Promise<void>;
  /** The transaction may wait between two statements, in SQLite for five seconds. */
  readonly allowPauses: (transaction: Writing) => Promise<void>;
  readonly hasTable: (database: Kysely<Schema>, name: string) => Promise<boolean>;
  /** A whole number up to 2^53. In SQLite only "integer" makes a primary key the address of its row. */
  readonly integerType: 'integer' | 'bigint';
  /** Text that is compared and sorted by bytes, whatever the language of the server. */
  readonly textType: 'text' | RawBuilder<unknown>;
  /** Text that was never given before. */
  readonly randomName: RawBuilder<string>;
  /** In PostgreSQL two tables cannot both have a key of that name: the old table loses it. */
  readonly dropKey: (database: Queryable, table: string, constraint: string) => Promise<void>;
  /** Runs the statement, which holds no values, in every transaction that changes the table so. */
  readonly afterEveryChange: (
    database: Queryable,
    table: string,
    events: readonly string[],
    statement: RawBuilder<unknown>,
  ) => Promise<void>;
  /** Runs the statement, which knows the row as `old`, after each row that is deleted. */
  readonly afterDelete: (
    database: Queryable,
    table: string,
    name: string,
    statement: string,
  ) => Promise<void>;
  /**
   * Keeps in `item_facets` how many rows of the table have each text in the column, under the name of the
   * field. In PostgreSQL it is after `afterEveryChange` of the table, whose one row all writers wait for: so
   * no two of them wait for each other's counts.
   */
  readonly countFacets: (
    database: Queryable,
    field: string,
    table: string,
    column: string,
  ) => Promise<void>;
  /**
   * Whether `countFacets` counts added rows. PostgreSQL keeps every version of a count until the transaction
   * ends and reads them all at the next change, so whatever adds many rows in one transaction counts them at
   * its end. SQLite always counts.
   */
  readonly switchFacets: (
    transaction: Writing,
    sources: readonly { readonly field: string; readonly table: string }[],
    to: 'disable' | 'enable',
  ) => Promise<void>;
  /** A table of the words of rows: `rowid` is the number of the row, and spaces part the `words`. */
  readonly createWordTable: (database: Kysely<unknown>, table: string) => Promise<void>;
  /** Whether words cost less after all other statements of a transaction: see docs/decisions/group-commit.md. */
  readonly addsWordsAtEnd: boolean;
  /** The numbers, as `number`, of the rows that have a word with each beginning; none without one. */
  readonly matchWords: (table: string, beginnings: readonly string[]) => RawBuilder<unknown>;
  /**
   * The numbers, as `number`, that all queries give. SQLite merges sorted queries as it reads them;
   * PostgreSQL chooses by its statistics which one it starts with.
   */
  readonly intersect: (
    table: string,
    queries: readonly RawBuilder<unknown>[],
  ) => RawBuilder<unknown>;
  /**
   * Whether a sorted query with a small limit reads little. PostgreSQL may search item by item for a rare
   * word then.
   */
  readonly stopsAtLimit: boolean;
  /** After many inserts: PostgreSQL updates its statistics by itself only a minute later. */
  readonly analyze: (database: Queryable, tables: readonly string[]) => Promise<void>;
}
