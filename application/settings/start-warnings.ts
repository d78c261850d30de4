/**
 * Warnings in the start line: settings that work but let attackers on the network read or change
 * traffic.
 */
import { parsePostgresUrl } from 'seeother/postgres';
import type { Config } from './config.ts';

const PLAIN_HTTP =
  'Cookies are sent without Secure, because no setting says that users connect over https: set PUBLIC_ORIGIN to the https address, or TRUST_PROXY to the proxy.';

const UNVERIFIED_DATABASE =
  'WARNING: sslmode=require does not verify the certificate, so an attacker on the network can impersonate PostgreSQL, and read and change everything: use sslmode=verify-full, with sslrootcert.';

/** Sentences; empty if there is no warning. */
export function listStartWarnings({ plainHttp, databaseUrl }: Config): readonly string[] {
  const warnings = plainHttp ? [PLAIN_HTTP] : [];
  if (databaseUrl.startsWith('sqlite:')) return warnings;
  const { ssl } = parsePostgresUrl(databaseUrl);
  return ssl && !ssl.rejectUnauthorized ? [...warnings, UNVERIFIED_DATABASE] : warnings;
}
