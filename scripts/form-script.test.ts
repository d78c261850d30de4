import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { FORM_SCRIPT } from '../framework/src/site/form-script-text.ts';
import { minifyScript, SCRIPT_TEXT } from './form-script.ts';
import { ROOT } from './project-files.ts';

test('the script of forms is the minified source, which npm run form-script writes anew', async () => {
  assert.equal(readFileSync(join(ROOT, SCRIPT_TEXT), 'utf8'), await minifyScript());
});

test('the script of forms has at most 6 KB', () => {
  const { length } = new TextEncoder().encode(FORM_SCRIPT);
  assert.ok(length <= 6_144, `${length} bytes`);
});
