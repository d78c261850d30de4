/**
 * Statements that run often. Kysely compiles a statement once, when it is first run, with placeholders for its
 * values; later runs only fill in the values.
 */
import { type Compilable, type CompiledQuery, type Expression, type Kysely, sql } from 'kysely';
import type { CachedConnection, Connection, Value } from 'seeother/database';
import { type Awaitable, andThen } from 'seeother/middleware';
import type { Schema } from './schema.ts';

/** Placeholders in a query for the values of each run. */
export type Placeholders<Values> = { readonly [Name in keyof Values]: Expression<Values[Name]> };

/**
 * Builds the query, once. The values are named by the type of its second parameter:
 * `(read, { key }: Placeholders<{ readonly key: string }>) => read.selectFrom(…).where('key', '=', key)`.
 */
export type BuildStatement<Values, Row> = (
  read: Kysely<Schema>,
  values: Placeholders<Values>,
) => Compilable<Row>;

/**
 * `first` and `all` see the last commit. Their results may be cached, so they must not be changed; on SQLite they are
 * there without waiting. All three reject with a `DatabaseUnavailable`, or throw it.
 */
export interface Statement<Values, Row> {
  readonly first: (values: Values) => Awaitable<Row | null>;
  readonly all: (values: Values) => Awaitable<readonly Row[]>;
  /** In a transaction. Resolves to the rows that it returns. */
  readonly run: (transaction: Connection, values: Values) => Promise<readonly Row[]>;
}

/** A statement resolves to its rows, each converted by `fromRow`. */
export type CreateStatement = <Values, Row, Result = Row>(
  build: BuildStatement<Values, Row>,
  fromRow?: (row: Row) => Result,
) => Statement<Values, Result>;

/** `queries` compiles the statements; `connection` runs them outside of transactions. */
export function createStatements(
  queries: Kysely<Schema>,
  connection: CachedConnection,
): CreateStatement {
  return <Values, Row, Result = Row>(
    build: BuildStatement<Values, Row>,
    fromRow: (row: Row) => Result = (row) => row as never,
  ): Statement<Values, Result> => {
    const toQuery = prepareQuery(queries, build);
    /** The read cache of SQLite returns the same array of rows until a commit. */
    const results = new WeakMap<readonly Row[], readonly Result[]>();
    const runOn = (source: CachedConnection, values: Values) => {
      const { sql: text, parameters } = toQuery(values);
      return source.run<Row>(text, parameters as readonly Value[]);
    };
    const convert = (rows: readonly Row[]): readonly Result[] => {
      const known = results.get(rows);
      if (known !== undefined) return known;
      const made = rows.map(fromRow);
      results.set(rows, made);
      return made;
    };
    const all = (values: Values) => andThen(runOn(connection, values), ({ rows }) => convert(rows));
    return {
      all,
      first: (values) => andThen(all(values), ([first]) => first ?? null),
      run: async (transaction, values) => (await runOn(transaction, values)).rows.map(fromRow),
    };
  };
}

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The returned function replaces the placeholders by values. */
export function prepareQuery<Values, Row>(
  queries: Kysely<Schema>,
  build: BuildStatement<Values, Row>,
): (values: Values) => CompiledQuery<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return (values) => {
    compiled ??= build(queries, createPlaceholders<Values>()).compile();
    const parameters = compiled.parameters.map((one) =>
      one instanceof Placeholder ? values[one.name as keyof Values] : one,
    );
    return { ...compiled, parameters };
  };
}

/** Every property is the placeholder of its name. */
function createPlaceholders<Values>(): Placeholders<Values> {
  return new Proxy({} as Placeholders<Values>, {
    get: (_, name) => sql`${new Placeholder(String(name))}`,
  });
}
