import assert from 'node:assert/strict';
import test from 'node:test';
import { createToken } from './token.ts';

test('a token is 256 bits in 43 characters of base64url, and never the same twice', () => {
  const tokens = Array.from({ length: 10_000 }, createToken);
  assert.equal(new Set(tokens).size, tokens.length);
  for (const token of tokens) assert.match(token, /^[A-Za-z0-9_-]{43}$/);
  assert.equal(Buffer.from(tokens[0] ?? '', 'base64url').byteLength, 32);
});
