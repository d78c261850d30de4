/**
 * Checks the variables, one by one and in combination: a valid value can still be unwise, or insecure
 * in production.
 */
import type { Config, Environment, Setting } from '../../application/process/config.ts';
import { findUnsafe } from '../../application/process/require-safe-production.ts';
import { bad, type Finding, good, note } from './finding.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  HOST: 'the address it listens on',
  PORT: 'the port it listens on; 0 picks a free one',
  DATABASE_URL: 'where everything is kept',
  DATABASE_TIMEOUT: 'seconds that a request waits for the database',
  PUBLIC_ORIGIN: 'the address that people use',
  TRUST_PROXY: 'the proxies whose X-Forwarded-* headers are believed',
  ALLOW_HTTP: 'whether plain http is meant in production',
  REGISTRATION: 'who may make an account without an invitation',
  SAMPLE_ITEMS: 'whether an empty database starts with sample items',
  LOG_USERS: 'whether the log says who was logged in',
  SERVER_TIMING: 'whether answers show the times of the chain; never in production',
  SESSION_IDLE_HOURS: 'the longest pause in a session, in hours',
  SESSION_ABSOLUTE_DAYS: 'the longest life of a session, in days',
  BODY_LIMIT: 'the longest form, in bytes',
  BODIES_LIMIT: 'bytes of all forms together that a process holds',
  WORKERS: 'the processes that serve',
  DRAIN_NOTICE: 'seconds to serve on after SIGTERM, for load balancers to notice',
  DRAIN_LIMIT: 'seconds that requests under way get after that',
};

export function examineSettings(
  config: Config,
  settings: readonly Setting[],
  environment: Environment,
): readonly Finding[] {
  return [
    describeMode(environment['NODE_ENV'] ?? ''),
    ...settings.map(describeSetting),
    ...findUnsafe(config, environment).map((reason) =>
      config.production
        ? bad(`production refuses to start: ${reason}`)
        : note(`in production the start would be refused: ${reason}`),
    ),
    ...findUnwise(config, environment).map(note),
  ];
}

function describeMode(mode: string): Finding {
  if (mode === 'production') return good('NODE_ENV=production: what is not safe is refused.');
  const shown = mode.replaceAll(/\p{Cc}/gu, '?');
  return note(
    `NODE_ENV=${shown}: this is not production, so that nothing unsafe is refused. Set it to production where people depend on the service.`,
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
      'PUBLIC_ORIGIN is not set: over http no host is served but IP addresses, localhost and, beyond this machine, names without a dot; over https any that the proxy passes on. Set it to the address that people use.',
    );
  }
  if (config.publicOrigin !== null && !environment['TRUST_PROXY']) {
    notes.push(
      'PUBLIC_ORIGIN is set and TRUST_PROXY is not: behind a proxy everybody has the proxy’s address, so that the failed log-ins of one make all wait. Set TRUST_PROXY to the address of the proxy.',
    );
  }
  if (config.sessionIdle > config.sessionAbsolute) {
    notes.push(
      'SESSION_IDLE_HOURS is longer than SESSION_ABSOLUTE_DAYS, which ends every session first.',
    );
  }
  if (config.registration === 'open') {
    notes.push('REGISTRATION=open: everybody who finds the address can make an account.');
  }
  return notes;
}
