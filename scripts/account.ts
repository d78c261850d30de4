/**
 * `npm run account -- invite`; with a username `reset-password`, `disable`, `enable`; `role` with a role too:
 * account administration in the terminal. It uses the configured database, also while the service runs, and
 * writes a line of the security log to standard error. A failure is one line there and exit code 1.
 */

import { createPassword } from 'seeother/accounts';
import { createAccounts } from '../application/accounts/account.ts';
import { createInvitations } from '../application/accounts/invitation.ts';
import { createPeople, type PeopleChange, type Person } from '../application/accounts/people.ts';
import { ROLE_RIGHTS } from '../application/accounts/role-page.ts';
import type { Database } from '../application/database/kysely.ts';
import { openDatabase } from '../application/database/open-database.ts';
import { href } from '../application/links.ts';
import { toCommand } from '../application/settings/command.ts';
import { type Config, readConfig } from '../application/settings/config.ts';
import { createSecurityLog } from '../application/settings/security-log.ts';
import { StartError } from '../application/settings/start-error.ts';
import { describeReach } from '../application/site/account-link.ts';
import { formatTime, setRegion } from '../application/site/format.ts';
import { ROLES, type Role } from '../application/site/role.ts';
import { runCommand } from './run-command.ts';

const USAGE = `Use "${toCommand('account invite')}", one of reset-password, disable and enable with a username, or role with a username and a role.`;

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
  if (name === 'role') {
    const role = ROLES.find((one) => one === others[0]);
    if (argument === undefined || role === undefined || others.length > 1)
      throw new StartError(
        `Cannot run ${shown}: it takes a username, and one of ${ROLES.join(', ')}. ${USAGE}`,
      );
    return (database) => setRole(database, argument, role);
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
  return `${address}\nOne person can make an account with this link, until ${formatTime(made.endsAt)}${describeReach(origin)}.`;
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
    lines.push(
      `The account is disabled: "${toCommand(`account enable ${name}`)}" lets ${name} log in.`,
    );
  return lines.join('\n');
}

async function disable(database: Database, username: string): Promise<string> {
  const { username: name } = await setRemoved(database, 'disable', username, true);
  logSecurity('account disabled', null, name);
  return `Disabled ${name}, who is logged out everywhere and cannot log in. Open invitations of ${name} are withdrawn.`;
}

async function enable(database: Database, username: string): Promise<string> {
  const { username: name } = await setRemoved(database, 'enable', username, false);
  logSecurity('account enabled', null, name);
  return `Enabled ${name}, who can log in again.`;
}

async function setRemoved(
  database: Database,
  action: string,
  username: string,
  isRemoved: boolean,
): Promise<Person> {
  const people = createPeople(database);
  const person = await people.findByName(username);
  if (person === null) throw nobody(action, username);
  return personOf(await people.setRemoved(null, person.id, isRemoved), action, username);
}

async function setRole(database: Database, username: string, role: Role): Promise<string> {
  const people = createPeople(database);
  const found = await people.findByName(username);
  if (found === null) throw nobody('change the role of', username);
  const done = await people.setRole(null, found.id, role);
  const { username: name } = personOf(done, 'change the role of', username);
  logSecurity('role changed', null, name, role);
  return `The role of ${name} is ${role}: ${name} can ${ROLE_RIGHTS[role]}.`;
}

function personOf(done: PeopleChange, action: string, username: string): Person {
  if (done.kind === 'last administrator')
    throw new StartError(
      `Cannot ${action} ${JSON.stringify(username)}: no other administrator would remain. Run "${toCommand('account role')}" with the name of another person and administrator first.`,
    );
  if (done.kind === 'unknown' || done.kind === 'not allowed') throw nobody(action, username);
  return done.person;
}

function nobody(action: string, username: string): StartError {
  return new StartError(
    `Cannot ${action} ${JSON.stringify(username)}: no account has this username. Check its spelling.`,
  );
}

async function run(args: readonly string[]): Promise<void> {
  const command = parseCommand(args);
  const config = readConfig(process.env);
  setRegion(config);
  const database = await openDatabase(config.databaseUrl, { mustExist: true });
  try {
    process.stdout.write(`${await command(database, config)}\n`);
  } finally {
    await database.close();
  }
}

await runCommand(run);
