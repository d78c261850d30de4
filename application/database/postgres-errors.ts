/**
 * Which errors of PostgreSQL and of the connection to it pass by themselves. The connection that saw
 * one of them is not used again.
 */
import { DatabaseUnavailable } from './database-unavailable.ts';

/**
 * SQLSTATE by class or whole: connection lost, out of resources, ended by the operator, failing disk;
 * a transaction that may only read (the server is a standby now), a lock or a statement that took too
 * long, and a transaction that was cut because it stood still.
 */
const PASSES = /^(08...|53...|57...|58...|XX001|XX002|25006|25P03|55P03)$/;
/** After these the server cannot be trusted with the next statement. */
const LOST = /^(08...|57P0.|58...|25006|25P03)$/;
/** What Node says of a connection. */
const NETWORK = /^E[A-Z_]+$/;
/** What the driver says, without any code. */
const DRIVER =
  /^(Connection terminated|Query read timeout|timeout exceeded|timeout expired|Client (has encountered|was closed)|Postgres connection has been discarded|Cannot use a pool)/;

export function isPassing(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseUnavailable) return true;
  const code = codeOf(error);
  return PASSES.test(code) || NETWORK.test(code) || DRIVER.test(error.message);
}

/** Whether the connection must not be used again, and the others of its age neither. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return LOST.test(code) || NETWORK.test(code) || DRIVER.test(error.message);
}

/** An error of ours stays. */
export function fromPostgres(error: unknown): unknown {
  return isPassing(error) ? toUnavailable(error) : error;
}

/** For what is no fault of a statement, such as a server that takes no connection, whatever its reason. */
export function toUnavailable(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error;
  const code = codeOf(error);
  const message = (error instanceof Error && error.message) || 'no server answers';
  return new DatabaseUnavailable(`${message}${code === '' ? '' : ` (${code})`}`, { cause: error });
}

export function codeOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}
