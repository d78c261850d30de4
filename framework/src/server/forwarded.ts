/**
 * Client addresses and schemes behind proxies. X-Forwarded-* headers are used only if the peer is a
 * trusted proxy, and ignored otherwise.
 */
import { BlockList, isIP } from 'node:net';
import type { Request, RequestHeaders } from '../http/request.ts';

/**
 * The proxies in front of a server. Only from them are `X-Forwarded-For` and `X-Forwarded-Proto` believed.
 */
export interface Trust {
  /** Whether the address is a proxy whose X-Forwarded-* headers are trusted. */
  readonly isProxy: (address: string) => boolean;
  /** The scheme of every request, if the configuration fixes it. */
  readonly scheme: 'http' | 'https' | null;
}

export const TRUST_NO_PROXY: Trust = { isProxy: () => false, scheme: null };

/**
 * Parses a comma list of addresses and networks such as `10.0.0.0/8`. Throws a TypeError for other
 * text.
 */
export function parseProxies(list: string): Trust['isProxy'] {
  const proxies = new BlockList();
  for (const entry of list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')) {
    const [, address = '', prefix] = /^([^/]*)(?:\/(\d+))?$/.exec(entry) ?? [];
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const bits = prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix);
    if (isIP(address) === 0 || bits > (family === 'ipv6' ? 128 : 32)) {
      throw new TypeError(
        `${JSON.stringify(entry)} is not an IP address or network such as 10.0.0.0/8`,
      );
    }
    proxies.addSubnet(address, bits, family);
  }
  return (address) => proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** The peer of a connection, determined once for all its requests. */
export interface Peer {
  readonly address: string;
  readonly isProxy: boolean;
  /** Of the connection itself. */
  readonly scheme: Request['scheme'];
}

/** The scheme that the client used. */
export function schemeOf(headers: RequestHeaders, peer: Peer, trust: Trust): Request['scheme'] {
  if (trust.scheme !== null) return trust.scheme;
  // The nearest proxy added the last value.
  const forwarded = peer.isProxy ? splitList(headers['x-forwarded-proto'])?.at(-1) : undefined;
  return forwarded?.toLowerCase() === 'https' ? 'https' : peer.scheme;
}

/** The last address that was not added by a trusted proxy. */
export function addressOf(headers: RequestHeaders, peer: Peer, trust: Trust): string {
  if (!peer.isProxy) return peer.address;
  const chain = splitList(headers['x-forwarded-for']) ?? [];
  const client = chain
    .map((entry) => plainAddress(withoutPort(entry)))
    .findLast((address) => !trust.isProxy(address));
  return client !== undefined && isIP(client) !== 0 ? client : peer.address;
}

/** Some proxies append the port of the client: `192.0.2.1:54321`, `[2001:db8::1]:54321`. */
function withoutPort(entry: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]+:[^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry) ?? [];
  return bracketed ?? plain ?? entry;
}

function splitList(header: string | undefined): string[] | undefined {
  return header?.split(',').map((one) => one.trim());
}

/** An IPv4 address that arrived on an IPv6 socket, without its prefix. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
