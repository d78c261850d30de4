/**
 * Reports the state of the tables on either engine: which migrations have run, and how many accounts
 * exist.
 */
import {
  ForeignDatabase,
  findForeign,
  MIGRATION_NAMES,
} from '../../application/database/migrate.ts';
import { toCommand } from '../../application/settings/command.ts';
import type { Config } from '../../application/settings/config.ts';
import { bad, type Finding, good, note } from './finding.ts';

export function describeMigrations(done: readonly string[]): Finding {
  const foreign = findForeign(done);
  const missing = MIGRATION_NAMES.filter((name) => !done.includes(name));
  if (foreign !== undefined) return bad(new ForeignDatabase(foreign).message);
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
      `there is no account yet, and the first visitor can create it. Create it now, or set REGISTRATION=invite and run "${toCommand('account invite')}".`,
    ),
  ];
}
