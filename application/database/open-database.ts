/**
 * Opens the database of the configuration and migrates it. The other engine's code is not loaded: that would be a
 * tenth of the start time.
 */
import { existsSync } from 'node:fs';
import type { OpenOptions as DoorOptions } from 'seeother/database';
import { StartError } from '../settings/start-error.ts';
import { copyBeforeMigration } from './copy-sqlite-file.ts';
import { createDatabase, type Database } from './kysely.ts';
import { ForeignDatabase, type MigrateOptions, migrate } from './migrate.ts';

export interface OpenOptions
  extends Omit<DoorOptions, 'migrate'>,
    Pick<MigrateOptions, 'migrations'> {
  /** Called once when SQLite's disk has failed to save: the process must end. */
  readonly onLost?: (error: Error) => void;
  /** Whether to use a database that a newer version has migrated; otherwise it is refused. */
  readonly acceptsNewer?: boolean;
  /** For a command: an empty new file would hide that it runs in another folder than the service. */
  readonly mustExist?: boolean;
}

/** The database cannot be opened now, but waiting may help: no setting is known to be wrong. */
export class DatabaseAway extends StartError {}

/**
 * `url` is `sqlite:` and a path, or the `postgres://` address of a server. Rejects with a StartError that says what
 * is wrong, and does not contain the password.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  return url.startsWith('sqlite:')
    ? openFile(url.slice('sqlite:'.length), options)
    : openServer(url, options);
}

async function openFile(file: string, options: OpenOptions): Promise<Database> {
  const { explainSqlite, isLocked, openSqlite } = await import('seeother/sqlite');
  const { acceptsNewer: _, migrations: __, mustExist = false, ...door } = options;
  if (mustExist && !existsSync(file)) {
    throw new StartError(
      `Cannot open the database ${file}: there is no such file. Run the command in the folder of the service and with its settings, or start the service first, which makes it.`,
    );
  }
  const copy = (next: string) => copyBeforeMigration(file, next);
  const migrateFile: DoorOptions['migrate'] = (connection) =>
    migrate('sqlite', connection, { ...options, copy });
  try {
    return createDatabase(await openSqlite(file, { ...door, migrate: migrateFile }));
  } catch (error) {
    throw toStartError(file, error, explainSqlite(error), isLocked(error));
  }
}

async function openServer(url: string, options: OpenOptions): Promise<Database> {
  const { describeAddress, explainPostgres, isAway, openPostgres, parsePostgresUrl } = await import(
    'seeother/postgres'
  );
  const { acceptsNewer: _, migrations: __, mustExist: ___, onLost: ____, ...door } = options;
  const address = parsePostgresUrl(url);
  const migrateServer: DoorOptions['migrate'] = (connection) =>
    migrate('postgres', connection, options);
  try {
    return createDatabase(await openPostgres(address, { ...door, migrate: migrateServer }));
  } catch (error) {
    throw toStartError(describeAddress(address), error, explainPostgres(error), isAway(error));
  }
}

function toStartError(
  name: string,
  cause: unknown,
  words: string,
  mayHelpToWait: boolean,
): StartError {
  const Refusal = mayHelpToWait ? DatabaseAway : StartError;
  const why = cause instanceof ForeignDatabase ? cause.message : nameSetting(words);
  return new Refusal(`Cannot open the database ${name}: ${why}`, { cause });
}

/** Puts the name of the setting into the framework's message. */
export function nameSetting(words: string): string {
  return words
    .replaceAll('the address', 'DATABASE_URL')
    .replace(/Name (a(?:nother)? path)/, 'Set DATABASE_URL to $1')
    .replace(/name (a(?:nother)? path)/, 'set DATABASE_URL to $1');
}
