import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import test, { after, before, beforeEach, describe } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { generateKeyPair, SignJWT } from 'jose';
import { openId } from './open-id.ts';
import { type Answer, type Json, startScriptedProvider } from './scripted-provider.fixture.ts';

const redirectUri = 'https://site.example/sign-in/company/return';
const DISCOVERY = '/.well-known/openid-configuration';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

let scripted: Awaited<ReturnType<typeof startScriptedProvider>>;
let usual: Readonly<Record<string, Answer>>;
before(async () => {
  scripted = await startScriptedProvider();
  usual = { ...scripted.answers };
});
beforeEach(() => {
  scripted.requests.length = 0;
  for (const path of Object.keys(scripted.answers)) delete scripted.answers[path];
  Object.assign(scripted.answers, usual);
});
after(() => scripted[Symbol.asyncDispose]());

function now(): number {
  return Math.floor(Date.now() / 1_000);
}

function createEngine(issuer = scripted.issuer) {
  return openId({ id: 'company', name: 'Company', issuer, clientId: 'site', clientSecret: 'x' });
}

function announce(change: Json): void {
  scripted.answers[DISCOVERY] = { ...(usual[DISCOVERY] as Json), ...change };
}

/** The outcome of a sign-in whose ID token has these claims. */
async function signIn({
  claims = {},
  token = (all: Json) => scripted.sign(all),
  tokens = {},
  engine = createEngine(),
}: {
  readonly claims?: Json;
  readonly token?: (claims: Json) => string | Promise<string>;
  readonly tokens?: Json;
  readonly engine?: ReturnType<typeof createEngine>;
} = {}) {
  const begun = await engine.begin({ redirectUri });
  assert.ok(begun.kind === 'begun', JSON.stringify(begun));
  const { issuer: iss } = scripted;
  const times = { iat: now(), exp: now() + 600 };
  const id_token = await token({
    ...{ iss, sub: 'ada', aud: 'site', nonce: begun.nonce, ...times },
    ...claims,
  });
  scripted.answers['/token'] ??= { access_token: 'x', token_type: 'Bearer', id_token, ...tokens };
  const params = new URLSearchParams({ code: 'any', state: begun.state }).toString();
  const outcome = await engine.finish({ redirectUri, params, expected: begun });
  if (outcome.kind === 'signed in') return { ...outcome, summary: outcome.kind };
  const reason = outcome.kind === 'refused' ? `${outcome.reason}: ` : '';
  return { ...outcome, summary: `${outcome.kind}: ${reason}${outcome.detail}` };
}

async function signInWith(claims: Json): Promise<string> {
  delete scripted.answers['/token'];
  return (await signIn({ claims })).summary;
}

test('the scripted provider signs a person in', async () => {
  assert.equal(await signInWith({}), 'signed in');
});

describe('an ID token is refused', () => {
  test('for another client', async () => {
    assert.match(await signInWith({ aud: 'another' }), /^refused: invalid: .*"aud"/);
    assert.match(await signInWith({ aud: ['another', 'third'] }), /^refused: invalid: .*"aud"/);
    assert.match(await signInWith({ aud: ['site', 'x'], azp: 'x' }), /^refused: invalid/);
  });

  test('of another issuer', async () => {
    assert.match(await signInWith({ iss: 'https://id.example' }), /^refused: invalid: .*"iss"/);
  });

  test('that has expired, or is not valid yet, beyond a minute between the clocks', async () => {
    assert.match(await signInWith({ exp: now() - 90 }), /^refused: invalid: .*"exp"/);
    assert.match(await signInWith({ nbf: now() + 90 }), /^refused: invalid: .*"nbf"/);
    assert.equal(await signInWith({ exp: now() - 45, nbf: now() + 45 }), 'signed in');
  });

  test('with another nonce, or without one', async () => {
    assert.match(await signInWith({ nonce: 'of another browser' }), /^refused: invalid: .*"nonce"/);
    assert.match(await signInWith({ nonce: undefined }), /^refused: invalid: .*"nonce"/);
  });

  test('without a person, or with one whose name is too long', async () => {
    for (const sub of [undefined, '', 7, 'x'.repeat(1_000)])
      assert.match(await signInWith({ sub }), /^refused: invalid/);
  });

  test('that was changed, signed by another key, with its secret, or not at all', async () => {
    const { privateKey: other } = await generateKeyPair('RS256');
    const encode = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forgeries: readonly ((claims: Json) => string | Promise<string>)[] = [
      async (claims) => {
        const [header, , signature] = (await scripted.sign(claims)).split('.');
        return [header, encode({ ...claims, sub: 'owner' }), signature].join('.');
      },
      (claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'first' }).sign(other),
      (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`,
      (claims) => {
        const signed = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
        return `${signed}.${createHmac('sha256', 'x').update(signed).digest('base64url')}`;
      },
      () => 'no token',
    ];
    for (const token of forgeries) {
      delete scripted.answers['/token'];
      assert.match((await signIn({ token })).summary, /^refused: invalid/);
    }
  });

  test('that is missing', async () => {
    assert.match((await signIn({ tokens: { id_token: undefined } })).summary, /^refused: invalid/);
  });
});

test('what a provider says of a person is text of a sensible length, or missing', async () => {
  const odd = { email: ['a@b.example'], email_verified: true, name: 'x'.repeat(1_000), sid: 7 };
  const outcome = await signIn({ claims: { ...odd, auth_time: 1_700_000_000 } });
  assert.partialDeepStrictEqual(outcome, {
    ...{ email: null, emailVerified: false, name: null, role: null, sessionId: null },
    authenticatedAt: new Date('2023-11-14T22:13:20Z'),
  });
  delete scripted.answers['/token'];
  const text = { email: 'a@b.example', email_verified: 'true' };
  assert.partialDeepStrictEqual(await signIn({ claims: text }), { emailVerified: false });
});

test('claims of the user info are those of the same person, and never win over signed ones', async () => {
  announce({ userinfo_endpoint: `${scripted.issuer}/user` });
  scripted.answers['/user'] = { sub: 'ada', email: 'eve@b.example', name: 'Ada' };
  const claims = { email: 'ada@b.example' };
  assert.partialDeepStrictEqual(await signIn({ claims }), { email: 'ada@b.example', name: 'Ada' });
  delete scripted.answers['/token'];
  scripted.answers['/user'] = { sub: 'eve', email: 'eve@b.example' };
  assert.match((await signIn()).summary, /^refused: invalid/);
});

describe('discovery', () => {
  async function begin(issuer?: string): Promise<string> {
    const begun = await createEngine(issuer).begin({ redirectUri });
    return begun.kind === 'away' ? begun.detail : begun.kind;
  }

  test('of another issuer is refused', async () => {
    for (const issuer of ['https://id.example', `${scripted.issuer}/a`, 'no address', undefined]) {
      announce({ issuer });
      assert.notEqual(await begin(), 'begun');
    }
  });

  test('of another issuer is refused also for Entra, for which the library allows it', async (t) => {
    const at = 'https://login.microsoftonline.com';
    t.mock.method(globalThis, 'fetch', async () =>
      Response.json({ ...(usual[DISCOVERY] as Json), issuer: `${at}/{tenantid}/v2.0` }),
    );
    assert.match(await begin(`${at}/7e1f/v2.0`), /calls itself .*tenantid/);
  });

  test('is asked for once by all who wait, again after a failure, and again after a day', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const engine = createEngine();
    const begin = async () => (await engine.begin({ redirectUri })).kind;
    scripted.answers[DISCOVERY] = () => new Response('', { status: 500 });
    assert.deepEqual(await Promise.all([begin(), begin(), begin()]), ['away', 'away', 'away']);
    assert.equal(scripted.requests.length, 1);
    Object.assign(scripted.answers, usual);
    assert.deepEqual(await Promise.all([begin(), begin(), begin()]), ['begun', 'begun', 'begun']);
    t.mock.timers.tick(86_000_000);
    assert.deepEqual([await begin(), scripted.requests.length], ['begun', 2]);
    t.mock.timers.tick(1_000_000);
    assert.deepEqual([await begin(), scripted.requests.length], ['begun', 3]);
  });

  test('that is no such document makes the provider away', async () => {
    const answers: readonly Answer[] = [
      () =>
        new Response('<h1>Log in to the Wi-Fi</h1>', { headers: { 'content-type': 'text/html' } }),
      () => new Response('', { status: 302, headers: { location: `${scripted.issuer}/else` } }),
      () => new Response('[]', { headers: { 'content-type': 'application/json' } }),
      () => new Response('{', { headers: { 'content-type': 'application/json' } }),
      () => new Response('', { status: 404 }),
    ];
    for (const answer of answers) {
      scripted.answers[DISCOVERY] = answer;
      assert.notEqual(await begin(), 'begun');
    }
    assert.ok(!scripted.requests.includes('/else'));
    announce({ authorization_endpoint: undefined });
    assert.notEqual(await begin(), 'begun');
  });

  test('without end makes the provider away', async () => {
    scripted.answers[DISCOVERY] = () => Response.json({ x: 'x'.repeat(600_000) });
    assert.match(await begin(), /more than 500000 bytes/);
  });

  test('that takes longer than five seconds makes the provider away, also in its body', async () => {
    const endless = () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            await wait(100);
            controller.enqueue(Buffer.from(' '));
          },
        }),
      );
    const start = Date.now();
    scripted.answers[DISCOVERY] = endless;
    assert.match(await begin(), /timeout/);
    assert.ok(Date.now() - start < 6_500);
  });
});

test('a provider whose tokens come over plain http, or from nowhere, signs nobody in', async (t) => {
  const issuer = 'https://id.example';
  t.mock.method(globalThis, 'fetch', async () =>
    Response.json({ ...(usual[DISCOVERY] as Json), issuer }),
  );
  const engine = createEngine(issuer);
  const begun = await engine.begin({ redirectUri });
  assert.ok(begun.kind === 'away' || begun.kind === 'begun');
  const expected = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
  const outcome = await engine.finish({ redirectUri, params: 'code=any&state=s', expected });
  assert.notEqual(outcome.kind, 'signed in');
  // The keys of log-out tokens, which another library asks for.
  assert.partialDeepStrictEqual(await engine.readLogOut(await scripted.sign({ iat: now() })), {
    kind: 'away',
  });
});

test('an answer of the token address that is none of the protocol makes the provider away', async () => {
  for (const status of [200, 302, 404, 429, 500]) {
    scripted.answers['/token'] = () => new Response('<h1>Busy</h1>', { status });
    assert.match((await signIn()).summary, /^away/, `${status}`);
  }
});

test('the error of a provider that is busy means that it is away', async () => {
  const engine = createEngine();
  const begun = await engine.begin({ redirectUri });
  assert.ok(begun.kind === 'begun');
  for (const [error, kind] of [
    ['temporarily_unavailable', 'away'],
    ['server_error', 'away'],
    ['unauthorized_client', 'away'],
    ['login_required', 'refused'],
  ] as const) {
    const params = new URLSearchParams({
      ...{ error, state: begun.state },
      error_description: `Line\r\n\u001b[31mtwo ${'x'.repeat(2_000)}`,
    }).toString();
    const outcome = await engine.finish({ redirectUri, params, expected: begun });
    assert.ok(outcome.kind !== 'signed in');
    assert.equal(outcome.kind, kind);
    assert.match(outcome.detail, new RegExp(`${error}: Line  .{0,500}$`));
    assert.ok(outcome.detail.length <= 500);
  }
});

describe('a log-out token', () => {
  async function read(change: Json = {}, header?: { readonly alg: string }) {
    const times = { iat: now(), exp: now() + 120 };
    const { issuer: iss } = scripted;
    const claims = { iss, aud: 'site', jti: 'j1', sub: 'ada', events: { [EVENT]: {} }, ...times };
    const token = await scripted.sign({ ...claims, ...change }, { typ: 'logout+jwt', ...header });
    return createEngine().readLogOut(token);
  }

  async function outcome(change: Json): Promise<string> {
    const read_ = await read(change);
    return read_.kind === 'log out' ? read_.kind : read_.detail;
  }

  test('names a person, a session or both, itself, and its end', async () => {
    const both = await read({ sid: 's1' });
    assert.partialDeepStrictEqual(both, {
      ...{ kind: 'log out', issuer: scripted.issuer, subject: 'ada', sessionId: 's1', id: 'j1' },
    });
    assert.ok(both.kind === 'log out' && both.endsAt.getTime() > Date.now() + 300_000);
    assert.partialDeepStrictEqual(await read({ sub: undefined, sid: 's1' }), { subject: null });
    assert.partialDeepStrictEqual(await read(), { sessionId: null });
  });

  test('that is sent again has the same id, by which the site refuses it', async () => {
    const { issuer: iss } = scripted;
    const claims = { iss, aud: 'site', jti: 'j2', sid: 's1', events: { [EVENT]: {} }, iat: now() };
    const token = await scripted.sign(claims, { typ: 'logout+jwt' });
    const engine = createEngine();
    const [first, second] = [await engine.readLogOut(token), await engine.readLogOut(token)];
    assert.ok(first.kind === 'log out' && second.kind === 'log out');
    assert.equal(first.id, second.id);
    assert.deepEqual(first.endsAt, second.endsAt);
  });

  test('is refused at its end, so that the site need not remember it longer', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const iat = now();
    const { issuer: iss } = scripted;
    const claims = { iss, aud: 'site', jti: 'j3', sid: 's1', events: { [EVENT]: {} }, iat };
    const token = await scripted.sign({ ...claims, exp: iat + 86_400 }, { typ: 'logout+jwt' });
    const engine = createEngine();
    const first = await engine.readLogOut(token);
    assert.ok(first.kind === 'log out');
    t.mock.timers.setTime(first.endsAt.getTime() - 2_000);
    assert.equal((await engine.readLogOut(token)).kind, 'log out');
    t.mock.timers.setTime(first.endsAt.getTime() + 1_000);
    assert.equal((await engine.readLogOut(token)).kind, 'refused');
  });

  for (const [name, change, reason] of [
    ['for another client', { aud: 'another' }, /"aud"/],
    ['of another issuer', { iss: 'https://id.example' }, /"iss"/],
    ['without a time', { iat: undefined }, /"iat"/],
    ['of an hour ago', { iat: now() - 3_600 }, /"iat"/],
    ['of the future', { iat: now() + 3_600 }, /"iat"/],
    ['that has expired', { exp: now() - 90 }, /"exp"/],
    ['with a nonce', { nonce: 'n' }, /nonce/],
    ['with an empty nonce', { nonce: null }, /nonce/],
    ['without events', { events: undefined }, /tell/],
    ['with other events', { events: { other: {} } }, /tell/],
    ['whose event is no object', { events: { [EVENT]: true } }, /tell/],
    ['whose events are text', { events: EVENT }, /tell/],
    ['without a name', { jti: undefined }, /no name/],
    ['with a long name', { jti: 'x'.repeat(300) }, /no name/],
    ['that names nobody', { sub: undefined }, /nobody/],
    ['whose person is a number', { sub: 7 }, /odd|"sub"/],
    ['whose session is a list', { sid: ['s1'] }, /odd/],
  ] as const)
    test(`${name} is refused`, async () => {
      assert.match(await outcome(change), reason);
    });

  test('of another type is refused, though its claims are those of a log-out', async () => {
    const { issuer: iss } = scripted;
    const claims = { iss, aud: 'site', jti: 'j4', sub: 'ada', events: { [EVENT]: {} }, iat: now() };
    for (const header of [{}, { typ: 'JWT' }, { typ: 'at+jwt' }]) {
      const { kind } = await createEngine().readLogOut(await scripted.sign(claims, header));
      assert.equal(kind, 'refused', JSON.stringify(header));
    }
    const typed = await scripted.sign(claims, { typ: 'application/logout+jwt' });
    assert.equal((await createEngine().readLogOut(typed)).kind, 'log out');
  });

  test('signed by nobody, by another key or with the secret of the site is refused', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const { issuer: iss } = scripted;
    const claims = { iss, aud: 'site', jti: 'j', sub: 'ada', events: { [EVENT]: {} }, iat: now() };
    const encode = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const typ = 'logout+jwt';
    const header = { alg: 'RS256', kid: 'first', typ };
    const tokens = [
      `${encode({ alg: 'none', typ })}.${encode(claims)}.`,
      await new SignJWT(claims).setProtectedHeader(header).sign(privateKey),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ }).sign(Buffer.from('x')),
      await scripted.sign(claims, { kid: 'unknown', typ }),
      '',
      '..',
    ];
    for (const token of tokens) {
      const { kind } = await createEngine().readLogOut(token);
      assert.equal(kind, 'refused', token.slice(0, 40));
    }
  });

  test('is neither good nor bad while the keys cannot be fetched', async () => {
    for (const status of [429, 500]) {
      scripted.answers['/keys'] = () => new Response('', { status });
      assert.equal((await read()).kind, 'away', `${status}`);
    }
  });

  test('that is too long is refused before it is read', async () => {
    const outcome = await createEngine().readLogOut('x'.repeat(20_000));
    assert.ok(outcome.kind === 'refused' && /too long/.test(outcome.detail));
    assert.deepEqual(scripted.requests, []);
  });
});
