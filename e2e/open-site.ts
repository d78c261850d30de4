/**
 * The site for a story: one instance of the application; on PostgreSQL two of them behind nginx or
 * HAProxy, alternately, which distribute the requests. If the proxies are not installed, it is one
 * instance; the global setup of the tests reports this.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../application/settings/config.ts';
import { createTestDatabase, ENGINE } from '../application/testing/create-test-database.ts';
import { findFreePort } from '../application/testing/postgres/find-free-port.ts';
import { startInProcess } from '../application/testing/start-in-process.ts';
import { skipWithout } from '../deploy/find-program.ts';
import type { Certificate } from '../deploy/make-certificate.ts';
import { startProxy } from '../deploy/start-proxy.ts';

export interface Site {
  /** The address for the browser, such as `https://127.0.0.1:21234`. */
  readonly url: string;
  /** The request logs of all instances. */
  readonly log: () => string;
  readonly stop: () => Promise<unknown>;
}

export const BALANCERS = ['nginx', 'haproxy'] as const;
type Balancer = (typeof BALANCERS)[number];

const SETTINGS = { NODE_ENV: 'production', TRUST_PROXY: '127.0.0.1', SAMPLE_ITEMS: '1' };

let turn = 0;

/** The proxy for the next story of this file; null for none. BALANCER sets one for all. */
export function chooseBalancer(): Balancer | null {
  if (ENGINE === 'sqlite' || skipWithout(...BALANCERS, 'openssl') !== false) return null;
  const named = BALANCERS.find((name) => name === process.env['BALANCER']);
  return named ?? BALANCERS[turn++ % BALANCERS.length] ?? null;
}

/**
 * Two instances on one database, with the settings from the guide. That they are processes of their own
 * is for the tests of deploy/; here they share one, which halves the work.
 */
export async function openSiteBehind(
  balancer: Balancer,
  certificate: Certificate,
  environment: Environment = {},
): Promise<Site> {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  started.defer(() => rmSync(folder, { recursive: true }));
  const { url: databaseUrl, drop } = await createTestDatabase();
  started.defer(drop);
  const https = await findFreePort();
  const url = `https://127.0.0.1:${https}`;
  const settings = { ...SETTINGS, PUBLIC_ORIGIN: url, DATABASE_URL: databaseUrl, ...environment };
  const first = await startInProcess(settings);
  started.defer(first.stop);
  const second = await startInProcess(settings);
  started.defer(second.stop);
  const instances = [new URL(first.url).port, new URL(second.url).port] as const;
  const proxy = await startProxy(balancer, { folder, certificate, instances, https });
  started.defer(proxy.stop);
  const whole = started.move();
  return { url, log: () => first.log() + second.log(), stop: () => whole.disposeAsync() };
}
