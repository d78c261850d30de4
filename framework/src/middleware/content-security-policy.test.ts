import assert from 'node:assert/strict';
import test from 'node:test';
import { compilePolicy, type SecurityPolicy } from './content-security-policy.ts';

const STRICT =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** As JavaScript passes it, without type checks. */
const compile = (policy: object) => compilePolicy(policy as SecurityPolicy);

test('an empty policy is the strict one', () => {
  assert.deepEqual(compilePolicy({}), { text: STRICT, withNonce: null });
});

test('a directive replaces the strict one, and the others stay strict', () => {
  const { text } = compilePolicy({ 'img-src': ["'self'", 'https://pictures.example'] });
  assert.equal(text, STRICT.replace("img-src 'self'", "img-src 'self' https://pictures.example"));
});

test('a new directive is added, and an undefined one is left as if not given', () => {
  const { text } = compile({ 'script-src': ["'self'"], 'style-src-elem': undefined });
  assert.equal(text, STRICT.replace(' require-', " script-src 'self'; require-"));
});

test("an empty list allows nothing, as 'none' does", () => {
  assert.match(compilePolicy({ 'img-src': [] }).text, /img-src 'none';/);
});

test('policies for Trusted Types are listed by name', () => {
  const { text } = compilePolicy({ 'trusted-types': ['lit-html', 'default'] });
  assert.match(text, /require-trusted-types-for 'script'; trusted-types lit-html default$/);
});

test('null leaves Trusted Types out', () => {
  assert.doesNotMatch(compilePolicy({ 'trusted-types': null }).text, /trusted-types/);
});

test('every place of the nonce gets the nonce, and without one it is left out', () => {
  const { text, withNonce } = compilePolicy({
    'script-src': ["'self'", "'nonce'"],
    'style-src': ["'nonce'"],
  });
  assert.match(text, /style-src 'none'; .*script-src 'self';/);
  assert.match(withNonce?.('abc') ?? '', /style-src 'nonce-abc'; .*script-src 'self' 'nonce-abc';/);
});

for (const source of [
  "'self'",
  "'sha256-WAyOw4V+FqDc35lQPyRADLBWbuNK8ahvYEaQIYF1+Ps='",
  'https:',
  'data:',
  '*',
  'cdn.example',
  '*.cdn.example',
  'localhost:3000',
  'cdn.example:*',
  'https://cdn.example',
  'https://cdn.example:8443/scripts/app.js',
  'wss://push.example',
] as const)
  test(`${source} is a source`, () => {
    assert.ok(compilePolicy({ 'connect-src': [source] }).text.includes(`connect-src ${source};`));
  });

const REFUSED: readonly (readonly [source: string, advice: RegExp])[] = [
  ["'self'; script-src *", /white space, a semicolon or a comma.*element of its own/],
  ["'self' https:", /white space/],
  ['https://cdn.example/;x', /%3B/],
  ['https://a.example,https://b.example', /a comma/],
  ['https://cdn.example\r\nSet-Cookie:', /white space/],
  ['https://cdn.example\u2028', /white space/],
  ['self', /keywords have quotes. Write "'self'"/],
  ['none', /Write "'none'"/],
  ["'nonce-abc'", /protects nothing. Write "'nonce'"/],
  ["'selfish'", /not a source expression/],
  ["'sha1-abc'", /not a source expression/],
  ['', /not a source expression/],
  ['https://', /not a source expression/],
  ['https://cdn.example?x', /not a source expression/],
  ['https://user@cdn.example', /not a source expression/],
  ['https://*.*.example', /not a source expression/],
  ['https://bücher.example', /not a source expression/],
];

for (const [source, advice] of REFUSED)
  test(`the source ${JSON.stringify(source)} is refused, with advice`, () => {
    assert.throws(
      () => compile({ 'script-src': [source] }),
      (error) =>
        error instanceof TypeError &&
        error.message.includes(`Cannot use the source ${JSON.stringify(source)} in script-src`) &&
        advice.test(error.message),
    );
  });

test("'none' beside another source is refused", () => {
  assert.throws(() => compilePolicy({ 'img-src': ["'none'", "'self'"] }), /the only source/);
});

test('a directive that does not exist is refused with a list of those that do', () => {
  assert.throws(() => compile({ 'scripts-src': ["'self'"] }), /"scripts-src".*script-src/);
  assert.throws(() => compile({ 'img-src *; script-src': ['*'] }), /Cannot use the directive/);
});

test('a name that would end trusted-types is refused', () => {
  assert.throws(() => compilePolicy({ 'trusted-types': ['a; script-src *'] }), /letters, digits/);
});
