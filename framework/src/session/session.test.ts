import assert from 'node:assert/strict';
import test from 'node:test';
import { createToken, isToken, toTokenKey } from './token.ts';

test('a token is 256 bits in 43 characters of base64url, and never the same twice', () => {
  const tokens = Array.from({ length: 10_000 }, createToken);
  assert.equal(new Set(tokens).size, tokens.length);
  for (const token of tokens) assert.match(token, /^[A-Za-z0-9_-]{43}$/);
  assert.equal(Buffer.from(tokens[0] ?? '', 'base64url').byteLength, 32);
});

test('a session is stored under the SHA-256 of its token', () => {
  assert.equal(
    toTokenKey('abc'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('only a text in the format of a token is accepted', () => {
  const token = createToken();
  assert.equal(isToken(token), true);
  const others = ['', token.slice(1), `${token}A`, `${token}\n`, `${token.slice(1)}=`];
  for (const other of others) assert.equal(isToken(other), false, JSON.stringify(other));
});
