import assert from 'node:assert/strict';
import crypto, { createHmac } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import test from 'node:test';
import fc from 'fast-check';
import { totp } from './totp.ts';

/** `12345678901234567890`, the secret of RFC 6238, appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const { createSecret, address, check } = totp();

/** RFC 4226, section 5.3, written a second time. */
function codeOf(step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', '12345678901234567890').update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** At a second of the clock, from 1970 on. */
function checkAt(second: number, code: string, after: number | null = null): number | null {
  return check({ secret: SECRET, code, now: new Date(second * 1_000), after });
}

for (const [second, code] of [
  // RFC 6238, appendix B: codes of eight digits, of which six are the last.
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const) {
  test(`the code of RFC 6238 at ${second} seconds is accepted`, () => {
    assert.equal(checkAt(second, code.slice(2)), Math.floor(second / 30));
    assert.equal(checkAt(second, code), null);
  });
}

for (const [counter, code] of [
  '755224',
  '287082',
  '359152',
  '969429',
  '338314',
  '254676',
  '287922',
  '162583',
  '399871',
  '520489',
].entries()) {
  test(`the code of RFC 4226 for the counter ${counter} is that of the time step`, () => {
    assert.equal(checkAt(counter * 30, code), counter);
  });
}

test('a code is accepted from the start of its step to the end of the step after, and never before', () => {
  const step = 59_000_000;
  const [start, code] = [step * 30, codeOf(step)];
  for (const second of [start - 30, start - 0.001]) assert.equal(checkAt(second, code), null);
  for (const second of [start, start + 29.999, start + 59.999])
    assert.equal(checkAt(second, code), step, `${second - start} s`);
  assert.equal(checkAt(start + 60, code), null);
});

test('a code is not accepted again, nor is one of an earlier step', () => {
  const step = 59_000_000;
  const second = step * 30 + 5;
  const used = checkAt(second, codeOf(step));
  assert.equal(used, step);
  for (const later of [0, 10, 30, 54])
    assert.equal(checkAt(second + later, codeOf(step), used), null);
  assert.equal(checkAt(second, codeOf(step - 1), used), null);
  assert.equal(checkAt(second + 30, codeOf(step + 1), used), step + 1);
});

test('after the code of this step, neither it nor the one before is accepted', () => {
  const step = 59_000_000;
  for (const one of [step - 1, step]) assert.equal(checkAt(step * 30, codeOf(one), step), null);
});

test('a code that two neighbouring steps share counts once', () => {
  const [step, code] = [59_061_240, '963181'];
  assert.deepEqual([codeOf(step), codeOf(step + 1)], [code, code]);
  assert.equal(checkAt(step * 30, code), step);
  const used = checkAt((step + 1) * 30, code);
  assert.equal(used, step + 1);
  for (const later of [30, 60, 89]) assert.equal(checkAt(step * 30 + later, code, used), null);
});

test('when the clock was set back, no code is accepted until it has caught up', () => {
  const used = 59_000_000;
  for (const step of [used - 120, used - 2, used - 1, used])
    assert.equal(checkAt(step * 30, codeOf(step), used), null);
  assert.equal(checkAt((used + 1) * 30, codeOf(used + 1), used), used + 1);
});

test('an unknown last step or time accepts no code', () => {
  const code = codeOf(0);
  const unknown = [undefined, Number.NaN] as unknown as readonly number[];
  for (const after of unknown) {
    const attempt = { secret: SECRET, code, now: new Date(0), after: after as number };
    assert.equal(check(attempt), null);
  }
  assert.equal(check({ secret: SECRET, code, now: new Date(Number.NaN), after: null }), null);
});

test('spaces in a code are ignored', () => {
  const code = codeOf(40);
  const [start, end] = [code.slice(0, 3), code.slice(3)];
  for (const typed of [
    `${start} ${end}`,
    ` ${code}\t`,
    `${start}\u00a0${end}`,
    [...code].join(' '),
  ])
    assert.equal(checkAt(40 * 30, typed), 40, JSON.stringify(typed));
});

test('only six digits are a code', () => {
  const code = codeOf(40);
  const fullWidth = code.replaceAll(/\d/g, (digit) =>
    String.fromCodePoint(0xff_10 + Number(digit)),
  );
  for (const typed of [
    ...['', ' ', code.slice(1), `${code}0`, `0${code}`, `${code.slice(0, 5)}a`, `${code}\0`],
    ...[fullWidth, `-${code}`, `${code}.0`, `${Number(code)}e0`, `0x${Number(code).toString(16)}`],
    ...['٠١٢٣٤٥', '🙂🙂🙂🙂🙂🙂', '\ud83d'.repeat(6), code.repeat(100_000)],
  ])
    assert.equal(checkAt(40 * 30, typed), null, JSON.stringify(typed.slice(0, 20)));
});

test('a text is accepted only if it is the code of one of two steps', () => {
  const step = 59_000_000;
  const steps = new Map([step - 1, step].map((one) => [codeOf(one), one]));
  const digits = fc.integer({ min: 0, max: 999_999 }).map((n) => String(n).padStart(6, '0'));
  const near = fc.integer({ min: step - 10_000, max: step + 10_000 }).map(codeOf);
  fc.assert(
    fc.property(fc.oneof(digits, near, fc.string({ unit: 'binary' })), (code) => {
      const expected = steps.get(code.replaceAll(/\s/g, '')) ?? null;
      assert.equal(checkAt(step * 30, code), expected);
    }),
    { numRuns: 2_000 },
  );
});

test('a code of one secret is not accepted with another', () => {
  const code = codeOf(40);
  const others = Array.from({ length: 50 }, createSecret);
  const accepted = others.filter((secret) =>
    check({ secret, code, now: new Date(40 * 30_000), after: null }),
  );
  // One of 500,000 does by chance.
  assert.ok(accepted.length <= 1);
});

test('every check compares with two steps in constant time', (context) => {
  const compare = context.mock.method(crypto, 'timingSafeEqual');
  syncBuiltinESMExports();
  try {
    for (const code of [codeOf(39), codeOf(40), '000000']) {
      compare.mock.resetCalls();
      checkAt(40 * 30, code);
      assert.equal(compare.mock.callCount(), 2);
    }
  } finally {
    compare.mock.restore();
    syncBuiltinESMExports();
  }
});

test('a secret that everybody knows, or that is short, is refused', () => {
  for (const secret of ['', 'A'.repeat(25), SECRET.toLowerCase(), `${SECRET}=`, `${SECRET}!`]) {
    const attempt = { secret, code: '000000', now: new Date(0), after: null };
    assert.throws(() => check(attempt), TypeError);
    assert.throws(() => address({ secret, account: 'anna', issuer: 'Example' }), TypeError);
  }
  assert.throws(() => check({ secret: 'SECRET', code: '', now: new Date(0), after: null }), {
    message:
      'Cannot read a secret of 6 characters: it must be base32 of at least 26, as createSecret makes them.',
  });
});

test('a new secret has 160 bits, and is never the same twice', () => {
  const secrets = Array.from({ length: 5_000 }, createSecret);
  assert.equal(new Set(secrets).size, secrets.length);
  for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/);
  for (let at = 0; at < 32; at++)
    assert.equal(new Set(secrets.map((secret) => secret[at])).size, 32, `character ${at}`);
});

/** As an app reads it. */
function readAddress(account: string, issuer: string) {
  const text = address({ secret: SECRET, account, issuer });
  const { protocol, host, pathname, searchParams, hash } = new URL(text);
  const label = decodeURIComponent(pathname.slice(1)).split(':');
  const parameters: Record<string, string> = Object.fromEntries(searchParams);
  return { text, kind: `${protocol}//${host}`, label, hash, parameters };
}

test('the address has the names, the secret and what apps take for granted', () => {
  const { text, ...entry } = readAddress('anna@example.org', 'Tools & Co');
  assert.equal(
    text,
    `otpauth://totp/Tools%20%26%20Co:anna%40example.org?issuer=Tools%20%26%20Co&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
  );
  assert.deepEqual(entry, {
    kind: 'otpauth://totp',
    label: ['Tools & Co', 'anna@example.org'],
    hash: '',
    parameters: {
      issuer: 'Tools & Co',
      secret: SECRET,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    },
  });
});

test('no name can change another part of the address', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('a:b', '::', ':', '', ' ', 'a&secret=AAAA#x', '%3A', '\ud800', 'a/b?c', 'é'),
  );
  fc.assert(
    fc.property(name, name, (account, issuer) => {
      const { text, label, kind, hash, parameters } = readAddress(account, issuer);
      assert.equal(parameters['secret'], SECRET);
      assert.deepEqual([label.length, kind, hash], [2, 'otpauth://totp', '']);
      assert.equal(label[0], parameters['issuer']);
      assert.ok(label.every((part) => part !== ''));
      assert.equal(Object.keys(parameters).length, 5);
      assert.ok(text.length <= 470, `${text.length} characters`);
    }),
  );
});

test('a colon in a name becomes a space, and a long name is cut off', () => {
  const { label } = readAddress('ldap:anna', 'Acme: Tools');
  assert.deepEqual(label, ['Acme Tools', 'ldap anna']);
  const [issuer, account] = readAddress('x'.repeat(300), '木'.repeat(300)).label;
  assert.equal(account, `${'x'.repeat(171)}…`);
  assert.equal(issuer, `${'木'.repeat(9)}…`);
});

test('the option issuer comes before the name that the address is given', () => {
  const entry = { secret: SECRET, account: 'anna', issuer: 'Site' };
  assert.match(totp({ issuer: 'Mine' }).address(entry), /Mine:anna\?issuer=Mine&/);
  assert.match(totp().address(entry), /Site:anna\?issuer=Site&/);
  assert.throws(() => totp({ issuer: '' }), TypeError);
  assert.throws(() => totp({ name: 'Mine' } as object), /Cannot|option/);
});
