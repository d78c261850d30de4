/**
 * Two instances of the application on one database, behind a proxy, with the settings from the guide.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../application/database/kysely.ts';
import type { Environment } from '../application/settings/config.ts';
import { type Pair, portOf, startPair } from '../application/testing/start-pair.ts';
import { ORIGIN } from './ask-proxy.ts';
import { makeCertificate } from './make-certificate.ts';
import { type ProxyName, type RunningProxy, startProxy } from './start-proxy.ts';

export interface Behind extends Pair {
  readonly proxy: RunningProxy;
}

export interface BehindOptions {
  /** Settings in addition to, or instead of, the guide's. */
  readonly environment?: Environment;
  /** Further settings of the second instance alone. */
  readonly others?: Environment;
  readonly engine?: Database['engine'];
  readonly program?: readonly string[];
  /** Of the first instance, if it is another one. */
  readonly older?: readonly string[] | undefined;
  /** Further texts of the proxy's file, and their replacements. */
  readonly replacements?: Readonly<Record<string, string>>;
}

const SETTINGS = { NODE_ENV: 'production', PUBLIC_ORIGIN: ORIGIN, TRUST_PROXY: '127.0.0.1' };

export async function startBehind(
  name: ProxyName,
  { environment, others, engine, program, older, replacements = {} }: BehindOptions = {},
): Promise<Behind> {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  started.defer(() => rmSync(folder, { recursive: true }));
  const pair = await startPair({ ...SETTINGS, ...environment }, engine, others, program, older);
  started.defer(pair.stop);
  const [one, two] = pair.instances;
  const proxy = await startProxy(name, {
    folder,
    certificate: makeCertificate(folder),
    instances: [portOf(one), portOf(two)],
    replacements,
  });
  started.defer(proxy.stop);
  const whole = started.move();
  return { ...pair, proxy, stop: () => whole.disposeAsync() };
}
