/**
 * The settings that the harness passes to a contender: which of three servers to run, and where its
 * files are. `route` is one parameter route behind two middleware that only call `next`; `guarded` is
 * the same route behind a log, error handling, security headers and a cross-origin check; `items` is
 * the application, with all of these.
 */

export type Kind = 'route' | 'guarded' | 'items';

export const kind = process.argv[2] as Kind;
export const host = '127.0.0.1';
export const port = Number(read('PORT'));
/**
 * Whether pages have an ETag and are answered with 304, as each framework's documentation recommends.
 */
export const pageEtags = process.env['PAGE_ETAGS'] === '1';

export const databaseFile = () => read('DATABASE_FILE');
export const publicFolder = () => read('PUBLIC_FOLDER');

/** Signs the cookies of session middleware that wants it. */
export const SECRET = 'nobody keeps a secret in a benchmark';

/**
 * Milliseconds that an idle connection is kept: longer than load balancers keep theirs, as their
 * manuals ask for.
 */
export const KEEP_ALIVE = 65_000;

/**
 * Whether another site sends the form: for those that bring no such check. `header` gives one header.
 */
export function isCrossOrigin(
  method: string,
  header: (name: string) => string | null | undefined,
): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const site = header('sec-fetch-site');
  if (site) return site !== 'same-origin' && site !== 'none';
  const origin = header('origin');
  return Boolean(origin) && origin !== `http://${header('host')}`;
}

function read(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`Cannot start a contender: ${name} is not set.`);
  return value;
}
