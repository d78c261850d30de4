/**
 * Settings that production refuses, one line each: the service would run with them but be insecure.
 * Outside production nothing is refused, so a first start needs no settings. `npm run doctor` reports
 * settings that are only unwise.
 */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config, Environment } from './config.ts';
import { StartError } from './start-error.ts';
import { isUnencryptedUnasked } from './start-warnings.ts';

/** Throws a StartError for the first insecure setting. */
export function requireSafeProduction(config: Config, environment: Environment): void {
  const [first] = config.production ? findUnsafe(config, environment) : [];
  if (first !== undefined) throw new StartError(`Cannot start in production: ${first}`);
}

/** Everything that production refuses, whether this is production or not. */
export function findUnsafe(config: Config, environment: Environment): readonly string[] {
  const { publicOrigin, allowHttp, databaseUrl } = config;
  const reasons: string[] = [];
  const isHttps = publicOrigin?.startsWith('https:') === true;
  if (!allowHttp && publicOrigin !== null && !isHttps) {
    reasons.push(
      `PUBLIC_ORIGIN=${publicOrigin} is not https, so passwords and cookies could be read on the network. Set it to an https address, or ALLOW_HTTP=1 if you want plain http.`,
    );
  } else if (!allowHttp && !isHttps && !environment['TRUST_PROXY']) {
    reasons.push(
      'no setting says that users connect over https, so cookies would be sent without Secure. Set PUBLIC_ORIGIN to the https address that they use, or ALLOW_HTTP=1 if you want plain http.',
    );
  }
  const everybody = /(?:^|[\s,])(\S+\/0+)(?=\s|,|$)/.exec(environment['TRUST_PROXY'] ?? '')?.[1];
  if (everybody !== undefined) {
    reasons.push(
      `TRUST_PROXY=${everybody} trusts every address, so any client could forge its address. List only the addresses of your proxies.`,
    );
  }
  if (isUnencryptedUnasked(databaseUrl)) {
    reasons.push(
      'DATABASE_URL names a server on another machine, and the connection is not encrypted, so everything could be read and changed on the network. Add sslmode=verify-full (and sslrootcert), or sslmode=disable if the network is your own.',
    );
  }
  if (databaseUrl.startsWith('sqlite:')) {
    const file = databaseUrl.slice('sqlite:'.length);
    for (const path of [dirname(file), file]) {
      if (!isWorldWritable(path)) continue;
      reasons.push(
        `every user of this machine can write to ${path}, and so change the database. Remove that right ("chmod o-w ${path}"), or set DATABASE_URL to another path.`,
      );
    }
  }
  return reasons;
}

/** False for a missing file: this process will create it with safe rights. */
function isWorldWritable(path: string): boolean {
  // Mode bits mean nothing on Windows.
  if (process.platform === 'win32') return false;
  try {
    return (statSync(path).mode & 0o002) !== 0;
  } catch {
    return false;
  }
}
