/**
 * Which network a client counts as. Whoever has one IPv6 address has the rest of its /64 for the
 * asking, so that a limit for a single one is none.
 *
 * The hard case: one network has many spellings, and an IPv4 client may come as an IPv6 address.
 */
import { isIPv6 } from 'node:net';

/** An IPv4 address, or the /64 of an IPv6 one; text that is neither stays as it is. */
export function toNetwork(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const groups = toGroups(plain);
  if (!isMapped(groups)) return `${groups.slice(0, 4).join(':')}::/64`;
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.');
}

/** The eight groups, in lower case and without leading zeros: a URL has but one spelling of them. */
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
