/**
 * Where the passkeys of a site hold. A passkey is bound to a domain, its RP ID, and browsers offer it only to pages of
 * that domain and below, and to related origins. So the origin must be the one that browsers show: behind a proxy, it
 * comes from the settings of the site, not from what the proxy has asked.
 */
import { isIP } from 'node:net';
import { checkOptions, LIST, needed, type OptionKinds, TEXT } from '../http/check-options.ts';

/** Options of `passkeys`. */
export interface PasskeysOptions {
  /** The name of the site, which browsers show when they ask for a passkey. */
  readonly name: string;
  /**
   * The RP ID: the domain of the origin by default. A site at `accounts.club.example` whose passkeys are to hold at
   * `www.club.example` too has `club.example`. Passkeys of another domain are lost when it changes.
   */
  readonly id?: string;
  /** Origins beside the site's own whose pages may use its passkeys, such as `https://club.example.org`. */
  readonly origins?: readonly string[];
}

const KINDS = {
  name: needed(TEXT, "'Chess club'"),
  id: TEXT,
  origins: LIST,
} satisfies OptionKinds<PasskeysOptions>;

/** What a response must name. */
export interface Place {
  readonly id: string;
  readonly origins: readonly string[];
}

/** Throws a TypeError for options that no browser would accept. */
export function checkPasskeysOptions(options: PasskeysOptions): void {
  checkOptions('passkeys', options, KINDS);
  const { name, id, origins = [] } = options;
  if (name.trim() === '')
    throw new TypeError(
      'Cannot make passkeys without a name: browsers show it. Pass that of the site.',
    );
  if (id !== undefined && !isDomain(id)) {
    throw new TypeError(
      `Cannot make passkeys for ${JSON.stringify(id)}: pass a domain in lower case without scheme and port, such as "club.example".`,
    );
  }
  for (const origin of origins) checkOrigin(origin);
}

/** Throws a TypeError for an origin to whose pages no browser would offer the passkeys. */
export function findPlace(options: PasskeysOptions, origin: string): Place {
  const { origins = [] } = options;
  const domain = domainOf(options, origin);
  if (!isPlace(options, origin)) {
    throw new TypeError(
      `Cannot use passkeys of ${domain} at ${origin}: pages of ${domain} and below can. Pass the origin among origins of passkeys, and let https://${domain}/.well-known/webauthn list it.`,
    );
  }
  return { id: domain, origins: [origin, ...origins] };
}

/** Browsers have passkeys on https and on this machine, for names alone, and at the places of these. */
export function isPossibleAt(options: PasskeysOptions, origin: string): boolean {
  const { protocol, hostname } = checkOrigin(origin);
  const isSecure = protocol === 'https:' || /^(?:.+\.)?localhost$/.test(hostname);
  return isSecure && isDomain(hostname) && isPlace(options, origin);
}

function domainOf({ id }: PasskeysOptions, origin: string): string {
  return id ?? checkOrigin(origin).hostname;
}

function isPlace(options: PasskeysOptions, origin: string): boolean {
  const { hostname } = checkOrigin(origin);
  const domain = domainOf(options, origin);
  const isWithin = hostname === domain || hostname.endsWith(`.${domain}`);
  return isWithin || (options.origins ?? []).includes(origin);
}

function isDomain(text: string): boolean {
  return /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/.test(text) && isIP(text) === 0;
}

function checkOrigin(origin: string): URL {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.origin === origin) return url;
  throw new TypeError(
    `Cannot use passkeys at ${JSON.stringify(origin)}: pass an origin as browsers write it, such as "https://club.example".`,
  );
}
