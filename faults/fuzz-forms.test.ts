import assert from 'node:assert/strict';
import test from 'node:test';
import { fuzzForms } from './fuzz-forms.ts';

test('no mutated body of a form ends in a 5xx', async () => {
  const { failed, carriedOut, changed, refused } = await fuzzForms(1_500);
  assert.equal(failed, 0);
  // The bodies reach every answer that a form has.
  assert.ok(Math.min(carriedOut, changed, refused) > 150, `${carriedOut} ${changed} ${refused}`);
});
