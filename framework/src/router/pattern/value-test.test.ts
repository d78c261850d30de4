import assert from 'node:assert/strict';
import test from 'node:test';
import { parseExpression } from './regexp-syntax.ts';
import { valueTest } from './value-test.ts';

test('a value passes exactly when the whole of it matches the expression', () => {
  const expressions = ['\\d+', '\\d*', '\\d{2,3}', '[a-f]+?', '[a-f]{2}', 'a*', '\\w+', '[^\\/]+'];
  const more = ['[1-9]\\d{0,14}', 'a|b', '.', '[é-ü]+', '[\\u{d000}-\\u{1f600}]+', '(?:\\d+)?'];
  const values = ['', '0', '7', '12', '123', '1234', '/', ':', '12a', 'a1', 'a', 'ab', 'fa', 'g'];
  const odd = ['é', 'ü', 'ý', '１', '😀', '1😀', '\ud83d', '1\n', '\n1', ' 1', 'aaaa'];
  for (const expression of [...expressions, ...more]) {
    const passes = valueTest(expression, parseExpression(expression));
    const whole = new RegExp(`^(?:${expression})$`, 'v');
    for (const value of [...values, ...odd]) {
      const wanted = whole.test(value);
      for (const [before, behind] of [
        ['', ''],
        ['/7a', '/7a'],
      ] as const) {
        const start = before.length;
        const found = passes(before + value + behind, start, start + value.length);
        assert.equal(found, wanted, `${expression} on ${JSON.stringify(value)}`);
      }
    }
  }
});
