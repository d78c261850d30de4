/** The answers are of a real authenticator, but for what a test changes: see testing/authenticator.ts. */
import assert from 'node:assert/strict';
import { createPrivateKey, randomBytes, sign } from 'node:crypto';
import test from 'node:test';
import fc from 'fast-check';
import {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
  type WrongAnswer,
} from '../testing/authenticator.ts';
import { type PasskeyUser, passkeys } from './passkeys.ts';
import type { PasskeysOptions } from './place.ts';
import { readAnswer } from './read-response.ts';
import type { NewPasskey } from './verify-added.ts';
import type { SignInAnswer } from './verify-sign-in.ts';

const ORIGIN = 'https://club.example';
const USER: PasskeyUser = { handle: randomBytes(32).toString('base64url'), name: 'ada' };
const engine = passkeys({ name: 'Chess club' });

async function add(authenticator: Authenticator, wrong: WrongAnswer = {}, from = engine) {
  const question = await from.toAdd({ origin: ORIGIN, user: USER, existing: [] });
  const response = authenticator.answer(question, ORIGIN, wrong);
  const { challenge } = question;
  return {
    question,
    response,
    made: await from.verifyAdded({ origin: ORIGIN, challenge, response }),
  };
}

async function addPasskey(options: AuthenticatorOptions = {}) {
  const authenticator = createAuthenticator(options);
  const { made } = await add(authenticator);
  assert.ok(made !== null);
  return { authenticator, stored: made };
}

/** `change` is what the site passes, beside what it should. */
async function signIn(
  { authenticator, stored }: { authenticator: Authenticator; stored: NewPasskey },
  wrong: WrongAnswer = {},
  change: Partial<SignInAnswer> = {},
  from = engine,
) {
  const question = await from.toSignIn({ origin: ORIGIN });
  const response = authenticator.answer(question, ORIGIN, wrong);
  const answer = { origin: ORIGIN, challenge: question.challenge, response, stored };
  return from.verifySignIn({ ...answer, userHandle: USER.handle, ...change });
}

test('a browser is asked for a passkey that is found without a name and verifies its user', async () => {
  const existing = [{ id: 'AAEC', transports: ['usb'] }];
  const { options, challenge } = await engine.toAdd({ origin: ORIGIN, user: USER, existing });
  const asked = JSON.parse(options);
  assert.deepEqual(asked.rp, { name: 'Chess club', id: 'club.example' });
  assert.deepEqual(asked.user, { id: USER.handle, name: 'ada', displayName: 'ada' });
  assert.equal(asked.attestation, 'none');
  const { residentKey, requireResidentKey, userVerification } = asked.authenticatorSelection;
  assert.deepEqual(
    [residentKey, requireResidentKey, userVerification],
    ['required', true, 'required'],
  );
  assert.deepEqual(
    asked.pubKeyCredParams.map(({ alg }: { alg: number }) => alg),
    [-8, -7, -257],
  );
  assert.deepEqual(asked.excludeCredentials, [
    { id: 'AAEC', transports: ['usb'], type: 'public-key' },
  ]);
  assert.equal(asked.challenge, challenge);
  assert.equal(Buffer.from(challenge, 'base64url').length, 32);
  const other = await engine.toAdd({ origin: ORIGIN, user: USER, existing });
  assert.notEqual(other.challenge, challenge);
});

test('a browser is asked for any passkey of the site, or for one of a list', async () => {
  const { options } = await engine.toSignIn({ origin: ORIGIN });
  const asked = JSON.parse(options);
  assert.equal(asked.rpId, 'club.example');
  assert.equal(asked.userVerification, 'required');
  assert.equal(asked.allowCredentials, undefined);
  const allow = [{ id: 'AAEC', transports: ['internal'] }];
  const second = JSON.parse((await engine.toSignIn({ origin: ORIGIN, allow })).options);
  assert.deepEqual(second.allowCredentials, [
    { id: 'AAEC', transports: ['internal'], type: 'public-key' },
  ]);
});

for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const)
  test(`a passkey with ${algorithm} is added and logs in`, async () => {
    const passkey = await addPasskey({ algorithm });
    const { publicKey, ...made } = passkey.stored;
    assert.deepEqual(made, {
      id: made.id,
      counter: 0,
      transports: ['internal', 'hybrid'],
      isBackedUp: false,
      provider: null,
    });
    assert.ok(publicKey.length > 40);
    assert.deepEqual(await signIn(passkey), { counter: 0, isBackedUp: false });
    // As a database returns it.
    const stored = { ...passkey.stored, publicKey: Buffer.from(publicKey) };
    assert.notEqual(await signIn(passkey, {}, { stored }), null);
  });

test('a passkey tells which program stores it, and whether it is on other devices', async () => {
  const aaguid = 'd548826e-79b4-db40-a3d8-11116f7e8349';
  const passkey = await addPasskey({ aaguid, isBackedUp: true });
  assert.equal(passkey.stored.provider, 'Bitwarden');
  assert.equal(passkey.stored.isBackedUp, true);
  assert.deepEqual(await signIn(passkey), { counter: 0, isBackedUp: true });
});

test('an authenticator that has a passkey of the account makes no second one', async () => {
  const { authenticator, stored } = await addPasskey();
  const question = await engine.toAdd({ origin: ORIGIN, user: USER, existing: [stored] });
  assert.throws(() => authenticator.answer(question, ORIGIN), { name: 'InvalidStateError' });
});

const OTHER_CHALLENGE = randomBytes(32).toString('base64url');
const WRONG: Readonly<Record<string, WrongAnswer>> = {
  'another challenge': { challenge: OTHER_CHALLENGE },
  'another origin': { origin: 'https://club.example.org' },
  'another port': { origin: `${ORIGIN}:8443` },
  'a page without https': { origin: 'http://club.example' },
  'a page below the domain': { origin: 'https://www.club.example' },
  'another RP ID': { rpId: 'example.org' },
  'a user who was not verified': { isUserVerified: false },
  'a user who was not there': { isUserPresent: false },
  'a frame of another site': { isCrossOrigin: true },
  'a frame of another site that is named': { topOrigin: 'https://example.org' },
};

for (const [name, wrong] of Object.entries(WRONG)) {
  test(`a new passkey is refused with ${name}`, async () => {
    assert.equal((await add(createAuthenticator(), wrong)).made, null);
  });
  test(`a passkey does not log in with ${name}`, async () => {
    const passkey = await addPasskey();
    assert.equal(await signIn(passkey, wrong), null);
    assert.notEqual(await signIn(passkey), null);
  });
}

test('an answer to one question is none to the other', async () => {
  const wrong = { type: 'webauthn.get' };
  assert.equal((await add(createAuthenticator(), wrong)).made, null);
  assert.equal(await signIn(await addPasskey(), { type: 'webauthn.create' }), null);
});

test('the signature must be that of the stored key, over what was answered', async () => {
  const passkey = await addPasskey();
  const signs = (data: Uint8Array) =>
    Uint8Array.from(data, (byte, at) => (at === 33 ? byte ^ 1 : byte));
  assert.equal(await signIn(passkey, { signs }), null);
  const other = await addPasskey();
  const stored = { ...passkey.stored, publicKey: other.stored.publicKey };
  assert.equal(await signIn(passkey, {}, { stored }), null);
});

test('a counter must grow; without counting, it stays 0', async () => {
  const counting = await addPasskey({ counts: true });
  assert.deepEqual(await signIn(counting), { counter: 1, isBackedUp: false });
  const stored = { ...counting.stored, counter: 7 };
  for (const counter of [0, 6, 7])
    assert.equal(await signIn(counting, { counter }, { stored }), null);
  const next = await signIn(counting, { counter: 8 }, { stored });
  assert.equal(next?.counter, 8);
  const still = await addPasskey();
  assert.equal((await signIn(still, {}, { stored: { ...still.stored, counter: 0 } }))?.counter, 0);
  assert.equal(await signIn(still, {}, { stored: { ...still.stored, counter: 1 } }), null);
});

test('the passkey of another account is refused', async () => {
  const passkey = await addPasskey();
  const userHandle = randomBytes(32).toString('base64url');
  assert.equal(await signIn(passkey, { userHandle }), null);
  assert.equal(await signIn(passkey, {}, { userHandle }), null);
  // The key of another passkey of the same account.
  const stored = { ...passkey.stored, id: 'AAEC' };
  assert.equal(await signIn(passkey, {}, { stored }), null);
});

test('an answer without a handle is enough only for an account that was known before', async () => {
  const passkey = await addPasskey();
  assert.equal(await signIn(passkey, { userHandle: null }), null);
  assert.notEqual(await signIn(passkey, { userHandle: null }, { isUserKnown: true }), null);
  const userHandle = randomBytes(32).toString('base64url');
  assert.equal(await signIn(passkey, { userHandle }, { isUserKnown: true }), null);
});

/** A certificate for this test, and its key. */
const CERTIFICATE = Buffer.from(
  'MIIBdjCCARugAwIBAgIURXxf4Mu64Wo17KIqkYXaEJkNupUwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEVGVzdDAgFw0yNjExMjkwMDExNThaGA8yMDgxMDkwMTAwMTE1OFowDzENMAsGA1UEAwwEVGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABCXP0exii7ROrWvWZoydb2zmO+OWQB22VTUeDEHNDQ6Z2Q1pCR/My/DubQ2mqDwTWRKbfdSvBifAyx1hQ6YvE+SjUzBRMB0GA1UdDgQWBBRjc0LJNojwm+iznwgLZULh0NuwAjAfBgNVHSMEGDAWgBRjc0LJNojwm+iznwgLZULh0NuwAjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQC8HXdaJznrogMwrTqMIiTWi0e/cKs9Le9KbBpZN0PM+AIhAKJW4CdEIwhb4AQu2yOKODRrGoR7SsOEdokY4SvI+1wE',
  'base64',
);
const CERTIFICATE_KEY = createPrivateKey({
  key: Buffer.from(
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmBxuaxa+Lzcy921FS1O5AEk9LiB0CVLuwwUpdpIAtcChRANCAAQlz9HsYou0Tq1r1maMnW9s5jvjlkAdtlU1HgxBzQ0OmdkNaQkfzMvw7m0Npqg8E1kSm33UrwYnwMsdYUOmLxPk',
    'base64',
  ),
  format: 'der',
  type: 'pkcs8',
});

test('the new key may attest itself; a certificate, which names servers to ask, is refused', async () => {
  const attestItself = ({ authData, clientDataHash, sign: signIt }: Made) =>
    attest('packed', [
      ['alg', -7],
      ['sig', signIt(Buffer.concat([authData, clientDataHash]))],
    ]);
  assert.notEqual((await add(createAuthenticator(), { attest: attestItself })).made, null);
  const attestWrong = ({ authData, sign: signIt }: Made) =>
    attest('packed', [
      ['alg', -7],
      ['sig', signIt(authData)],
    ]);
  assert.equal((await add(createAuthenticator(), { attest: attestWrong })).made, null);
  const attestWithCertificate = ({ authData, clientDataHash, id }: Made) => {
    const key = authData.subarray(37 + 16 + 2 + id.length);
    // Of `{ 1: 2, 3: -7, -1: 1, -2: x, -3: y }`.
    const point = Buffer.concat([Buffer.from([4]), key.subarray(10, 42), key.subarray(45, 77)]);
    const parts = [Buffer.from([0]), authData.subarray(0, 32), clientDataHash, id, point];
    return attest('fido-u2f', [
      ['sig', sign('sha256', Buffer.concat(parts), CERTIFICATE_KEY)],
      ['x5c', [CERTIFICATE]],
    ]);
  };
  const refused = await add(createAuthenticator(), { attest: attestWithCertificate });
  assert.equal(refused.made, null);
});

type Made = Parameters<NonNullable<WrongAnswer['attest']>>[0];
type Statement = ReturnType<NonNullable<WrongAnswer['attest']>>;

function attest(format: string, statement: readonly (readonly [string, unknown])[]): Statement {
  const parts: readonly (readonly [string, unknown])[] = [
    ['fmt', format],
    ['attStmt', new Map(statement)],
  ];
  return new Map(parts) as Statement;
}

test('an id has at most 1,023 bytes, and is that of the key', async () => {
  assert.notEqual((await add(createAuthenticator(), { idLength: 1_023 })).made, null);
  assert.equal((await add(createAuthenticator(), { idLength: 1_024 })).made, null);
  const { question, response } = await add(createAuthenticator());
  const other = JSON.stringify({ ...JSON.parse(response), id: 'AAEC' });
  const { challenge } = question;
  assert.equal(await engine.verifyAdded({ origin: ORIGIN, challenge, response: other }), null);
});

test('the claim of an answer finds its challenge and its passkey', async () => {
  const { authenticator, stored } = await addPasskey();
  const question = await engine.toSignIn({ origin: ORIGIN });
  const claim = engine.readClaim(authenticator.answer(question, ORIGIN));
  const { challenge } = question;
  assert.deepEqual(claim, { id: stored.id, challenge, userHandle: USER.handle });
});

test('transports are short words, each once', () => {
  const { clientDataJSON } = { clientDataJSON: toText({ challenge: 'AA' }) };
  const transports = ['usb', 'usb', 'x'.repeat(21), '<b>', 7, null, ...'abcdefghijk'];
  const response = { clientDataJSON, transports };
  const answer = readAnswer(JSON.stringify({ id: 'AA', type: 'public-key', response }));
  assert.deepEqual(answer?.transports, ['usb', ...'abcdefg']);
});

function toText(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

test('whatever is sent as an answer is refused, and never throws', async () => {
  const { stored } = await addPasskey();
  const challenge = OTHER_CHALLENGE;
  const refuse = async (response: unknown) => {
    assert.equal(await engine.verifyAdded({ origin: ORIGIN, challenge, response }), null);
    const answer = { origin: ORIGIN, challenge, response, stored, userHandle: USER.handle };
    assert.equal(await engine.verifySignIn({ ...answer, isUserKnown: true }), null);
    engine.readClaim(response);
  };
  const clientData = (type: string) => toText({ type, challenge, origin: ORIGIN });
  // Lists in lists, and lists, maps and texts that are said to be long.
  const hostile = [
    '81'.repeat(9_000),
    ...['9affffffff', 'baffffffff', '7affffffff', '5bffffffffffffffff', 'f97e00', 'c0', 'ff', ''],
  ].map((bytes) => Buffer.from(bytes, 'hex').toString('base64url'));
  for (const bytes of hostile) {
    const response = { clientDataJSON: clientData('webauthn.create'), attestationObject: bytes };
    await refuse(JSON.stringify({ id: stored.id, type: 'public-key', response }));
    const parts = { authenticatorData: bytes, signature: bytes, userHandle: USER.handle };
    const get = { clientDataJSON: clientData('webauthn.get'), ...parts };
    await refuse(JSON.stringify({ id: stored.id, type: 'public-key', response: get }));
  }
  for (const value of [
    undefined,
    null,
    7,
    {},
    [],
    '',
    '{',
    'null',
    '[]',
    '7',
    `"${'x'.repeat(17_000)}"`,
  ])
    await refuse(value);
  const texts = fc.oneof(fc.base64String(), fc.string(), fc.constant(clientData('webauthn.get')));
  const values = fc.oneof(texts, fc.jsonValue());
  const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature'] as const;
  const record = Object.fromEntries(names.map((name) => [name, values]));
  const answers = fc.record({
    id: fc.oneof(fc.constant(stored.id), values),
    type: fc.oneof(fc.constant('public-key'), values),
    response: fc.oneof(fc.record(record), values),
  });
  await fc.assert(
    fc.asyncProperty(answers, (answer) => refuse(JSON.stringify(answer))),
    { numRuns: 300 },
  );
});

test('a right answer with one byte changed anywhere is refused', async () => {
  // Its signature has no lengths, which may be written in several ways.
  const passkey = await addPasskey({ algorithm: 'EdDSA' });
  const question = await engine.toSignIn({ origin: ORIGIN });
  const right = JSON.parse(passkey.authenticator.answer(question, ORIGIN));
  const verifyIt = (response: unknown) =>
    engine.verifySignIn({
      origin: ORIGIN,
      challenge: question.challenge,
      response: JSON.stringify({ ...right, response }),
      stored: passkey.stored,
      userHandle: USER.handle,
    });
  assert.notEqual(await verifyIt(right.response), null);
  for (const name of ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']) {
    const bytes = Buffer.from(right.response[name], 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 4;
      const response = { ...right.response, [name]: changed.toString('base64url') };
      assert.equal(await verifyIt(response), null, `${name} ${at}`);
    }
  }
});

test('an answer of more than 16 KB is not read', async () => {
  const passkey = await addPasskey();
  const question = await engine.toSignIn({ origin: ORIGIN });
  const { challenge } = question;
  const text = passkey.authenticator.answer(question, ORIGIN);
  const answer = { origin: ORIGIN, challenge, stored: passkey.stored, userHandle: USER.handle };
  const full = text.padEnd(16_384);
  assert.notEqual(await engine.verifySignIn({ ...answer, response: full }), null);
  assert.equal(await engine.verifySignIn({ ...answer, response: `${full} ` }), null);
});

test('a site below the domain, and related origins, use the same passkeys', async () => {
  const place: PasskeysOptions = {
    name: 'Club',
    id: 'club.example',
    origins: ['https://club.example.org'],
  };
  const related = passkeys(place);
  const authenticator = createAuthenticator();
  const { made } = await add(authenticator, {}, related);
  assert.ok(made !== null);
  const question = await related.toSignIn({ origin: 'https://www.club.example' });
  assert.equal(JSON.parse(question.options).rpId, 'club.example');
  for (const [origin, expected] of [
    ['https://www.club.example', true],
    ['https://club.example.org', true],
    ['https://club.example', false],
    ['https://example.org', false],
  ] as const) {
    const result = await related.verifySignIn({
      origin: 'https://www.club.example',
      challenge: question.challenge,
      response: authenticator.answer(question, origin),
      stored: made,
      userHandle: USER.handle,
    });
    assert.equal(result !== null, expected, origin);
  }
  assert.deepEqual(related.relatedOrigins(), { origins: ['https://club.example.org'] });
  assert.equal(engine.relatedOrigins(), null);
  await related.toSignIn({ origin: 'https://club.example.org' });
  await assert.rejects(related.toSignIn({ origin: 'https://notclub.example' }), {
    message:
      'Cannot use passkeys of club.example at https://notclub.example: pages of club.example and below can. Pass the origin among origins of passkeys, and let https://club.example/.well-known/webauthn list it.',
  });
});

test('browsers have passkeys on https and on this machine, for names alone', () => {
  const origins = {
    'https://club.example': true,
    'http://localhost:3000': true,
    'http://club.localhost:3000': true,
    'http://club.example': false,
    'http://notlocalhost': false,
    'https://192.0.2.1': false,
    'http://127.0.0.1:3000': false,
    'https://[2001:db8::1]': false,
  };
  for (const [origin, expected] of Object.entries(origins))
    assert.equal(engine.isPossibleAt(origin), expected, origin);
  const club = passkeys({ name: 'Club', id: 'club.example', origins: ['https://chess.example'] });
  for (const [origin, expected] of [
    ['https://www.club.example', true],
    ['https://chess.example', true],
    ['https://otherclub.example', false],
    ['http://localhost:3000', false],
  ] as const)
    assert.equal(club.isPossibleAt(origin), expected, origin);
});

test('options that no browser accepts are refused', async () => {
  assert.throws(() => passkeys({} as never), /Cannot call passkeys without name/);
  assert.throws(() => passkeys({ name: ' ' }), /Cannot make passkeys without a name/);
  for (const id of ['https://club.example', 'club.example:443', '192.0.2.1', 'Club.example', ''])
    assert.throws(() => passkeys({ name: 'Club', id }), /pass a domain in lower case/, id);
  for (const origin of [
    'club.example',
    'https://club.example/',
    'ftp://club.example',
    'HTTPS://a.b',
  ])
    assert.throws(() => passkeys({ name: 'Club', origins: [origin] }), /pass an origin/, origin);
  for (const handle of ['', 'ada@club.example', 'A'.repeat(87)]) {
    const user = { handle, name: 'ada' };
    const asked = engine.toAdd({ origin: ORIGIN, user, existing: [] });
    await assert.rejects(asked, /handle of its user is not 1 to 64 bytes/, handle);
  }
});
