/**
 * The site for a story: one instance of the application; on PostgreSQL two of them behind nginx or
 * HAProxy, alternately, which distribute the requests. If the proxies are not installed, it is one
 * instance; the global setup of the tests reports this.
 */

import { prepareDatabase, startInstance } from '../application/serve/start-instance.ts';
import { type Environment, readConfig } from '../application/settings/config.ts';
import { toErrorLine } from '../application/settings/error-line.ts';
import { createTestDatabase, ENGINE } from '../application/testing/open-test-database.ts';
import { findFreePort } from '../application/testing/postgres/find-free-port.ts';
import { skipWithout } from '../deploy/find-program.ts';
import type { Certificate } from '../deploy/make-certificate.ts';
import { startBehind } from '../deploy/start-behind.ts';

export interface Site {
  /** The address for the browser, such as `https://127.0.0.1:21234`. */
  readonly url: string;
  /** The request logs of all instances. */
  readonly log: () => string;
  readonly stop: () => Promise<unknown>;
}

export const BALANCERS = ['nginx', 'haproxy'] as const;
type Balancer = (typeof BALANCERS)[number];

let turn = 0;

/** The proxy for the next story of this file; null for none. BALANCER sets one for all. */
export function chooseBalancer(): Balancer | null {
  if (ENGINE === 'sqlite' || skipWithout(...BALANCERS, 'openssl') !== false) return null;
  const named = BALANCERS.find((name) => name === process.env['BALANCER']);
  return named ?? BALANCERS[turn++ % BALANCERS.length] ?? null;
}

/** Runs in this process: a process for each site took a fifth of the time of all stories. */
export async function openSite(environment: Environment = {}): Promise<Site> {
  const { url: databaseUrl, drop } = await createTestDatabase();
  const config = readConfig({
    PORT: '0',
    DATABASE_TIMEOUT: '20',
    ...environment,
    DATABASE_URL: databaseUrl,
  });
  const lines: string[] = [];
  const log = { write: (line: string) => void lines.push(line), close: async () => {} };
  await prepareDatabase(config, (entry) => log.write(toErrorLine(entry)));
  const { url, stop } = await startInstance(config, { requests: log, errors: log }, (error) => {
    throw error;
  });
  return {
    url,
    log: () => lines.join('\n'),
    async stop() {
      await stop();
      await drop();
    },
  };
}

export async function openSiteBehind(
  balancer: Balancer,
  certificate: Certificate,
  environment: Environment = {},
): Promise<Site> {
  const https = await findFreePort();
  const url = `https://127.0.0.1:${https}`;
  const { instances, stop } = await startBehind(balancer, {
    environment: { PUBLIC_ORIGIN: url, SAMPLE_ITEMS: '1', ...environment },
    certificate,
    https,
  });
  return { url, log: () => instances.map(({ output }) => output().log).join(''), stop };
}
