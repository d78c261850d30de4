/** Which errors of PostgreSQL, of the network and of the driver are transient. */
import { DatabaseUnavailable } from '../database/database.ts';
import { OUT_OF_DESCRIPTORS } from '../database/descriptors.ts';

/**
 * SQLSTATE by class or whole: connection lost, out of resources, ended by the operator, failing disk;
 * a transaction that may only read (the server is a standby now), a lock or a statement that took too
 * long, and a transaction that was cut because it stood still.
 */
const TRANSIENT = /^(08...|53...|57...|58...|XX001|XX002|25006|25P03|55P03)$/;
/** After these the server cannot be trusted with the next statement. */
const LOST = /^(08...|57P0.|58...|25006|25P03)$/;
/** What Node says of a connection. */
const NETWORK = /^E[A-Z_]+$/;
/** What the driver says, without any code. */
const DRIVER =
  /^(Connection terminated|Query read timeout|timeout exceeded|timeout expired|Client (has encountered|was closed)|Postgres connection has been discarded|Cannot use a pool)/;

export function isTransient(error: unknown): error is Error {
  return error instanceof DatabaseUnavailable || saysSo(error, TRANSIENT);
}

/** Whether the connection must not be used again, and the others of its age neither. */
export function isLost(error: unknown): boolean {
  return saysSo(error, LOST);
}

function saysSo(error: unknown, states: RegExp): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return states.test(code) || NETWORK.test(code) || DRIVER.test(error.message);
}

/** An error of ours stays. */
export function fromPostgres(error: unknown): unknown {
  return isTransient(error) ? toUnavailable(error) : error;
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

/** A server that must not be used, whatever else it can do. `why` says what would do. */
export class UnsafeServer extends DatabaseUnavailable {
  readonly why: string;

  constructor(why: string) {
    super(why);
    this.why = why;
  }
}

/** Whether the server may be there later. A name that does not exist, or a certificate, has to be mended. */
export function isAway(error: unknown): boolean {
  if (error instanceof UnsafeServer) return false;
  const cause = causeOf(error);
  return isTransient(cause) && !/^(ENOTFOUND|ERR_.*)$/.test(codeOf(cause));
}

const WORDS: Readonly<Record<string, string>> = {
  '28P01': 'the server refuses the password. Check it in the address.',
  '28000':
    'the server refuses this user from this machine. Check the user in the address, sslmode, and pg_hba.conf.',
  '3D000': 'the server has no database of that name. Create it, or set the address to another one.',
  '42501': 'the user may not make tables there. Make it the owner of the database.',
  '55P03': 'another instance has been migrating it for a minute. Wait until it is done.',
  EMFILE: OUT_OF_DESCRIPTORS,
  ENFILE: OUT_OF_DESCRIPTORS,
  ECONNREFUSED: 'no server listens there. Start it, or check the host and the port in the address.',
  ENOTFOUND: 'there is no such host. Check it in the address.',
};

/** Why `openPostgres` has failed, in one line without a secret: the driver names a user at most. */
export function explainPostgres(error: unknown): string {
  if (error instanceof UnsafeServer) return error.why;
  const cause = causeOf(error);
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
