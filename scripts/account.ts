/**
 * `npm run account -- invite`, and with a username `reset-password`, `disable` and `enable`: account
 * administration in the terminal. It uses the configured database, also while the service runs, and
 * writes a line of the security log to standard error. A failure is one line there and exit code 1.
 */

import { DatabaseUnavailable } from 'seeother/database';
import { createAccounts } from '../application/accounts/account.ts';
import { createInvitations } from '../application/accounts/invitation.ts';
import { createPassword } from '../application/accounts/password.ts';
import type { Database } from '../application/database/database.ts';
import { openDatabase } from '../application/database/open-database.ts';
import { href } from '../application/links.ts';
import { type Config, readConfig } from '../application/process/config.ts';
import { createSecurityLog } from '../application/process/security-log.ts';
import { StartError } from '../application/process/start-error.ts';
import { formatTime } from '../application/site/format.ts';

const USAGE =
  'Use "npm run account -- invite", or one of reset-password, disable and enable with a username.';

const logSecurity = createSecurityLog((line) => process.stderr.write(`${line}\n`));

/** The text to print at the end. */
type Command = (database: Database, config: Config) => Promise<string>;

const COMMANDS_FOR_ONE: Readonly<
  Record<string, (database: Database, username: string) => Promise<string>>
> = { 'reset-password': resetPassword, disable, enable };

function parseCommand([name, argument, ...others]: readonly string[]): Command {
  if (name === undefined) throw new StartError(`Cannot run: no command was given. ${USAGE}`);
  const shown = JSON.stringify(name);
  if (name === 'invite') {
    if (argument !== undefined)
      throw new StartError(`Cannot run ${shown}: it takes no argument. ${USAGE}`);
    return invite;
  }
  const run = Object.hasOwn(COMMANDS_FOR_ONE, name) ? COMMANDS_FOR_ONE[name] : undefined;
  if (run === undefined)
    throw new StartError(`Cannot run ${shown}: there is no such command. ${USAGE}`);
  if (argument === undefined || others.length > 0)
    throw new StartError(`Cannot run ${shown}: it takes one username. ${USAGE}`);
  return (database) => run(database, argument);
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
  const reset = await createAccounts(database).resetPassword({ username, password });
  if (reset === null) throw nobody('reset the password of', username);
  const { username: name, expiresAt, isDisabled } = reset;
  logSecurity('password reset', null, name);
  const lines = [
    password,
    `This is the new password of ${name}, who is logged out everywhere. It works until ${formatTime(expiresAt)}, and must be changed at the next log-in.`,
  ];
  if (isDisabled)
    lines.push(`The account is disabled: "npm run account -- enable ${name}" lets ${name} log in.`);
  return lines.join('\n');
}

async function disable(database: Database, username: string): Promise<string> {
  const name = await createAccounts(database).setEnabled(username, false);
  if (name === null) throw nobody('disable', username);
  logSecurity('account disabled', null, name);
  return `Disabled ${name}, who is logged out everywhere and cannot log in. Open invitations of ${name} are withdrawn.`;
}

async function enable(database: Database, username: string): Promise<string> {
  const name = await createAccounts(database).setEnabled(username, true);
  if (name === null) throw nobody('enable', username);
  logSecurity('account enabled', null, name);
  return `Enabled ${name}, who can log in again.`;
}

function nobody(action: string, username: string): StartError {
  return new StartError(
    `Cannot ${action} ${JSON.stringify(username)}: no account has this username. Check its spelling.`,
  );
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
