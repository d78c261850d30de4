/** Which errors of PostgreSQL, of the network and of the driver are transient. */
import { DatabaseUnavailable, type DiskTrouble } from '../database/database.ts';
import { OUT_OF_DESCRIPTORS } from '../database/descriptors.ts';
import { severalStatements, tooLarge, wrongCount } from '../database/statement-errors.ts';

/**
 * SQLSTATE classes or codes: connection lost, out of resources, ended by the operator, failing disk; a read-only
 * transaction (the server is now a standby), a timeout of a lock or a statement, and an idle transaction that the
 * server has ended.
 */
const TRANSIENT = /^(08...|53...|57...|58...|XX001|XX002|25006|25P03|55P03)$/;
/** After these errors, the connection must not run another statement. */
const LOST = /^(08...|57P0.|58...|25006|25P03)$/;
/** Disk full and I/O error of the server. */
const DISK: Readonly<Record<string, DiskTrouble>> = { '53100': 'full', '58030': 'fails' };
/** Node's error codes for a connection. */
const NETWORK = /^E[A-Z_]+$/;
const SYNTAX = '42601';
const PROTOCOL = '08P01';
/** Messages of the driver, which have no code. */
const DRIVER =
  /^(Connection terminated|Query read timeout|timeout exceeded|timeout expired|Client (has encountered|was closed)|Postgres connection has been discarded|Cannot use a pool)/;

export function isTransient(error: unknown): error is Error {
  return error instanceof DatabaseUnavailable || saysSo(error, TRANSIENT);
}

/** Whether this connection, and all that were opened before the error, must not be used again. */
export function isLost(error: unknown): boolean {
  return saysSo(error, LOST);
}

function saysSo(error: unknown, states: RegExp): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return states.test(code) || NETWORK.test(code) || DRIVER.test(error.message);
}

/** Turns a transient error into a `DatabaseUnavailable`, and returns an error of the statement unchanged. */
export function fromPostgres(error: unknown): unknown {
  return isTransient(error) ? toUnavailable(error) : error;
}

/** For errors that no statement has caused, such as a refused connection. */
export function toUnavailable(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error;
  const code = codeOf(error);
  const message = (error instanceof Error && error.message) || 'no server answers';
  const disk = DISK[code] ?? null;
  return new DatabaseUnavailable(`${message}${code === '' ? '' : ` (${code})`}`, {
    cause: error,
    disk,
  });
}

/** A whole number beyond 2^53. */
export class TooLarge extends RangeError {}

/** The error of a statement that could not be read as it was meant; null for any other. */
export function explainStatement(error: unknown, sql: string): Error | null {
  if (error instanceof TooLarge) return tooLarge(sql, error.message);
  // Unlike the message, the name of the function is never translated.
  const { routine, message } = error as { readonly routine?: unknown; readonly message: string };
  if (routine === 'exec_parse_message' && codeOf(error) === SYNTAX) return severalStatements(sql);
  if (routine !== 'exec_bind_message' || codeOf(error) !== PROTOCOL) return null;
  const [values, places] = message.match(/\d+/g) ?? [];
  return wrongCount(sql, Number(places), Number(values));
}

export function codeOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** A server that must not be used. `why` says what to change. */
export class UnsafeServer extends DatabaseUnavailable {
  readonly why: string;

  constructor(why: string) {
    super(why);
    this.why = why;
  }
}

/** The time limits of a connection do not arrive. */
export const POOLED =
  'time limits do not reach the server, so a pooler such as PgBouncer is in between. Add pooler=transaction to the address, after a ?.';

const isPooler = (error: unknown) =>
  error instanceof Error && error.message.startsWith('unsupported startup parameter');

/** Whether waiting may help. It does not for an unknown host name or a bad certificate. */
export function isAway(error: unknown): boolean {
  if (error instanceof UnsafeServer) return false;
  const cause = causeOf(error);
  if (isPooler(cause)) return false;
  return isTransient(cause) && !/^(ENOTFOUND|ERR_.*)$/.test(codeOf(cause));
}

const WORDS: Readonly<Record<string, string>> = {
  '28P01': 'the server refuses the password. Check it in the address.',
  '28000':
    'the server refuses this user from this machine. Check the user in the address, sslmode, and pg_hba.conf.',
  '3D000': 'the server has no database of that name. Create it, or set the address to another one.',
  '42501': 'the user may not make tables there. Make it the owner of the database.',
  '55P03': 'another instance has been migrating it for a minute. Wait until it is done.',
  ...OUT_OF_DESCRIPTORS,
  ECONNREFUSED: 'no server listens there. Start it, or check the host and the port in the address.',
  ENOTFOUND: 'there is no such host. Check it in the address.',
};

/** Why `openPostgres` has failed, in one line without a secret: the driver's messages name at most the user. */
export function explainPostgres(error: unknown): string {
  if (error instanceof UnsafeServer) return error.why;
  const cause = causeOf(error);
  if (isPooler(cause)) return POOLED;
  const message = cause instanceof Error ? cause.message : String(cause);
  return (
    WORDS[codeOf(cause)] ??
    `${message.replaceAll(/\s+/g, ' ')}. Check the address, and that the server runs.`
  );
}

/** What the driver or the server said. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}
