/**
 * The address of a PostgreSQL server, or of several of which one can be written to:
 * `postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write`.
 * It may contain a password, so no error repeats any part of it.
 */
import { readFileSync } from 'node:fs';

/**
 * The parts of a `postgres:` address, which `parsePostgresUrl` reads. Of several hosts, the first that can
 * be written to is used.
 */
export interface PostgresAddress {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly user: string | undefined;
  /** Undefined: from PGPASSWORD, or none. */
  readonly password: string | undefined;
  readonly database: string | undefined;
  /** Whether a pooler such as PgBouncer gives each transaction another connection of the server. */
  readonly isPooled: boolean;
  readonly ssl: false | { readonly rejectUnauthorized: boolean; readonly ca?: string };
}

const ADDRESS =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^@/?#]*)(?:\/(?<database>[^@/?#]*))?(?:\?(?<query>[^#]*))?$/;
const HOST = /^(\[[0-9a-f:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?$/i;
const PARAMETERS = ['target_session_attrs', 'pooler', 'sslmode', 'sslrootcert'];

/**
 * Parses an address such as `postgres://user:password@host:5432/name`. Throws an Error whose message says what is
 * wrong and what is valid.
 */
export function parsePostgresUrl(url: string): PostgresAddress {
  const parts = ADDRESS.exec(url)?.groups;
  if (parts === undefined) {
    throw new Error(
      'it must have the form postgres://user:password@host:5432/name. Write characters such as @ : / ? # in a name or a password as %40 %3A %2F %3F %23.',
    );
  }
  const query = new URLSearchParams(parts['query']);
  const unknown = [...query.keys()].filter((name) => !PARAMETERS.includes(name));
  if (unknown.length > 0)
    throw new Error(`after the ? it may have ${PARAMETERS.join(', ')} and nothing else.`);
  checkTarget(query.get('target_session_attrs'));
  return {
    hosts: (parts['hosts'] || 'localhost').split(',').map(parseHost),
    user: decode(parts['user']),
    password: decode(parts['password']),
    database: decode(parts['database']),
    isPooled: parsePooler(query.get('pooler')),
    ssl: parseSsl(query.get('sslmode'), query.get('sslrootcert')),
  };
}

/** The address as logs show it: hosts and database name, without user and password. */
export function describeAddress({ hosts, database }: PostgresAddress): string {
  const names = hosts.map(({ host, port }) => `${host}:${port}`).join(',');
  return `postgres://${names}/${database ?? ''}`;
}

function parseHost(text: string): PostgresAddress['hosts'][number] {
  const [, host, port = '5432'] = HOST.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535 || Number(port) === 0)
    throw new Error('each host must be a name or an IP address, with a port from 1 to 65535.');
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function decode(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('a % in it must be followed by two hexadecimal digits. Write % as %25.');
  }
}

/** Read-only servers are always skipped, so only the values that say so are accepted. */
function checkTarget(value: string | null): void {
  if (value === null || value === 'read-write' || value === 'primary') return;
  throw new Error('target_session_attrs must be read-write: the application has to write.');
}

function parsePooler(value: string | null): boolean {
  if (value !== null && value !== 'transaction')
    throw new Error('pooler must be transaction, the mode of PgBouncer that is known here.');
  return value !== null;
}

function parseSsl(mode: string | null, file: string | null): PostgresAddress['ssl'] {
  if (mode === null || mode === 'disable') return false;
  if (mode === 'require' && file === null) return { rejectUnauthorized: false };
  if (mode === 'require') {
    throw new Error('sslrootcert needs sslmode=verify-full: require checks no certificate.');
  }
  if (mode !== 'verify-full') throw new Error('sslmode must be disable, require or verify-full.');
  if (file === null) return { rejectUnauthorized: true };
  try {
    return { rejectUnauthorized: true, ca: readFileSync(file, 'utf8') };
  } catch {
    throw new Error('sslrootcert must be the path of a file that can be read.');
  }
}
