/**
 * Reads that are asked for again and again: Kysely builds the query and checks its types once, with
 * placeholders for what differs from time to time, and afterwards only values are handed over.
 *
 * The hard case: a migration of a newer instance adds a column while this one runs. Its rows are read
 * by their order, so a query that selects "all columns" would read the wrong ones: it is refused.
 */
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { BuildStatement, Database, Placeholders } from './database.ts';
import type { Schema } from './schema.ts';

export interface CompiledStatement<Values, Row> {
  readonly query: CompiledQuery<Row>;
  /** The parameters of the query, in their order. */
  readonly toParameters: (values: Values) => unknown[];
}

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const ALL_COLUMNS = /(?:select|,) \*|\.\*/;

export function compileStatement<Values, Row>(
  read: Kysely<Schema>,
  build: BuildStatement<Values, Row>,
): CompiledStatement<Values, Row> {
  const query = build(read, createPlaceholders<Values>()).compile();
  if (ALL_COLUMNS.test(query.sql)) {
    throw new TypeError(
      `Cannot prepare a query that selects all columns, since others may come in between: ${query.sql}. Name them.`,
    );
  }
  const { parameters } = query;
  return {
    query,
    toParameters: (values) =>
      parameters.map((one) =>
        one instanceof Placeholder ? values[one.name as keyof Values] : one,
      ),
  };
}

/**
 * Prepared reads on PostgreSQL. A query is compiled once, and sent whole each time: one that the server keeps would have to be
 * kept on every connection, and a pooler in between may hand each transaction another one.
 */
export function sendPrepared(read: Kysely<Schema>): Database['prepare'] {
  return <Values, Row, Result>(
    build: BuildStatement<Values, Row>,
    fromRows: (rows: readonly Row[]) => Result,
  ) => {
    const { query, toParameters } = compileStatement(read, build);
    return async (values: Values) => {
      const parameters = toParameters(values);
      const { rows } = await read.executeQuery<Row>({ ...query, parameters });
      return fromRows(rows);
    };
  };
}

/** Whatever name is asked for is the placeholder of that name. */
function createPlaceholders<Values>(): Placeholders<Values> {
  return new Proxy({} as Placeholders<Values>, {
    get: (_, name) => sql`${new Placeholder(String(name))}`,
  });
}
