/**
 * The networks of a client, for limits. An IPv6 client can use all addresses of its /64, and many
 * sites have a whole /56 or /48, so a limit per address would have no effect.
 *
 * IPv6 addresses have many spellings, and an IPv4 client may appear as a mapped IPv6 address, so
 * both are normalized.
 */
import { isIPv6 } from 'node:net';

/**
 * The /64, /56 and /48 of an IPv6 address. An IPv4 address, or any other text, is returned as it
 * is.
 */
export function toNetworks(address: string): readonly string[] {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return [address];
  const groups = toGroups(plain);
  if (isMapped(groups)) return [toIPv4(groups)];
  const [first, second, third, fourth = '0'] = groups;
  const site = `${first}:${second}:${third}`;
  const subnets = (Number.parseInt(fourth, 16) & 0xff00).toString(16);
  return [`${site}:${fourth}::/64`, `${site}:${subnets}::/56`, `${site}::/48`];
}

/** The eight groups in lower case without leading zeros, as the URL parser normalizes them. */
function toGroups(address: string): readonly string[] {
  const { hostname } = new URL(`http://[${address}]`);
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  return [...before, ...Array(8 - before.length - after.length).fill('0'), ...after];
}

/** ::ffff:0:0/96, RFC 4291 section 2.5.5.2. */
function isMapped(groups: readonly string[]): boolean {
  return groups[5] === 'ffff' && groups.slice(0, 5).every((group) => group === '0');
}

function toIPv4(groups: readonly string[]): string {
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.');
}
