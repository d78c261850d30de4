/**
 * Hosts in the form in which they are compared. Several texts name the same host: `LOCALHOST`, `localhost:`
 * and, over http, `localhost:80` (RFC 3986 section 6.2.3).
 */

/** In lower case, without an empty port and without the default one of the scheme, http or https. */
export function normalizeHost(host: string, scheme: string): string {
  const name = host.toLowerCase();
  const defaultPort = scheme.toLowerCase() === 'https' ? ':443' : ':80';
  const port = name.endsWith(':') ? ':' : defaultPort;
  return name.endsWith(port) ? name.slice(0, -port.length) : name;
}
