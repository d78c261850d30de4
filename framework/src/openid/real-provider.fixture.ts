/**
 * A provider for tests: `oidc-provider` on a free port of this machine, with its own log-in and consent pages, which
 * accept every name. And a person with a browser who goes through them.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';

export interface RealProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** From now on it answers 503, or again as it should. */
  setAway(isAway: boolean): void;
  close(): Promise<void>;
}

/** The claims of a person by the name of the log-in. */
export type People = (name: string) => Readonly<Record<string, unknown>>;

const ada: People = (name) => ({
  email: `${name}@example.com`,
  email_verified: name !== 'eve',
  name: `${name[0]?.toUpperCase()}${name.slice(1)}`,
  groups: name === 'ada' ? ['site-admins'] : [],
});

/**
 * `redirectUris` are the addresses of the site where people come back. `port` is a free one by default. With the host
 * `localhost`, a site on 127.0.0.1 is another one for browsers.
 */
export async function startRealProvider({
  redirectUris,
  people = ada,
  host = '127.0.0.1',
  port = 0,
  client = {},
}: {
  readonly redirectUris: readonly string[];
  readonly people?: People;
  readonly host?: '127.0.0.1' | 'localhost';
  readonly port?: number;
  readonly client?: Readonly<Record<string, unknown>>;
}): Promise<RealProvider> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'first', use: 'sig', alg: 'RS256' };
  const registered = { clientId: 'site', clientSecret: 'the secret of the site' };
  const provider = await createProvider(issuer, {
    clients: [
      {
        client_id: registered.clientId,
        client_secret: registered.clientSecret,
        redirect_uris: redirectUris,
        post_logout_redirect_uris: redirectUris.map((uri) => new URL('/', uri).href),
        token_endpoint_auth_method: 'client_secret_post',
        ...client,
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['a key of this test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: {
      devInteractions: { enabled: true },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        logoutSource: (context: { body: string }, form: string) => {
          const button = '<button form="op.logoutForm" name="logout" value="yes">Log out</button>';
          context.body = `<!DOCTYPE html><title>Log out</title>${form}${button}`;
        },
      },
    },
    // Its own refuses to post to this machine.
    fetch: (url: string, { dispatcher: _, ...options }: RequestInit & { dispatcher: unknown }) =>
      fetch(url, options),
    pkce: { required: () => true },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_: unknown, name: string) => ({
      accountId: name,
      claims: () => ({ sub: name, ...people(name) }),
    }),
  });
  const answer = provider.callback();
  let isAway = false;
  server.on('request', (request, response) => {
    if (isAway) response.writeHead(503).end();
    else answer(request, response);
  });
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return {
    issuer,
    ...registered,
    setAway(away) {
      isAway = away;
    },
    close,
    [Symbol.asyncDispose]: () => (server.listening ? close() : Promise.resolve()),
  };
}

/** Without its warnings, which are for production. */
async function createProvider(issuer: string, configuration: object) {
  const { warn } = console;
  console.warn = () => {};
  try {
    // @ts-expect-error It has no types; those of `@types` bring thirty packages.
    const { default: Provider } = await import('oidc-provider');
    return new Provider(issuer, configuration);
  } finally {
    console.warn = warn;
  }
}

/** A browser at a provider: cookies, and the forms of its pages. */
export function createPerson(name: string) {
  const cookies = new Map<string, string>();

  async function request(url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(key);
      else cookies.set(key, value);
    }
    return response;
  }

  /** The query or the form that the provider sends to the site in the end. */
  async function goThrough(
    url: string,
    redirectUri: string,
    { agrees = true } = {},
  ): Promise<string> {
    let response = await request(url);
    for (let at = url, steps = 0; steps < 12; steps++) {
      const location = response.headers.get('location');
      if (location !== null) {
        at = new URL(location, at).href;
        if (at.startsWith(redirectUri)) return new URL(at).search.slice(1);
        response = await request(at);
        continue;
      }
      const page = await response.text();
      const action = /<form[^>]+action="([^"]+)"/.exec(page)?.[1] ?? '';
      if (action === redirectUri) return new URLSearchParams(fieldsOf(page)).toString();
      const abort = /href="([^"]+\/abort)"/.exec(page)?.[1];
      if (action === '')
        throw new Error(`No form at ${at}: ${response.status} ${page.slice(0, 2_000)}`);
      if (!agrees && abort !== undefined) {
        at = new URL(abort, at).href;
        response = await request(at);
        continue;
      }
      at = new URL(action, at).href;
      response = await request(at, { ...fieldsOf(page), login: name, password: 'any' });
    }
    throw new Error('The provider sends the browser around');
  }

  return { request, goThrough };
}

function fieldsOf(page: string): Readonly<Record<string, string>> {
  const inputs = [...page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
    /name="([^"]*)"/.exec(input)?.[1] ?? '',
    (/value="([^"]*)"/.exec(input)?.[1] ?? '').replaceAll('&amp;', '&'),
  ]);
  return Object.fromEntries(inputs);
}
