import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import test from 'node:test';

test('the one script of the pages is small', () => {
  const { size } = statSync(new URL('../public/seeother.js', import.meta.url));
  assert.ok(size < 13_000, `${size} bytes`);
});
