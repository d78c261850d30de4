/**
 * Reports the state of the tables on either engine: which migrations have run, and how many accounts
 * exist.
 */
import { MIGRATION_NAMES, NewerDatabase } from '../../application/database/migrate.ts';
import type { Config } from '../../application/settings/config.ts';
import { bad, type Finding, good, note } from './finding.ts';

export function describeMigrations(done: readonly string[]): Finding {
  const foreign = done.filter((name) => !MIGRATION_NAMES.includes(name));
  const missing = MIGRATION_NAMES.filter((name) => !done.includes(name));
  if (foreign[0] !== undefined) return bad(new NewerDatabase(foreign[0]).message);
  if (missing.length > 0)
    return note(`migrations: ${missing.length} missing; the start runs them.`);
  return good(`migrations: all ${MIGRATION_NAMES.length} have run.`);
}

/** `accounts` is null if the table does not exist yet. */
export function describeAccounts(
  accounts: number | null,
  registration: Config['registration'],
): readonly Finding[] {
  if (accounts !== 0 || registration !== 'first') return [];
  return [
    note(
      'there is no account yet, and the first visitor can create it. Create it now, or set REGISTRATION=invite and run "npm run account -- invite".',
    ),
  ];
}
