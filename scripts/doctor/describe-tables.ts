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
import { type PlanRow, toState } from '../../framework/src/database/schedule-table.ts';
import { bad, type Finding, good, note } from './finding.ts';

/** Selects the rows for `describeSchedules`, if the table exists. */
export const SELECT_SCHEDULES =
  "select id, payload, error from seeother_outbox where id like 'every:%' order by id";
/** Milliseconds: the service begins to clean up a minute after its start. */
const LATE = 600_000;

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

/** Without a mail server, nothing looks for loans. */
export function describeSchedules(
  rows: readonly Pick<PlanRow, 'id' | 'payload' | 'error'>[],
  { mail }: Pick<Config, 'mail'>,
): readonly Finding[] {
  const known = ['removeExpired', ...(mail === null ? [] : ['lookForLoans'])];
  return rows
    .map(toState)
    .filter(({ name }) => known.includes(name))
    .map(({ name, at, error, succeededAt }) => {
      const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
      if (error !== null) {
        const words = error.replaceAll(/\s*\p{Cc}\s*/gu, ' ').replace(/\.$/, '');
        return note(
          `schedule ${name}: it has failed since ${time}, last with: ${words}. It is tried again while the service runs.`,
        );
      }
      if (Date.now() - at.getTime() > LATE) {
        return note(
          `schedule ${name}: it was due at ${time}, and has not run. Start the service, which makes up for it.`,
        );
      }
      const last = succeededAt === null ? 'it has not run yet' : 'the last run succeeded';
      return good(`schedule ${name}: ${last}, and the next one is due at ${time}.`);
    });
}
