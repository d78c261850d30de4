/**
 * Opens the database that the configuration names, of either engine, and brings its tables up to date.
 * What only the other engine needs is not loaded: that would be a tenth of a start.
 */
import { StartError } from '../process/start-error.ts';
import type { Database } from './database.ts';
import type { OpenOptions } from './open-options.ts';
import { describeAddress, parsePostgresUrl } from './postgres-url.ts';

/** The database cannot be opened now, and nothing says that a setting is wrong: waiting may help. */
export class DatabaseAway extends StartError {}

/**
 * `url` is `sqlite:` and a path, or the `postgres://` address of a server. Rejects with a StartError
 * that says what is wrong with it, without its password. `timeout` is 2,000 when it is not given.
 */
export async function openDatabase(
  url: string,
  {
    report = () => {},
    onLost = () => {},
    acceptsNewer = false,
    timeout = 2_000,
  }: Partial<OpenOptions> = {},
): Promise<Database> {
  const options = { report, onLost, acceptsNewer, timeout };
  if (url.startsWith('sqlite:')) {
    const { explainOpening, isLocked, openSqlite } = await import('./open-sqlite.ts');
    const file = url.slice('sqlite:'.length);
    return openSqlite(file, options).catch(refuse(file, explainOpening, isLocked));
  }
  const { explainPostgres, isAway, openPostgres } = await import('./open-postgres.ts');
  const address = parsePostgresUrl(url);
  return openPostgres(address, options).catch(
    refuse(describeAddress(address), explainPostgres, isAway),
  );
}

function refuse(
  name: string,
  explain: (error: unknown) => string,
  mayHelpToWait: (error: unknown) => boolean,
) {
  return (error: unknown): never => {
    const Refusal = mayHelpToWait(error) ? DatabaseAway : StartError;
    throw new Refusal(`Cannot open the database ${name}: ${explain(error)}`, { cause: error });
  };
}
