/**
 * DNS rebinding: an attacker points a host name of his own at this machine, so that the browser treats this site
 * as his and lets his page read it and send forms. Without a configured origin, a host passes if an attacker
 * cannot own its name. Over https, the certificate proves that. A name without a dot does not exist in the
 * public DNS.
 */
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { checkOptions, FUNCTION, LIST, type OptionKinds, or, TEXT } from '../http/check-options.ts';
import { normalizeHost } from '../http/host.ts';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import type { Language } from '../language/language.ts';
import { createDigest, tellMore } from './tally.ts';

export interface HostOptions {
  /** The site's own origin, such as `https://things.example`. If given, no other host is served. */
  readonly publicOrigin?: string | null;
  /** The address or name that the server listens on; `127.0.0.1` by default. */
  readonly listensOn?: string;
  /** Patterns of routes that accept any host, such as the health check of a load balancer. */
  readonly except?: readonly string[];
  /**
   * Called with the reason, which the page does not show: at once for the first refused request within five
   * seconds, and at their end for the last one, with the number of the others.
   */
  readonly onRefused?: (request: Request, reason: string) => void;
}

const HOST_KINDS = {
  publicOrigin: or(TEXT, null),
  listensOn: TEXT,
  except: LIST,
  onRefused: FUNCTION,
} satisfies OptionKinds<HostOptions>;

/**
 * Refuses requests for another host with 421 (RFC 9110 section 15.5.20), which prevents DNS rebinding.
 * The log says what to set; the page, at which address the site is. Without `publicOrigin`, over http only IP
 * addresses, `localhost` and, if the server listens beyond this machine, names without a dot are served.
 */
export function refuseForeignHost(options: HostOptions = {}): Middleware {
  checkOptions('refuseForeignHost', options, HOST_KINDS);
  const { publicOrigin = null, listensOn = '127.0.0.1', except = [], onRefused } = options;
  const isOwn = publicOrigin === null ? null : matchOrigin(publicOrigin);
  const count = createDigest(({ request, reason }: RefusedHost, more) =>
    onRefused?.(request, tellMore(reason, more, 'refused')),
  );
  const isSafe = LOOPBACK.test(listensOn) ? ADDRESS : ADDRESS_OR_PLAIN_NAME;
  return describeMiddleware(
    function refuseForeignHost(context, next) {
      const { request, route } = context;
      const { host } = request.headers;
      // Every browser sends it, so this is not one.
      if (host === undefined) return next(context);
      const passes = isOwn === null ? request.scheme === 'https' || isSafe.test(host) : isOwn(host);
      // A malformed request gets its own error later in the chain.
      if (passes || request.malformed !== null) return next(context);
      if (route !== null && except.includes(route.pattern)) return next(context);
      const reason = describe(host, publicOrigin);
      count({ request, reason });
      const explain = ({ words }: Language) =>
        publicOrigin === null
          ? words.wrongAddress
          : `${words.wrongAddress} ${words.rightAddress(publicOrigin)}`;
      throw new HttpError(421, explain, { reason });
    },
    { needs: [], adds: [] },
  );
}

interface RefusedHost {
  readonly request: Request;
  readonly reason: string;
}

const LOOPBACK = /^(?:localhost|127\.[\d.]+|::1)$/i;
const ADDRESS = /^(?:(?:\d+\.){3}\d+|\[[\d.:a-f]+\]|(?:[\w-]+\.)*localhost)(?::\d*)?$/i;
const ADDRESS_OR_PLAIN_NAME = new RegExp(`${ADDRESS.source}|^[\\w-]+(?::\\d*)?$`, 'i');

/** Characters of a refused host in the log. */
const MAX_HOST_LENGTH = 100;

/** Accepts the default port, whether the Host header contains it or not. */
function matchOrigin(publicOrigin: string): (host: string) => boolean {
  const { host: own, protocol } = new URL(publicOrigin);
  return (host) => host === own || normalizeHost(host, protocol.slice(0, -1)) === own;
}

function describe(host: string, publicOrigin: string | null): string {
  const shown = host.length > MAX_HOST_LENGTH ? `${host.slice(0, MAX_HOST_LENGTH)}…` : host;
  const asked = `The request is for the host ${JSON.stringify(shown)}`;
  return publicOrigin === null
    ? `${asked}, and this site does not know that it is its own. Set publicOrigin (PUBLIC_ORIGIN) to the address that people use.`
    : `${asked}, but this site is ${publicOrigin}. Behind a proxy, let it pass the Host header on unchanged.`;
}
