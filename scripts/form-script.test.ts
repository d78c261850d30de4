import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { PASSKEY_SCRIPT } from '../framework/src/passkeys/passkey-script-text.ts';
import { FORM_SCRIPT } from '../framework/src/site/form-script-text.ts';
import { minifyScript, SCRIPTS } from './form-script.ts';
import { ROOT } from './project-files.ts';

for (const script of SCRIPTS)
  test(`${script.title.toLowerCase()} is the minified source, which npm run form-script writes anew`, async () => {
    assert.equal(readFileSync(join(ROOT, script.text), 'utf8'), await minifyScript(script));
  });

for (const [name, text, most] of [
  ['forms', FORM_SCRIPT, 6_144],
  ['passkeys', PASSKEY_SCRIPT, 2_048],
] as const)
  test(`the script of ${name} has at most ${most / 1_024} KB`, () => {
    const { length } = new TextEncoder().encode(text);
    assert.ok(length <= most, `${length} bytes`);
  });
