/**
 * The database, only read: a look must not make the file, bring its tables up to date or repair it.
 * A file that is not there yet is good, when its folder can be made.
 */
import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '../../application/config.ts';
import { ROOT } from '../project-files.ts';
import { bad, type Finding, good, note } from './finding.ts';

/** Less free space than this is too little for a busy day and a backup. */
const LOW_SPACE = 500_000_000;
const MIGRATIONS = join(ROOT, 'application', 'database', 'migrations');

export async function examineDatabase({ databaseUrl, registration }: Config) {
  if (!databaseUrl.startsWith('sqlite:')) {
    return [note('the database is PostgreSQL, which is not looked at here: ask /readyz.')];
  }
  const file = resolve(databaseUrl.slice('sqlite:'.length));
  const place = examinePlace(file);
  if (place.some(({ verdict }) => verdict === 'bad') || !existsSync(file)) return place;
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 2_000 });
    try {
      return [...place, ...examineTables(database, registration)];
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
  if (!existsSync(file)) findings.push(good(`database ${file}: the first start makes it.`));
  else if (process.platform !== 'win32' && (statSync(file).mode & 0o004) !== 0) {
    findings.push(
      note(
        `every user of this machine may read ${file}. Take that right away: "chmod o-r ${file}".`,
      ),
    );
  }
  const { bavail, bsize } = statfsSync(folder);
  const space = `free on its disk: ${Math.round((bavail * bsize) / 1_000_000).toLocaleString('en')} MB`;
  findings.push(bavail * bsize < LOW_SPACE ? bad(`${space}. Make room.`) : good(`${space}.`));
  return findings;
}

function examineTables(database: DatabaseSync, registration: Config['registration']) {
  const ask = (sql: string) => Object.values(database.prepare(sql).get() ?? {})[0];
  const findings = [good(`engine SQLite ${ask('select sqlite_version()')}.`)];
  const mode = ask('pragma journal_mode');
  findings.push(
    mode === 'wal'
      ? good('journal mode wal: reads do not wait for writes.')
      : note(`journal mode ${mode}: the next start makes it wal.`),
    good('synchronous full: the service sets it, so that what was acknowledged is on the disk.'),
  );
  const check = ask('pragma quick_check(1)');
  findings.push(
    check === 'ok'
      ? good('the file is whole (quick_check).')
      : bad(`the file is damaged: ${check}. Restore a backup.`),
    describeMigrations(database),
  );
  const hasAccounts = ask("select count(*) from sqlite_master where name = 'accounts'") === 1;
  if (hasAccounts && registration === 'first' && ask('select count(*) from accounts') === 0) {
    findings.push(
      note(
        'nobody has an account yet, and whoever comes first makes it. Be the first, or set REGISTRATION=invite and run "npm run account -- invite".',
      ),
    );
  }
  return findings;
}

function describeMigrations(database: DatabaseSync): Finding {
  const known = readdirSync(MIGRATIONS).map((name) => name.replace(/\.ts$/, ''));
  const hasTable = database
    .prepare("select 1 from sqlite_master where name = 'kysely_migration'")
    .get();
  const rows = hasTable ? database.prepare('select name from kysely_migration').all() : [];
  const done = rows.map(({ name }) => String(name));
  const foreign = done.filter((name) => !known.includes(name));
  const missing = known.filter((name) => !done.includes(name));
  if (foreign.length > 0) {
    return bad(
      `migrations: ${foreign[0]} is not known here, so a newer version has used this database. Start that version.`,
    );
  }
  if (missing.length > 0)
    return note(`migrations: ${missing.length} missing; the start runs them.`);
  return good(`migrations: all ${known.length} have run.`);
}
