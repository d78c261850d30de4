/**
 * The site for a story: one instance of the application; on PostgreSQL two of them behind nginx or
 * HAProxy, alternately, which distribute the requests. If the proxies are not installed, it is one
 * instance; the global setup of the tests reports this.
 */
import type { Environment } from '../application/settings/config.ts';
import { ENGINE } from '../application/testing/open-test-database.ts';
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
