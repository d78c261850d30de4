/**
 * Checks the variables, one by one and in combination: a valid value can still be unwise, or insecure
 * in production.
 */
import type { Config, Environment, Setting } from '../../application/settings/config.ts';
import { describeReaders } from '../../application/settings/readers.ts';
import { findUnsafe } from '../../application/settings/require-safe-production.ts';
import { bad, type Finding, good, note } from './finding.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  HOST: 'the address it listens on',
  PORT: 'the port it listens on; 0 picks a free port',
  DATABASE_URL: 'where all data is stored',
  DATABASE_TIMEOUT: 'seconds that a request waits for the database',
  FILES_FOLDER: 'the folder of uploaded files, without FILES_URL',
  FILES_URL: 'where uploaded files are: a folder, or a bucket of S3',
  AWS_ACCESS_KEY_ID: 'the key of the bucket, with FILES_URL=s3:…',
  AWS_SECRET_ACCESS_KEY: 'its secret',
  PUBLIC_ORIGIN: 'the address that users type',
  TRUST_PROXY: 'the proxies whose X-Forwarded-* headers are trusted',
  MAIL_URL: 'the mail server; without one, nothing of mails is shown',
  MAIL_FROM: 'the sender of mails',
  ALLOW_HTTP: 'whether plain http is allowed in production',
  SITE_NAME: 'what the team calls the site',
  TIME_ZONE: 'the time zone of the team; by default that of the machine',
  LOCALE: 'how numbers, days and times are written',
  REGISTRATION: 'who can register without an invitation',
  READERS: 'who can read the items without an account: everybody, or nobody (members)',
  SECRETS: 'seal the keys of one-time codes; the first seals, and each opens',
  ONE_TIME_CODES: 'whether people can switch on one-time codes of an app',
  PASSKEYS: 'whether people can log in with passkeys',
  SECOND_FACTOR_FOR: 'the roles that need a second factor',
  BREACHED_PASSWORDS: 'the list of passwords that are refused because they were stolen elsewhere',
  OPENID_ISSUER: 'the company whose people log in with their account there',
  OPENID_CLIENT_ID: 'what the company calls this site',
  OPENID_CLIENT_SECRET: 'how this site proves itself to the company',
  OPENID_NAME: 'what people call the company',
  OPENID_SCOPES: 'what the company is asked to tell of people',
  OPENID_REGISTER: 'whether everybody whom the company lets in gets an account',
  OPENID_ROLES: 'which of the company’s groups have which role',
  OPENID_TWO_FACTORS: 'whether a second factor of the company counts here',
  SAMPLE_ITEMS: 'whether an empty database starts with sample items',
  LOG_USERS: 'whether the log has a line with the username',
  METRICS_PORT: 'where Prometheus reads the metrics',
  METRICS_HOST: 'the address of that port',
  LOG_FORMAT: 'how a line of the request log is written',
  DEVELOPMENT_PAGES: 'whether an error shows its stack, source and chain; never in production',
  SERVER_TIMING: 'whether answers show the time of each middleware; never in production',
  SESSION_IDLE_HOURS: 'hours without a request after which a session ends',
  SESSION_ABSOLUTE_DAYS: 'days after which a session ends in any case',
  SESSION_COOKIE: 'the name of the session’s cookie',
  BODY_LIMIT: 'maximum bytes of a form',
  BODIES_LIMIT: 'maximum bytes of all forms in memory of a process',
  WORKERS: 'number of serving processes',
  DRAIN_NOTICE: 'seconds to continue serving after SIGTERM, so that load balancers notice',
  DRAIN_LIMIT: 'seconds that running requests get after that',
};

export function examineSettings(
  config: Config,
  settings: readonly Setting[],
  environment: Environment,
): readonly Finding[] {
  return [
    describeMode(environment['NODE_ENV'] ?? ''),
    ...settings.map(describeSetting),
    good(describeReaders(config.readers)),
    ...findUnsafe(config, environment).map((reason) =>
      config.production
        ? bad(`production refuses to start: ${reason}`)
        : note(`in production the start would be refused: ${reason}`),
    ),
    ...findUnwise(config, environment).map(note),
  ];
}

function describeMode(mode: string): Finding {
  if (mode === 'production') return good('NODE_ENV=production: insecure settings are refused.');
  const shown = mode.replaceAll(/\p{Cc}/gu, '?');
  return note(
    `NODE_ENV=${shown}: this is not production, so insecure settings are not refused. Set it to production if users depend on the service.`,
  );
}

function describeSetting({ name, shown, isDefault, refusal }: Setting): Finding {
  const origin = isDefault ? 'default' : 'environment';
  const line = `${name}=${shown} (${origin})`;
  if (refusal !== null) return bad(`${line}: ${refusal}`);
  return good(`${line}: ${MEANINGS[name] ?? 'a setting'}.`);
}

function findUnwise(config: Config, environment: Environment): readonly string[] {
  const notes: string[] = [];
  if (config.publicOrigin === null && config.production) {
    notes.push(
      'PUBLIC_ORIGIN is not set: over http only IP addresses, localhost and, on a network, names without a dot are served; over https any host that the proxy passes on. Set it to the address that users type.',
    );
  }
  if (config.publicOrigin !== null && !environment['TRUST_PROXY']) {
    notes.push(
      'PUBLIC_ORIGIN is set and TRUST_PROXY is not: behind a proxy all users have the proxy’s address, so the failed log-ins of one block all others. Set TRUST_PROXY to the address of the proxy.',
    );
  }
  if (config.sessionIdle > config.sessionAbsolute) {
    notes.push(
      'SESSION_IDLE_HOURS is longer than SESSION_ABSOLUTE_DAYS, which ends every session first.',
    );
  }
  if (config.registration === 'open') {
    notes.push('REGISTRATION=open: anybody who finds the address can create an account.');
  }
  if (config.production && config.readers === 'everybody') {
    notes.push(
      'READERS=everybody: anybody who finds the address can read the items. Set it to members if they are not for everybody.',
    );
  }
  return notes;
}
