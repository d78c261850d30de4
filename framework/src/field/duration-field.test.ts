import assert from 'node:assert/strict';
import test from 'node:test';
import { german } from '../language/german.ts';
import { durationField } from './duration-field.ts';
import { ok, problem } from './field.ts';

const inGerman = { language: german };

test('a duration is typed as hours and minutes', () => {
  const length = durationField({ label: 'Length', as: 'text' });
  for (const text of ['1:30', ':90', '1 h 30 min', '1h30', '90 min', '90 minutes', 'PT1H30M'])
    assert.deepEqual(length.parse(text), ok(5_400), text);
  assert.deepEqual(length.parse('1 Std. 30 Min.', inGerman), ok(5_400));
  const refused = problem('Length must be hours and minutes, like 1:30');
  for (const text of ['90', '1.5', ':', 'long', '1 day', '-1:00', '1:30:00', '1234567:00'])
    assert.deepEqual(length.parse(text), refused, text);
  const parts = durationField({ label: 'Length', min: 900, max: 28_800, step: 900 });
  const join = (...texts: readonly string[]) => parts.inputs?.join(texts) ?? assert.fail();
  assert.deepEqual(parts.parse(join('1', '')), ok(3_600));
  assert.deepEqual(parts.parse(join('', '')), ok(null));
  assert.deepEqual(parts.parse(join('0', '5')), problem('Length must be between 0:15 and 8:00'));
  assert.deepEqual(
    parts.parse(join('0', '20')),
    problem('Length must be in steps of 0:15, like 0:30'),
  );
  assert.deepEqual(parts.inputs?.split(join('x', 'y:z')), ['x', 'y:z']);
});
