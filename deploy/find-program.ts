/**
 * Finds the programs that the files here are for, in the usual places of Debian and others. If one is
 * missing, its tests are skipped with a line that says how to install it; in CI they run and fail.
 */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

const PLACES = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
/** Debian packages whose name differs from that of the program. */
const PACKAGES: Readonly<Record<string, string>> = {
  'systemd-analyze': 'systemd',
  gcc: 'gcc libc6-dev',
  promtool: 'prometheus',
  pdftoppm: 'poppler-utils',
  zbarimg: 'zbar-tools',
};

/** For `test(name, { skip }, …)`: the reason, or false. */
export function skipWithout(...names: readonly string[]): string | false {
  return process.env['CI'] === undefined && (describeMissing(names) ?? false);
}

/** Which of these programs are missing and how to install them, or null. */
export function describeMissing(names: readonly string[]): string | null {
  const missing = names.filter((name) => findProgram(name) === null);
  if (missing.length === 0) return null;
  const packages = missing.map((name) => PACKAGES[name] ?? name);
  return `No ${missing.join(' and ')} found: "apt-get install ${packages.join(' ')}".`;
}

/** The path of the program; throws if it is missing. */
export function requireProgram(name: string): string {
  const path = findProgram(name);
  if (path === null) throw new Error(describeMissing([name]) ?? name);
  return path;
}

/** The path of the program, or null. */
export function findProgram(name: string): string | null {
  return PLACES.map((place) => join(place, name)).find(isExecutable) ?? null;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
