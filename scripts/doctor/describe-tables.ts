/**
 * Reports the state of the tables on either engine: which migrations have run, and how many accounts
 * exist.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NewerDatabase } from '../../application/database/migrate.ts';
import type { Config } from '../../application/process/config.ts';
import { ROOT } from '../project-files.ts';
import { bad, type Finding, good, note } from './finding.ts';

const MIGRATIONS = join(ROOT, 'application', 'database', 'migrations');

export function describeMigrations(done: readonly string[]): Finding {
  const known = readdirSync(MIGRATIONS).map((name) => name.replace(/\.ts$/, ''));
  const foreign = done.filter((name) => !known.includes(name));
  const missing = known.filter((name) => !done.includes(name));
  if (foreign[0] !== undefined) return bad(new NewerDatabase(foreign[0]).message);
  if (missing.length > 0)
    return note(`migrations: ${missing.length} missing; the start runs them.`);
  return good(`migrations: all ${known.length} have run.`);
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
