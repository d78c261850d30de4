/**
 * Checks the database without writing: it must not create the file, migrate or repair it. A missing
 * file is fine if its folder can be created.
 */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { findDamage } from '../../application/maintenance/damage.ts';
import { LIST_FILES, toKnownFile } from '../../application/maintenance/known-files.ts';
import type { Config } from '../../application/settings/config.ts';
import {
  describeAccounts,
  describeMigrations,
  describeSchedules,
  SELECT_SCHEDULES,
} from './describe-tables.ts';
import { examineKnownFiles } from './examine-files.ts';
import { examinePostgres } from './examine-postgres.ts';
import { bad, type Finding, good, note } from './finding.ts';

/** Less free space than this is too little for a busy day and a backup. */
const LOW_SPACE = 500_000_000;

export async function examineDatabase(config: Config): Promise<readonly Finding[]> {
  const { databaseUrl } = config;
  if (!databaseUrl.startsWith('sqlite:')) return examinePostgres(config);
  const file = resolve(databaseUrl.slice('sqlite:'.length));
  const place = examinePlace(file);
  if (place.some(({ verdict }) => verdict === 'bad') || !existsSync(file)) return place;
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 2_000 });
    try {
      const tables = examineTables(database, config);
      const known = knowsFiles(database) ? database.prepare(LIST_FILES).all() : null;
      const files = known === null ? [] : await examineKnownFiles(config, known.map(toKnownFile));
      return [...place, ...tables, ...files];
    } finally {
      database.close();
    }
  } catch (error) {
    return [
      ...place,
      bad(`database ${file}: ${error}. Set DATABASE_URL to another path, or restore a backup.`),
    ];
  }
}

function examinePlace(file: string): readonly Finding[] {
  let folder = dirname(file);
  while (!existsSync(folder)) folder = dirname(folder);
  const findings: Finding[] = [];
  for (const path of existsSync(file) ? [folder, file] : [folder]) {
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch {
      findings.push(bad(`${path} may not be written to by this user. Change its rights.`));
    }
  }
  if (!statSync(folder).isDirectory()) {
    return [bad(`${folder} is a file where a folder is needed. Set DATABASE_URL to another path.`)];
  }
  if (!existsSync(file)) findings.push(good(`database ${file}: the first start creates it.`));
  else if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    findings.push(
      note(
        `other users of this machine have rights on ${file}: the next start removes them. Check its backups too.`,
      ),
    );
  }
  const { bavail, bsize } = statfsSync(folder);
  const space = `free on its disk: ${Math.round((bavail * bsize) / 1_000_000).toLocaleString('en')} MB`;
  findings.push(bavail * bsize < LOW_SPACE ? bad(`${space}. Make room.`) : good(`${space}.`));
  return findings;
}

function examineTables(database: DatabaseSync, config: Config): readonly Finding[] {
  const ask = (sql: string) => Object.values(database.prepare(sql).get() ?? {})[0];
  const findings = [good(`engine SQLite ${ask('select sqlite_version()')}.`)];
  const mode = ask('pragma journal_mode');
  findings.push(
    mode === 'wal'
      ? good('journal mode wal: reads do not wait for writes.')
      : note(`journal mode ${mode}: the next start changes it to wal.`),
    good(
      'synchronous full: the service syncs before it acknowledges, so acknowledged data is on disk.',
    ),
  );
  const damage = findDamage(database);
  findings.push(
    damage === null
      ? good('the file is intact: every page, index and reference was checked.')
      : bad(`the file is damaged: ${damage}. Restore the last good backup.`),
    describeMigrations(listMigrations(database)),
  );
  const hasAccounts = ask("select count(*) from sqlite_master where name = 'accounts'") === 1;
  const accounts = hasAccounts ? Number(ask('select count(*) from accounts')) : null;
  return [
    ...findings,
    ...describeAccounts(accounts, config.registration),
    ...describeSchedules(listSchedules(database), config),
  ];
}

function listSchedules(database: DatabaseSync) {
  const table = "select 1 from sqlite_master where name = 'seeother_outbox'";
  const rows = database.prepare(table).get() ? database.prepare(SELECT_SCHEDULES).all() : [];
  return rows.map(({ id, payload, error }) => ({
    id: String(id),
    payload: String(payload),
    error: String(error),
  }));
}

/** The framework makes its table when it is first used. */
function knowsFiles(database: DatabaseSync): boolean {
  const table = "select 1 from sqlite_master where name = 'seeother_files'";
  if (database.prepare(table).get() === undefined) return false;
  return (
    database.prepare("select 1 from seeother_files where id = 'beginning'").get() !== undefined
  );
}

function listMigrations(database: DatabaseSync): readonly string[] {
  const hasTable = database
    .prepare("select 1 from sqlite_master where name = 'kysely_migration'")
    .get();
  const rows = hasTable ? database.prepare('select name from kysely_migration').all() : [];
  return rows.map(({ name }) => String(name));
}
