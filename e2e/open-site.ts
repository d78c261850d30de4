/**
 * The site that a story is told on: one instance of the application; on PostgreSQL two of them, behind
 * nginx and HAProxy in turn, which hand each request to either. Where these are not installed it is
 * one instance there too: the global setup of the tests says so.
 */
import type { Environment } from '../application/process/config.ts';
import { ENGINE } from '../application/testing/open-test-database.ts';
import { findFreePort } from '../application/testing/postgres/find-free-port.ts';
import { startApplication } from '../application/testing/start-application.ts';
import { skipWithout } from '../deploy/find-program.ts';
import type { Certificate } from '../deploy/make-certificate.ts';
import { startBehind } from '../deploy/start-behind.ts';

export interface Site {
  /** As the browser knows it, such as `https://127.0.0.1:21234`. */
  readonly url: string;
  /** The request log, of all instances. */
  readonly log: () => string;
  readonly stop: () => Promise<unknown>;
}

export const BALANCERS = ['nginx', 'haproxy'] as const;
type Balancer = (typeof BALANCERS)[number];

let turn = 0;

/** What the next story of this file is told behind; null for nothing. BALANCER names one for all. */
export function chooseBalancer(): Balancer | null {
  if (ENGINE === 'sqlite' || skipWithout(...BALANCERS, 'openssl') !== false) return null;
  const named = BALANCERS.find((name) => name === process.env['BALANCER']);
  return named ?? BALANCERS[turn++ % BALANCERS.length] ?? null;
}

export async function openSite(environment: Environment = {}): Promise<Site> {
  const { url, output, stop } = await startApplication(environment);
  return { url, log: () => output().log, stop };
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
