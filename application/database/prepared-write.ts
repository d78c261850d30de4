/**
 * Statements that every form needs, built once as prepared reads are: afterwards only values are handed
 * over, to `send` or to `executeQuery` of the transaction.
 */
import type { Compilable } from 'kysely';
import type { Database } from './database.ts';
import { type BuildStatement, type CompiledStatement, compileStatement } from './prepared-read.ts';

/** The statement with these values. */
export type PreparedWrite<Values, Row = unknown> = (values: Values) => Compilable<Row>;

/** The statement is built when it is first used: the start is not the time for it. */
export function prepareWrite<Values, Row>(
  { read }: Pick<Database, 'read'>,
  build: BuildStatement<Values, Row>,
): PreparedWrite<Values, Row> {
  let compiled: CompiledStatement<Values, Row> | undefined;
  return (values) => ({
    compile() {
      compiled ??= compileStatement(read, build);
      return { ...compiled.query, parameters: compiled.toParameters(values) };
    },
  });
}
