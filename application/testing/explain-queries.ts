/**
 * Which queries a piece of code sends, and how the engine would answer them: each plan is that for
 * the very values that were sent.
 */
import { CompiledQuery, type KyselyPlugin } from 'kysely';
import type { Database } from '../database/database.ts';
import { compileStatement } from '../database/prepared-read.ts';

export interface Plan {
  readonly sql: string;
  /** As the engine writes it, one step a line. */
  readonly steps: readonly string[];
}

export interface Explained extends Database {
  /** The plans of what was sent to `read` since the last call. */
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
    prepare(build, fromRows) {
      const { query, toParameters } = compileStatement(database.read, build);
      const run = database.prepare(build, fromRows);
      return (values) => {
        sent.push({ ...query, parameters: toParameters(values) });
        return run(values);
      };
    },
    async takePlans() {
      const queries = sent;
      sent = [];
      return Promise.all(queries.map(explain));
    },
  };
}
