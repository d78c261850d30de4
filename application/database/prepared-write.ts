/**
 * Statements that every form needs, built once as prepared reads are: afterwards only values are handed
 * over.
 */
import type { BuildStatement, Database, Writing } from './database.ts';
import { type CompiledStatement, compileStatement } from './prepared-read.ts';

/** Runs the statement with these values in the transaction; resolves to the rows that it returns. */
export type PreparedWrite<Values, Row = unknown> = (
  transaction: Writing,
  values: Values,
) => Promise<readonly Row[]>;

/** The statement is built when it is first used: the start is not the time for it. */
export function prepareWrite<Values, Row>(
  { read }: Pick<Database, 'read'>,
  build: BuildStatement<Values, Row>,
): PreparedWrite<Values, Row> {
  let compiled: CompiledStatement<Values, Row> | undefined;
  return async (transaction, values) => {
    compiled ??= compileStatement(read, build);
    const parameters = compiled.toParameters(values);
    const { rows } = await transaction.executeQuery<Row>({ ...compiled.query, parameters });
    return rows;
  };
}
