/** Rates the properties of a PostgreSQL server for the service, line by line, with remedies. */

import { CONNECTIONS, type PostgresAddress } from 'seeother/postgres';
import type { Config } from '../../application/settings/config.ts';
import { isLoopback } from '../../application/settings/loopback.ts';
import type { ServerAnswers } from './ask-postgres.ts';
import { describeAccounts, describeMigrations, describeSchedules } from './describe-tables.ts';
import { bad, type Finding, good, note } from './finding.ts';

/** The oldest version that the PostgreSQL project maintains; the tests run on 18. */
const OLDEST = 15;
/** Milliseconds of clock difference that do no harm. */
const CLOSE = 2_000;

/** For the server that the service would use: the first writable one. */
export function describeServer(
  answers: ServerAnswers,
  { ssl }: PostgresAddress,
  host: string,
  config: Pick<Config, 'workers' | 'registration' | 'production' | 'mail'>,
): readonly Finding[] {
  return [
    describeVersion(answers),
    describeDurability(answers, config.production),
    describeEncoding(answers),
    describeClock(answers),
    describeConnections(answers, config.workers),
    describeEncryption(answers, ssl, host),
    describeTables(answers),
    ...describeAccounts(answers.accounts, config.registration),
    ...describeSchedules(answers.schedules, config),
  ];
}

function describeVersion({ version }: ServerAnswers): Finding {
  const words = `engine PostgreSQL ${version}: ${OLDEST} or newer is needed.`;
  return Number.parseInt(version, 10) >= OLDEST ? good(words) : bad(`${words} Upgrade it.`);
}

function describeDurability({ synchronousCommit, fsync }: ServerAnswers, production: boolean) {
  if (synchronousCommit === 'off') {
    return bad(
      'synchronous_commit off: saved data could be lost, so the service refuses this server. Set it to on for this database.',
    );
  }
  if (fsync === 'off') {
    const words =
      'fsync off: a power loss can destroy saved data, and the whole database. Set it to on.';
    return production ? bad(words) : note(words);
  }
  return good(`synchronous_commit ${synchronousCommit}: acknowledged data is on disk.`);
}

function describeEncoding({ encoding }: ServerAnswers): Finding {
  return encoding === 'UTF8'
    ? good('encoding UTF8: it accepts every text.')
    : bad(
        `encoding ${encoding}: it does not accept every text. Create the database again, with "encoding UTF8 template template0".`,
      );
}

function describeClock({ clockAhead }: ServerAnswers): Finding {
  const apart = `${(Math.abs(clockAhead) / 1_000).toFixed(1)} s`;
  if (Math.abs(clockAhead) < CLOSE) return good(`its clock is ${apart} from the local one.`);
  return note(
    `its clock is ${apart} ${clockAhead > 0 ? 'ahead of' : 'behind'} the local one. Synchronize both with NTP: with several instances, sessions and log-ins depend on the clock of each.`,
  );
}

function describeConnections({ connections }: ServerAnswers, workers: number): Finding {
  const ours = workers * Object.values(CONNECTIONS).reduce((sum, count) => sum + count);
  const words = `WORKERS=${workers} may open ${ours} connections, and the server has ${connections} for all its users`;
  if (ours > connections) return bad(`${words}. Raise max_connections, or lower WORKERS.`);
  if (2 * ours > connections) {
    return note(
      `${words}: too few for a second instance, or for old and new side by side. Raise max_connections.`,
    );
  }
  return good(`${words}.`);
}

function describeEncryption(
  { tls }: ServerAnswers,
  ssl: PostgresAddress['ssl'],
  host: string,
): Finding {
  if (tls === null) {
    if (isLoopback(host))
      return good('the connection is not encrypted, but does not leave this machine.');
    return note(
      'the connection is not encrypted: an attacker on the network can read everything. Add sslmode=verify-full to DATABASE_URL.',
    );
  }
  if (ssl !== false && ssl.rejectUnauthorized)
    return good(
      `the connection is encrypted (${tls}), and the certificate of the server is verified.`,
    );
  return note(
    `the connection is encrypted (${tls}), but sslmode=require does not verify the certificate: an attacker on the network can impersonate the server. Use sslmode=verify-full, with sslrootcert.`,
  );
}

function describeTables({ migrations, mayMakeTables }: ServerAnswers): Finding {
  const finding = describeMigrations(migrations);
  if (finding.verdict !== 'note' || mayMakeTables) return finding;
  return bad(
    `${finding.words} But the user cannot create tables. Make it the owner of the database.`,
  );
}
