/**
 * `npm run account -- invite`, `password ada`, `role ada administrator`, and more: the accounts in a terminal. It uses
 * the configured database, also while the service runs, and writes a line of the security log to standard error. A
 * failure is one line there and exit code 1.
 */
import { ROLE_RIGHTS } from '../application/accounts/role-page.ts';
import { openDatabase } from '../application/database/open-database.ts';
import { createModels } from '../application/models.ts';
import { toCommand } from '../application/settings/command.ts';
import { readConfig } from '../application/settings/config.ts';
import { ROLES } from '../application/settings/role.ts';
import { createSecurityLog } from '../application/settings/security-log.ts';
import { StartError } from '../application/settings/start-error.ts';
import { setRegion } from '../application/site/format.ts';
import { runCommand } from './run-command.ts';

/** Commands of earlier releases. */
const RENAMED: Readonly<Record<string, string>> = { 'reset-password': 'password' };

async function run([command = '', ...rest]: readonly string[]): Promise<void> {
  const config = readConfig(process.env);
  setRegion(config);
  const { host, port } = config;
  const publicOrigin =
    config.publicOrigin ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const database = await openDatabase(config.databaseUrl, { mustExist: true });
  try {
    const logSecurity = createSecurityLog((line) => process.stderr.write(`${line}\n`));
    const { accounts } = createModels(database, {
      config: { ...config, publicOrigin },
      logSecurity,
    });
    const name = Object.hasOwn(RENAMED, command) ? (RENAMED[command] ?? command) : command;
    const told = await accounts.command(name === '' ? [] : [name, ...rest]).catch((error) => {
      throw new StartError(error.message);
    });
    if (name === '')
      throw new StartError(
        `Cannot run: no command was given. Use "${toCommand('account invite')}", for example. ${told}`,
      );
    process.stdout.write(`${told}${describeRole(name, rest)}\n`);
  } finally {
    await database.close();
  }
}

/** What somebody with the new role can do. */
function describeRole(command: string, [username = '', name]: readonly string[]): string {
  const role = command === 'role' && ROLES.find((one) => one === name);
  return role ? ` Now ${username} can ${ROLE_RIGHTS[role]}.` : '';
}

await runCommand(run);
