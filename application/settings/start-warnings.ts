/**
 * Warnings in the start line: settings that work but let attackers on the network read or change
 * traffic.
 */
import { parsePostgresUrl } from 'seeother/postgres';
import { findPictureLibraries } from '../pictures/picture-libraries.ts';
import type { Config } from './config.ts';

const PLAIN_HTTP =
  'Cookies are sent without Secure, because no setting says that users connect over https: set PUBLIC_ORIGIN to the https address, or TRUST_PROXY to the proxy.';

const UNVERIFIED_DATABASE =
  'WARNING: sslmode=require does not verify the certificate, so an attacker on the network can impersonate PostgreSQL, and read and change everything: use sslmode=verify-full, with sslrootcert.';

const UNENCRYPTED_DATABASE =
  'WARNING: the connection to PostgreSQL on another machine is not encrypted, so an attacker on the network can read and change everything: use sslmode=verify-full, with sslrootcert.';

const NO_PICTURES =
  'WARNING: the libraries that make pictures are missing, so photos are taken as documents: install the whole release again.';

/** Whether a network carries all data as it is, although no `sslmode` asks for that. */
export function isUnencryptedUnasked(databaseUrl: string): boolean {
  if (databaseUrl.startsWith('sqlite:') || /[?&]sslmode=/.test(databaseUrl)) return false;
  const { hosts } = parsePostgresUrl(databaseUrl);
  return !hosts.every(({ host }) => /^(?:localhost|127(?:\.\d+){3}|::1)$/i.test(host));
}

/** Sentences; empty if there is no warning. */
export function listStartWarnings({ plainHttp, databaseUrl }: Config): readonly string[] {
  const warnings = [
    ...(plainHttp ? [PLAIN_HTTP] : []),
    ...(findPictureLibraries() === null ? [NO_PICTURES] : []),
  ];
  if (databaseUrl.startsWith('sqlite:')) return warnings;
  if (isUnencryptedUnasked(databaseUrl)) return [...warnings, UNENCRYPTED_DATABASE];
  const { ssl } = parsePostgresUrl(databaseUrl);
  return ssl && !ssl.rejectUnauthorized ? [...warnings, UNVERIFIED_DATABASE] : warnings;
}
