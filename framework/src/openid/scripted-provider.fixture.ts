/**
 * A provider for tests that answers what a test says, with keys of its own: what no real provider would send. It has
 * no pages; its answer to a sign-in is `code=any`.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';

export type Json = Readonly<Record<string, unknown>>;
/** What the provider answers: an object as JSON, or a whole answer. */
export type Answer = Json | ((url: string) => Response | Promise<Response>);

export async function startScriptedProvider() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // One that nobody disposes of keeps no test run alive.
  server.unref();
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: 'first', use: 'sig', alg: 'RS256' };
  /** By path. */
  const answers: Record<string, Answer> = {
    '/.well-known/openid-configuration': {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    },
    '/keys': { keys: [key] },
  };
  const requests: string[] = [];

  server.on('request', async (request, response) => {
    const url = request.url ?? '';
    requests.push(url);
    const found = answers[url];
    const answer =
      found === undefined
        ? new Response('', { status: 404 })
        : typeof found === 'function'
          ? await found(url)
          : Response.json(found);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) {
      if (response.destroyed) break;
      response.write(chunk);
    }
    response.end();
  });

  return {
    issuer,
    answers,
    /** The addresses that it was asked for. */
    requests,
    sign: (claims: Json, header: Partial<JWTHeaderParameters> = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'first', ...header })
        .sign(privateKey),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
