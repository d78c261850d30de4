import assert from 'node:assert/strict';
import test from 'node:test';
import { german } from '../language/german.ts';
import { ok, problem } from './field.ts';
import { timeField } from './time-field.ts';

const inGerman = { language: german };

test('a time is read as ISO 8601 and as the language writes it', () => {
  const time = timeField({ label: 'Time' });
  for (const text of ['14:30', '2:30 pm', '14:30:00', '14:30:00.000'])
    assert.deepEqual(time.parse(text), ok('14:30'), text);
  assert.deepEqual(time.parse('14.30 Uhr'.slice(0, 5), inGerman), ok('14:30'));
  const refused = problem('Time must be a time, like 2:30 PM');
  for (const text of ['24:00', '14:60', '14:30:15', 'noon', '14'])
    assert.deepEqual(time.parse(text), refused, text);
  const exact = timeField({ label: 'Time', step: 1 });
  assert.deepEqual(exact.parse('14:30:15'), ok('14:30:15'));
  assert.deepEqual(exact.parse('14:30'), ok('14:30:00'));
});

test('the limits and the steps of a time start at min', () => {
  const slot = timeField({ label: 'Slot', min: '09:05', max: '17:00', step: 900 });
  assert.deepEqual(slot.attributes, { type: 'time', step: '900' });
  assert.deepEqual(slot.parse('09:20'), ok('09:20'));
  assert.deepEqual(slot.parse('09:15'), problem('Slot must be in steps of 0:15, like 9:20 AM'));
  assert.deepEqual(slot.parse('17:05'), problem('Slot must be between 9:05 AM and 5:00 PM'));
});
