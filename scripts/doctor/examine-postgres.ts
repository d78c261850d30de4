/**
 * Checks the PostgreSQL servers in DATABASE_URL: which of them answer, which one the service would use,
 * and its properties. It queries every host, so that a failed standby is noticed before it is needed.
 */

import { describeAddress, explainPostgres, parsePostgresUrl } from 'seeother/postgres';
import { nameSetting } from '../../application/database/open-database.ts';
import type { Config } from '../../application/settings/config.ts';
import { askPostgres, type ServerAnswers } from './ask-postgres.ts';
import { describeServer } from './describe-server.ts';
import { examineKnownFiles } from './examine-files.ts';
import { bad, type Finding, good, note } from './finding.ts';

interface Host {
  /** The host name or IP address. */
  readonly host: string;
  readonly name: string;
  readonly answers: ServerAnswers | null;
  /** Why the service cannot use it; null if it can. */
  readonly obstacle: string | null;
}

export async function examinePostgres(config: Config): Promise<readonly Finding[]> {
  const address = parsePostgresUrl(config.databaseUrl);
  const hosts = await Promise.all(
    address.hosts.map(async ({ host, port }, place): Promise<Host> => {
      const name = `${host}:${port}`;
      try {
        const answers = await askPostgres(address, place);
        return { host, name, answers, obstacle: findObstacle(answers) };
      } catch (error) {
        return { host, name, answers: null, obstacle: nameSetting(explainPostgres(error)) };
      }
    }),
  );
  const used = hosts.find(({ obstacle }) => obstacle === null);
  const about = describeAddress(address);
  return [
    used === undefined
      ? bad(`database ${about}: none of its servers can be used.`)
      : good(`database ${about}: the service uses ${used.name}.`),
    ...hosts.filter((one) => one !== used).map((one) => describeOther(one, used === undefined)),
    ...(used?.answers ? describeServer(used.answers, address, used.host, config) : []),
    ...(used?.answers?.knownFiles ? await examineKnownFiles(config, used.answers.knownFiles) : []),
  ];
}

function findObstacle({ isStandby, isReadOnly }: ServerAnswers): string | null {
  if (isStandby) return 'it is a standby, which is read-only until it is promoted.';
  if (isReadOnly) return 'it is read-only: default_transaction_read_only is on.';
  return null;
}

function describeOther({ name, obstacle }: Host, isAlone: boolean): Finding {
  if (obstacle === null)
    return note(
      `${name}: it can be written to as well. Unless it is the same server by another name, end it: there must be one primary.`,
    );
  return isAlone ? bad(`${name}: ${obstacle}`) : note(`${name}: ${obstacle}`);
}
