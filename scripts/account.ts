/**
 * `npm run account -- invite` and `npm run account -- reset-password <username>`: what the person who
 * runs the service does about accounts. It works on the database that the configuration names, also
 * while the service runs on it, and writes the line of the security log to standard error. A failure is
 * one line there and exit code 1.
 */
import { type Config, readConfig } from '../application/config.ts';
import type { Database } from '../application/database/database.ts';
import { DatabaseUnavailable } from '../application/database/database-unavailable.ts';
import { openDatabase } from '../application/database/open-database.ts';
import { href } from '../application/links.ts';
import { createAccounts } from '../application/models/account.ts';
import { createInvitations } from '../application/models/invitation.ts';
import { createPassword } from '../application/models/password.ts';
import { createSecurityLog } from '../application/security-log.ts';
import { StartError } from '../application/start-error.ts';
import { formatTime } from '../application/views/format.ts';

const USAGE = 'Use "npm run account -- invite" or "npm run account -- reset-password <username>".';

const logSecurity = createSecurityLog((line) => process.stderr.write(`${line}\n`));

/** What to print when it is done. */
type Command = (database: Database, config: Config) => Promise<string>;

function parseCommand([name, argument, ...others]: readonly string[]): Command {
  const shown = JSON.stringify(name);
  switch (name) {
    case 'invite':
      if (argument !== undefined)
        throw new StartError(`Cannot run ${shown}: it takes no argument. ${USAGE}`);
      return invite;
    case 'reset-password':
      if (argument === undefined || others.length > 0)
        throw new StartError(`Cannot run ${shown}: it takes one username. ${USAGE}`);
      return (database) => resetPassword(database, argument);
    case undefined:
      throw new StartError(`Cannot run: no command was given. ${USAGE}`);
    default:
      throw new StartError(`Cannot run ${shown}: there is no such command. ${USAGE}`);
  }
}

async function invite(database: Database, { publicOrigin, host, port }: Config): Promise<string> {
  const invitations = createInvitations(database);
  const made = await database.write((transaction) => invitations.create(transaction, null));
  logSecurity('invitation made', null, null);
  const origin = publicOrigin ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const address = origin + href('/register', {}, { invitation: made.token });
  return `${address}\nOne person can make an account with this link, until ${formatTime(made.endsAt)}.`;
}

async function resetPassword(database: Database, username: string): Promise<string> {
  const password = createPassword();
  const account = await createAccounts(database).resetPassword({ username, password });
  if (account === null) {
    throw new StartError(
      `Cannot reset the password of ${JSON.stringify(username)}: nobody has this username. Check its spelling.`,
    );
  }
  logSecurity('password reset', null, account.username);
  return `${password}\nThis is the new password of ${account.username}, who is logged out everywhere. It can be changed at /account.`;
}

async function run(): Promise<void> {
  const command = parseCommand(process.argv.slice(2));
  const config = readConfig(process.env);
  const database = await openDatabase(config.databaseUrl);
  try {
    process.stdout.write(`${await command(database, config)}\n`);
  } finally {
    await database.close();
  }
}

try {
  await run();
} catch (error) {
  if (!(error instanceof StartError || error instanceof DatabaseUnavailable)) throw error;
  const words =
    error instanceof StartError ? error.message : `Cannot write to the database: ${error}`;
  process.stderr.write(`${words}\n`);
  process.exitCode = 1;
}
