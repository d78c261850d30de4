import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { after, before, describe } from 'node:test';
import { type OpenIdOptions, openId } from './open-id.ts';
import type { SignedIn, SignIn } from './provider.ts';
import { createPerson, type RealProvider, startRealProvider } from './real-provider.fixture.ts';

const redirectUri = 'https://site.example/sign-in/company/return';

/** What the provider has sent to the site when sessions ended. */
const logOutTokens: string[] = [];
const listener = createServer(async (request, response) => {
  logOutTokens.push(new URLSearchParams(await text(request)).get('logout_token') ?? '');
  response.end();
}).listen(0, '127.0.0.1');
let real: RealProvider;

before(async () => {
  if (!listener.listening) await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  real = await startRealProvider({
    redirectUris: [redirectUri],
    client: {
      backchannel_logout_uri: `http://127.0.0.1:${port}/`,
      backchannel_logout_session_required: true,
    },
  });
});
after(async () => {
  await real.close();
  listener.closeAllConnections();
  listener.close();
});

function createEngine(options: Partial<OpenIdOptions> = {}) {
  const { issuer, clientId, clientSecret } = real;
  return openId({ id: 'company', name: 'Company', issuer, clientId, clientSecret, ...options });
}

async function begin(engine = createEngine(), again = false) {
  const begun = await engine.begin({ redirectUri, again });
  assert.ok(begun.kind === 'begun', JSON.stringify(begun));
  return begun;
}

/** The answer of the provider, for `name`, to a sign-in that has begun. */
async function come(name = 'ada', engine = createEngine()) {
  const begun = await begin(engine);
  const params = await createPerson(name).goThrough(begun.url, redirectUri);
  return { engine, params, expected: begun as SignIn };
}

async function signIn(name?: string, engine?: ReturnType<typeof createEngine>): Promise<SignedIn> {
  const { engine: used, params, expected } = await come(name, engine);
  const outcome = await used.finish({ redirectUri, params, expected });
  assert.ok(outcome.kind === 'signed in', JSON.stringify(outcome));
  return outcome;
}

for (const responseMode of ['query', 'form_post'] as const)
  test(`a person signs in with an answer by ${responseMode}`, async () => {
    const role = (claims: Readonly<Record<string, unknown>>) =>
      Array.isArray(claims['groups']) && claims['groups'].includes('site-admins') ? 'admin' : null;
    const { idToken, sessionId, authenticatedAt, ...person } = await signIn(
      'ada',
      createEngine({ responseMode, role }),
    );
    assert.deepEqual(person, {
      kind: 'signed in',
      issuer: real.issuer,
      subject: 'ada',
      email: 'ada@example.com',
      emailVerified: true,
      name: 'Ada',
      username: null,
      role: 'admin',
      twoFactors: false,
    });
    assert.match(idToken, /^[\w-]+\.[\w-]+\.[\w-]+$/);
    assert.match(sessionId ?? '', /./);
    assert.equal(authenticatedAt, null);
    assert.equal((await signIn('bob', createEngine({ responseMode, role }))).role, null);
  });

test('an address that the provider has not verified is reported as such, unless the site knows better', async () => {
  const eve = await signIn('eve');
  assert.deepEqual([eve.email, eve.emailVerified], ['eve@example.com', false]);
  const engine = createEngine({ emailVerified: (claims) => claims['sub'] === 'eve' });
  assert.equal((await signIn('eve', engine)).emailVerified, true);
});

test('a person whom the site does not allow is refused', async () => {
  const engine = createEngine({ allow: (claims) => claims['email'] === 'ada@example.com' });
  assert.equal((await signIn('ada', engine)).subject, 'ada');
  const { params, expected } = await come('bob', engine);
  assert.partialDeepStrictEqual(await engine.finish({ redirectUri, params, expected }), {
    kind: 'refused',
    reason: 'not allowed',
  });
});

test('asked again, the provider tells when the person has proved who they are', async () => {
  const engine = createEngine();
  const person = createPerson('ada');
  const first = await begin(engine);
  await person.goThrough(first.url, redirectUri);
  const start = Date.now();
  const second = await begin(engine, true);
  const params = await person.goThrough(second.url, redirectUri);
  const outcome = await engine.finish({ redirectUri, params, expected: second });
  assert.ok(outcome.kind === 'signed in' && outcome.authenticatedAt !== null);
  assert.ok(outcome.authenticatedAt.getTime() >= start - 1_000);
});

test('a person who says no is refused, without an error', async () => {
  const engine = createEngine();
  const expected = await begin(engine);
  const params = await createPerson('ada').goThrough(expected.url, redirectUri, { agrees: false });
  assert.match(params, /error=access_denied/);
  assert.partialDeepStrictEqual(await engine.finish({ redirectUri, params, expected }), {
    kind: 'refused',
    reason: 'denied',
  });
});

describe('an answer is refused', () => {
  async function outcomeOf(change: {
    readonly params?: (params: URLSearchParams) => void;
    readonly expected?: (expected: SignIn) => SignIn | null;
  }) {
    const { engine, params, expected } = await come();
    const query = new URLSearchParams(params);
    change.params?.(query);
    const outcome = await engine.finish({
      redirectUri,
      params: query.toString(),
      expected: change.expected === undefined ? expected : change.expected(expected),
    });
    return outcome.kind === 'refused' ? `${outcome.reason}: ${outcome.detail}` : outcome.kind;
  }

  test('in a browser that has begun nothing', async () => {
    assert.match(await outcomeOf({ expected: () => null }), /^expired/);
  });

  for (const left of ['state', 'nonce', 'verifier'] as const)
    for (const value of ['', undefined, null])
      test(`when the site has lost its ${left} (${value === '' ? 'empty' : value})`, async () => {
        const expected = (sent: SignIn) => ({ ...sent, [left]: value }) as SignIn;
        // Without a state in the answer too, so that the library would find nothing wrong.
        const params = (query: URLSearchParams) => left === 'state' && query.delete('state');
        assert.match(await outcomeOf({ expected, params }), /^expired: This browser/);
      });

  test('in a browser that has begun another sign-in', async () => {
    const other = await begin();
    assert.match(await outcomeOf({ expected: () => other }), /^invalid: .*"state"/);
  });

  test('for the nonce of another browser', async () => {
    const { nonce } = await begin();
    assert.match(
      await outcomeOf({ expected: (sent) => ({ ...sent, nonce }) }),
      /^invalid: .*claim/,
    );
  });

  test('for the PKCE verifier of another browser', async () => {
    const { verifier } = await begin();
    assert.match(
      await outcomeOf({ expected: (sent) => ({ ...sent, verifier }) }),
      /^expired: .*invalid_grant/,
    );
  });

  test('for a code of another browser (code injection)', async () => {
    const stolen = new URLSearchParams((await come('eve')).params).get('code') ?? '';
    const params = (query: URLSearchParams) => query.set('code', stolen);
    assert.match(await outcomeOf({ params }), /^expired: .*invalid_grant/);
  });

  test('from another provider, or from one that does not say who it is (RFC 9207)', async () => {
    await using other = await startRealProvider({ redirectUris: [redirectUri] });
    assert.match(
      await outcomeOf({ params: (query) => query.set('iss', other.issuer) }),
      /^invalid: .*"iss"/,
    );
    assert.match(await outcomeOf({ params: (query) => query.delete('iss') }), /^invalid: .*"iss"/);
  });

  test('with a parameter twice', async () => {
    for (const name of ['code', 'state', 'iss'])
      assert.match(await outcomeOf({ params: (query) => query.append(name, 'x') }), /^invalid/);
  });

  test('without a code, with an ID token, and with odd text', async () => {
    assert.match(await outcomeOf({ params: (query) => query.delete('code') }), /^invalid/);
    assert.match(await outcomeOf({ params: (query) => query.set('id_token', 'x') }), /^invalid/);
    assert.match(
      await outcomeOf({ params: (query) => query.set('code', '\0\r\n\u{10ffff}') }),
      /^(expired|invalid)/,
    );
    const { engine, expected } = await come();
    for (const params of ['', '?', '%zz', '&&==&', '__proto__=1'])
      assert.equal((await engine.finish({ redirectUri, params, expected })).kind, 'refused');
  });

  test('when it is too long, before it is read', async () => {
    assert.match(
      await outcomeOf({ params: (query) => query.set('x', 'x'.repeat(20_000)) }),
      /^invalid: The answer is too long/,
    );
  });

  test('the second time', async () => {
    const { engine, params, expected } = await come();
    const answer = { redirectUri, params, expected };
    assert.equal((await engine.finish(answer)).kind, 'signed in');
    assert.partialDeepStrictEqual(await engine.finish(answer), { reason: 'expired' });
  });

  test('the second time, of ten at once', async () => {
    const { engine, params, expected } = await come();
    const answers = Array.from({ length: 10 }, () =>
      engine.finish({ redirectUri, params, expected }),
    );
    const kinds = (await Promise.all(answers)).map(({ kind }) => kind);
    assert.ok(kinds.filter((kind) => kind === 'signed in').length <= 1, kinds.join());
  });

  test('the error of a stranger, who does not know the state', async () => {
    const { engine, expected } = await come();
    const params = `error=access_denied&iss=${encodeURIComponent(real.issuer)}&state=guess`;
    assert.partialDeepStrictEqual(await engine.finish({ redirectUri, params, expected }), {
      reason: 'invalid',
    });
  });
});

describe('while the provider is away', () => {
  test('nothing throws, and afterwards all works again', async () => {
    const engine = createEngine();
    real.setAway(true);
    const away = await engine.begin({ redirectUri });
    assert.ok(away.kind === 'away' && /answered 503/.test(away.detail), JSON.stringify(away));
    real.setAway(false);
    const { params, expected } = await come('ada', engine);
    real.setAway(true);
    assert.equal((await engine.finish({ redirectUri, params, expected })).kind, 'away');
    assert.equal(await createEngine().logOutUrl({ returnTo: 'https://site.example/' }), null);
    assert.equal((await createEngine().readLogOut('a.b.c')).kind, 'away');
    real.setAway(false);
    assert.equal((await engine.finish({ redirectUri, params, expected })).kind, 'signed in');
  });

  test('a provider that is not there, or has no such name, is away', async () => {
    const gone = await startRealProvider({ redirectUris: [redirectUri] });
    await gone.close();
    for (const issuer of [gone.issuer, 'https://id.invalid'])
      assert.equal((await createEngine({ issuer }).begin({ redirectUri })).kind, 'away');
  });

  test('a site that the provider does not know finds it away, and the reason for the log', async () => {
    const engine = createEngine({ clientSecret: 'not the secret' });
    const { params, expected } = await come('ada', engine);
    const outcome = await engine.finish({ redirectUri, params, expected });
    assert.ok(outcome.kind === 'away' && /invalid_client/.test(outcome.detail));
  });
});

test('the provider ends its session, tells the site so, and leads back', async () => {
  const engine = createEngine();
  const person = createPerson('ada');
  const begun = await begin(engine);
  const params = await person.goThrough(begun.url, redirectUri);
  const signedIn = await engine.finish({ redirectUri, params, expected: begun });
  assert.ok(signedIn.kind === 'signed in');
  const url = await engine.logOutUrl({
    returnTo: 'https://site.example/',
    idToken: signedIn.idToken,
  });
  const page = await (await person.request(url ?? '')).text();
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const ended = await person.request(`${real.issuer}/session/end/confirm`, { xsrf, logout: 'yes' });
  assert.equal(ended.headers.get('location'), 'https://site.example/');

  const [token = ''] = logOutTokens;
  const logOut = await engine.readLogOut(token);
  assert.ok(logOut.kind === 'log out', JSON.stringify(logOut));
  assert.deepEqual([logOut.issuer, logOut.subject], [real.issuer, 'ada']);
  assert.equal(logOut.sessionId, signedIn.sessionId);
  assert.match(logOut.id, /./);
  assert.equal((await engine.readLogOut(signedIn.idToken)).kind, 'refused');
});

describe('openId refuses', () => {
  const options = { id: 'company', name: 'Company', clientId: 'site' };
  for (const [issuer, reason] of [
    ['http://id.example', /https/],
    ['http://127.0.0.1.example', /https/],
    ['http://localhost.example', /https/],
    ['ftp://127.0.0.1', /https/],
    ['javascript:alert(1)', /https/],
    ['id.example', /no address/],
    ['https://id.example/?x=1', /query/],
    ['https://ada:secret@id.example', /user/],
    ['https://id.example/.well-known/openid-configuration', /leave out/],
    ['https://login.microsoftonline.com/common/v2.0', /tenant/],
    ['https://login.microsoftonline.com/organizations/v2.0', /tenant/],
  ] as const)
    test(`the issuer ${issuer}`, () => {
      assert.throws(() => openId({ ...options, issuer }), reason);
    });

  test('an id that does not fit into an address', () => {
    for (const id of ['', 'a/b', 'A', '..', 'a b', '-a'])
      assert.throws(() => openId({ ...options, id, issuer: 'https://id.example' }), TypeError);
  });

  test('no loopback address, and no provider', () => {
    for (const issuer of ['http://localhost:8080', 'http://[::1]:8080', 'https://id.example/a'])
      assert.equal(openId({ ...options, issuer }).issuer, issuer);
  });
});
