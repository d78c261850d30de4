import assert from 'node:assert/strict';
import test from 'node:test';
import { toErrorLine } from './error-line.ts';

test('control and bidirectional characters are escaped, and the line parses to the same text', () => {
  const message =
    'a\u0000\u001b[2J\u007f\u0085\u009b2J\u2028\u202e\u2066\ufeff\u{e0001}\ud800 “ünï”';
  const line = toErrorLine({ message });
  assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  assert.ok(line.includes('“ünï”'), line);
  assert.equal(JSON.parse(line).message, message);
});

test('no text is longer than 8,192 characters, not even in an error', () => {
  const message = 'x'.repeat(100_000);
  const error = new Error(message, { cause: message });
  const line = toErrorLine({ message, error });
  assert.ok(line.length < 4 * 8_192, `${line.length}`);
  const { message: cut, stack, cause } = JSON.parse(line);
  assert.equal(cut, `${'x'.repeat(8_192)}…`);
  assert.equal(cause, cut);
  assert.match(stack, /^Error: x+…$/);
});
