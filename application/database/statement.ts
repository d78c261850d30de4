/**
 * Statements that run again and again. Kysely builds and checks a statement once, when it is first run,
 * with placeholders for what differs each time; afterwards only values are handed over.
 */
import { type Compilable, type CompiledQuery, type Expression, type Kysely, sql } from 'kysely';
import type { Connection, Value } from 'seeother/database';
import type { Schema } from './schema.ts';

/** Stand in a query for the values that it will be run with. */
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
 * `first` and `all` read what was committed last. What they give may be given again: nobody changes it.
 * All fail with a `DatabaseUnavailable`.
 */
export interface Statement<Values, Row> {
  readonly first: (values: Values) => Promise<Row | null>;
  readonly all: (values: Values) => Promise<readonly Row[]>;
  /** In a transaction. Resolves to the rows that it returns. */
  readonly run: (transaction: Connection, values: Values) => Promise<readonly Row[]>;
}

/** A statement gives what `fromRow` makes of its rows. */
export type CreateStatement = <Values, Row, Result = Row>(
  build: BuildStatement<Values, Row>,
  fromRow?: (row: Row) => Result,
) => Statement<Values, Result>;

/** `queries` compiles the statements; `connection` runs them outside of transactions. */
export function createStatements(queries: Kysely<Schema>, connection: Connection): CreateStatement {
  return <Values, Row, Result = Row>(
    build: BuildStatement<Values, Row>,
    fromRow: (row: Row) => Result = (row) => row as never,
  ): Statement<Values, Result> => {
    const toQuery = prepareQuery(queries, build);
    /** SQLite may give the same rows again. */
    const results = new WeakMap<readonly Row[], readonly Result[]>();
    const runOn = (source: Connection, values: Values) => {
      const { sql: text, parameters } = toQuery(values);
      return source.run<Row>(text, parameters as readonly Value[]);
    };
    const all = async (values: Values): Promise<readonly Result[]> => {
      const { rows } = await runOn(connection, values);
      const known = results.get(rows);
      if (known !== undefined) return known;
      const made = rows.map(fromRow);
      results.set(rows, made);
      return made;
    };
    return {
      all,
      first: async (values) => (await all(values))[0] ?? null,
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

/** The function puts values in the place of the placeholders. */
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

/** Any name that is asked for is the placeholder of that name. */
function createPlaceholders<Values>(): Placeholders<Values> {
  return new Proxy({} as Placeholders<Values>, {
    get: (_, name) => sql`${new Placeholder(String(name))}`,
  });
}
