/**
 * What a provider says of itself (OpenID Connect Discovery 1.0), asked for when it is first needed: a site starts, and
 * its owner gets in, also while the provider is away.
 */
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client';
import { createFetch, TIMEOUT } from './ask-provider.ts';

/** Milliseconds after which a provider is asked anew: its addresses change, if ever, with notice. */
const MAX_AGE = 86_400_000;
/** Seconds by which the clocks of the site and of the provider may differ. */
export const CLOCK_TOLERANCE = 60;

export interface Registration {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
}

/** Asks once for all who wait, and again after a failure or a day. */
export function createDiscovery(registration: Registration): () => Promise<Configuration> {
  let found: { readonly at: number; readonly configuration: Promise<Configuration> } | null = null;
  return () => {
    if (found !== null && Date.now() - found.at < MAX_AGE) return found.configuration;
    const asked = { at: Date.now(), configuration: discover(registration) };
    found = asked;
    asked.configuration.catch(() => {
      if (found === asked) found = null;
    });
    return asked.configuration;
  };
}

async function discover(registration: Registration): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = registration;
  const allowsHttp = issuer.startsWith('http:');
  const configuration = await discovery(
    new URL(issuer),
    clientId,
    { [clockTolerance]: CLOCK_TOLERANCE },
    authenticate(clientSecret),
    {
      [customFetch]: createFetch(allowsHttp, TIMEOUT),
      // Without it, the library trusts TLS and does not verify the signature of an ID token from the token endpoint.
      execute: [enableNonRepudiationChecks, ...(allowsHttp ? [allowInsecureRequests] : [])],
    },
  );
  // For some hosts, such as Entra's, the library accepts an issuer that it was not asked for.
  const named = configuration.serverMetadata().issuer;
  if (new URL(named).href !== new URL(issuer).href) {
    throw new Error(`${issuer} calls itself ${named}: pass that as the issuer`);
  }
  return configuration;
}

/** In the body, unless the provider has only Basic: servers disagree on how Basic encodes a secret. */
function authenticate(secret: string | null): ClientAuth {
  if (secret === null) return None();
  const post = ClientSecretPost(secret);
  const basic = ClientSecretBasic(secret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const isBasic = methods !== undefined && !methods.includes('client_secret_post');
    return (isBasic ? basic : post)(server, ...rest);
  };
}
