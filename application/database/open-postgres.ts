/**
 * PostgreSQL: one pool for reads and one for writes, so that a read never waits behind writes, nor a
 * write that reads beside its transaction for itself. Searches have connections of their own, so that
 * nothing waits behind them, and so have checks of readiness, so that they wait behind nothing.
 */
import { Kysely, PostgresDialect } from 'kysely';
import { OUT_OF_DESCRIPTORS } from '../process/descriptors.ts';
import { createCheck } from './create-check.ts';
import { createWrite } from './create-write.ts';
import type { Database, Writing } from './database.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { migrate } from './migrate.ts';
import { NewerDatabase } from './newer-database.ts';
import type { OpenOptions } from './open-options.ts';
import { type Access, UnsafeServer } from './postgres-connection.ts';
import { codeOf, isPassing } from './postgres-errors.ts';
import { createPostgresPool } from './postgres-pool.ts';
import type { PostgresAddress } from './postgres-url.ts';
import type { Schema } from './schema.ts';
import { createStatements } from './statement.ts';

/** Connections of a process. */
export const CONNECTIONS = { read: 5, slowRead: 2, write: 5, check: 1 };

export async function openPostgres(
  address: PostgresAddress,
  { report, acceptsNewer, timeout }: OpenOptions,
): Promise<Database> {
  const reportBroken = (error: Error) => report({ message: 'A database connection broke.', error });
  const open = (access: Access, size: number) =>
    new Kysely<Schema>({
      dialect: new PostgresDialect({
        pool: createPostgresPool(address, { access, size, report: reportBroken, timeout }),
      }),
    });
  const writer = open('write', CONNECTIONS.write);
  const read = open('read', CONNECTIONS.read);
  const slowRead = open('read', CONNECTIONS.slowRead);
  const checker = open('read', CONNECTIONS.check);
  const close = async () => {
    await Promise.all([read, slowRead, writer, checker].map((one) => one.destroy()));
  };
  try {
    const migrator = open('migrate', 1);
    await migrate(migrator, { report, acceptsNewer }).finally(() => migrator.destroy());
    const write = createWrite((work) => writeOnce(writer, work));
    // Sent whole each time: a statement that the server keeps is kept by one connection alone, and a
    // pooler may give each transaction another one.
    const statement = createStatements(
      read,
      async (query) => (await read.executeQuery(query)).rows,
    );
    const check = createCheck(checker);
    return { engine: 'postgres', read, slowRead, statement, write, check, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * A connection that breaks during the commit leaves it open whether the work was saved: the error says
 * so, and the receipt of a form makes it safe to send it again.
 */
async function writeOnce<T>(
  database: Kysely<Schema>,
  work: (transaction: Writing) => Promise<T>,
): Promise<T> {
  let committing = false;
  try {
    return await database
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (transaction) => {
        const result = await work(transaction);
        committing = true;
        return result;
      });
  } catch (error) {
    if (!committing || !(error instanceof DatabaseUnavailable)) throw error;
    throw new DatabaseUnavailable('it was lost while it saved.', {
      cause: error,
      outcome: 'unknown',
    });
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'the server refuses the password. Check it in DATABASE_URL.',
  '28000':
    'the server refuses this user from this machine. Check the user in DATABASE_URL, sslmode, and pg_hba.conf.',
  '3D000':
    'the server has no database of that name. Create it, or set DATABASE_URL to another one.',
  '42501': 'the user may not make tables there. Make it the owner of the database.',
  '55P03': 'another instance has been migrating it for a minute. Wait until it is done.',
  EMFILE: OUT_OF_DESCRIPTORS,
  ENFILE: OUT_OF_DESCRIPTORS,
  ECONNREFUSED:
    'no server listens there. Start it, or check the host and the port in DATABASE_URL.',
  ENOTFOUND: 'there is no such host. Check it in DATABASE_URL.',
};

/** Whether the server may be there later. A name that does not exist, or a certificate, has to be mended. */
export function isAway(error: unknown): boolean {
  if (error instanceof UnsafeServer) return false;
  const cause = causeOf(error);
  return isPassing(cause) && !/^(ENOTFOUND|ERR_.*)$/.test(codeOf(cause));
}

/** One line without a secret: what the driver says names a user at most. */
export function explainPostgres(error: unknown): string {
  if (error instanceof UnsafeServer) return error.why;
  if (error instanceof NewerDatabase) return error.message;
  const cause = causeOf(error);
  const advice = ADVICE[codeOf(cause)];
  if (advice !== undefined) return advice;
  const message = cause instanceof Error ? cause.message : String(cause);
  return `${message.replaceAll(/\s+/g, ' ')}. Check DATABASE_URL, and that the server runs.`;
}

/** What the driver or the server said. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}
