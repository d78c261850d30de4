/**
 * Records the queries of a piece of code, and returns the query plan for each with the values that were
 * sent.
 */
import { CompiledQuery, type KyselyPlugin } from 'kysely';
import type { Database } from '../database/kysely.ts';
import { prepareQuery } from '../database/statement.ts';

export interface Plan {
  readonly sql: string;
  /** In the format of the engine, one step per line. */
  readonly steps: readonly string[];
}

export interface Explained extends Database {
  /** The plans of the queries sent to `read` since the last call. */
  readonly takePlans: () => Promise<readonly Plan[]>;
}

export function explainQueries(database: Database): Explained {
  let sent: CompiledQuery[] = [];
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      sent.push(database.read.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const explain = async ({ sql, parameters }: CompiledQuery): Promise<Plan> => {
    const command = database.engine === 'sqlite' ? 'explain query plan' : 'explain';
    const query = CompiledQuery.raw(`${command} ${sql}`, [...parameters]);
    const { rows } = await database.read.executeQuery<Record<string, unknown>>(query);
    const steps = rows.map((row) => String(row['detail'] ?? row['QUERY PLAN']));
    return { sql, steps };
  };
  return {
    ...database,
    read: database.read.withPlugin(recorder),
    slowRead: database.read.withPlugin(recorder),
    statement(build, fromRow) {
      const toQuery = prepareQuery(database.read, build);
      const { first, all, run } = database.statement(build, fromRow);
      const noting =
        <Values, Result>(read: (values: Values) => Result) =>
        (values: Values) => {
          sent.push(toQuery(values as never));
          return read(values);
        };
      return { first: noting(first), all: noting(all), run };
    },
    async takePlans() {
      const queries = sent;
      sent = [];
      return Promise.all(queries.map(explain));
    },
  };
}
