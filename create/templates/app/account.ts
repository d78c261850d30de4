/** Accounts in a terminal: `npm run account -- invite admin`. Without words it prints the commands. */
import { openAccounts } from './accounts.ts';
import { migrate } from './database.ts';
// link: import { openOutbox } from './mail.ts';
import { openDatabase } from './open-database.ts';

const { PUBLIC_ORIGIN } = process.env;
const database = await openDatabase(migrate);
// link: const outbox = openOutbox(database);
// link: const accounts = openAccounts(database, { publicOrigin: PUBLIC_ORIGIN }, outbox);
// unless link:
const accounts = openAccounts(database, { publicOrigin: PUBLIC_ORIGIN });
try {
  console.log(await accounts.command(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await database.close();
}
