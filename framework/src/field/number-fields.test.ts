import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { english } from '../language/english.ts';
import { french } from '../language/french.ts';
import { german } from '../language/german.ts';
import { createLanguage } from '../language/language.ts';
import { ok, problem } from './field.ts';
import { decimalField, rangeField } from './number-fields.ts';

const arabic = createLanguage({ ...english, code: 'ar-EG' });
const LANGUAGES = [english, german, french, arabic].map((language) => ({ language }));

const weight = decimalField({ label: 'Weight', min: 0, max: 100, step: 0.01 });

test('a decimal is exact text with the decimals of its step', () => {
  for (const [typed, value] of [
    ['12.5', '12.50'],
    ['012.500', '12.50'],
    ['100', '100.00'],
    ['0.1', '0.10'],
    ['-0', '0.00'],
  ] as const)
    assert.deepEqual(weight.parse(typed), ok(value), typed);
  assert.deepEqual(weight.parse('12,5', { language: german }), ok('12.50'));
  assert.deepEqual(weight.parse(''), ok(null));
});

test('a text that is no number, and a number out of limits or between steps, are refused', () => {
  const wrong = problem('Weight must be a number, like 50.00');
  for (const typed of ['x', '1e1', 'Infinity', '0x10', '1 2', '.', '--1', '1'.repeat(101)])
    assert.deepEqual(weight.parse(typed), wrong, typed);
  const outside = problem('Weight must be between 0.00 and 100.00');
  for (const typed of ['-0.01', '100.01', '1'.repeat(100)])
    assert.deepEqual(weight.parse(typed), outside, typed);
  const between = problem('Weight must be in steps of 0.01, like 50.00');
  assert.deepEqual(weight.parse('99.999'), between);
  assert.deepEqual(
    weight.parse('0,005', { language: german }),
    problem('„Weight“ ist nur in Schritten von 0,01 möglich, zum Beispiel 50,00'),
  );
});

test('the limits of a decimal are compared exactly, where floats are equal', () => {
  const max = '9007199254740992.01';
  const large = decimalField({ label: 'Large', min: '-9007199254740993', max, step: '0.01' });
  assert.deepEqual(large.parse(max), ok(max));
  assert.deepEqual(
    large.parse('9007199254740992.02'),
    problem('Large must be between -9,007,199,254,740,993.00 and 9,007,199,254,740,992.01'),
  );
  const halves = decimalField({ label: 'Size', min: '0.5', max: 3, step: 1 });
  assert.deepEqual(halves.parse('1.5'), ok('1.5'));
  assert.deepEqual(halves.parse('2'), problem('Size must be in steps of 1.0, like 1.5'));
});

test('limits that are no decimals, or that allow nothing, are refused', () => {
  const define = (limits: object) => () =>
    decimalField({ label: 'Weight', min: 0, max: 1, step: 1, ...limits });
  assert.throws(define({ step: 1e-7 }), /Cannot pass 1e-7 to decimalField as step/);
  assert.throws(define({ min: 2 }), /Cannot define the field Weight with min 2, max 1 and step 1/);
  assert.throws(define({ step: 0 }), /a step above 0/);
  assert.throws(define({ max: 'many' }), /Cannot pass text to decimalField as max/);
});

test('a decimal is shown as each language writes it, and read as the same value', () => {
  const field = decimalField({ label: 'X', min: -1, max: 10_000_000, step: '0.001' });
  fc.assert(
    fc.property(fc.integer({ min: -1_000, max: 10_000_000_000 }), (thousandths) => {
      const typed = `${thousandths < 0 ? '-' : ''}${Math.trunc(Math.abs(thousandths) / 1_000)}.${String(Math.abs(thousandths) % 1_000).padStart(3, '0')}`;
      const parsed = field.parse(typed);
      assert.ok('ok' in parsed && parsed.ok, typed);
      for (const given of LANGUAGES)
        assert.deepEqual(field.parse(field.toText(parsed.value, given), given), parsed);
    }),
  );
});

test('a slider always has a number, by default the middle of its steps', () => {
  const mood = rangeField({ label: 'Mood', min: 0, max: 7, step: 2 });
  assert.equal(mood.default, '2');
  assert.deepEqual(mood.attributes, { type: 'range', min: '0', max: '7', step: '2' });
  assert.deepEqual(mood.parse('6', { language: german }), ok(6));
  assert.deepEqual(mood.parse('7'), problem('Mood must be in steps of 2, like 2'));
  assert.deepEqual(mood.parse('8'), problem('Mood must be between 0 and 7'));
  assert.deepEqual(mood.parse(''), problem('Mood must be a number, like 2'));
  const half = rangeField({ label: 'Half', min: 0, max: 1, step: 0.1, default: 0.3 });
  assert.deepEqual(half.parse('0.3'), ok(0.3));
  assert.equal(half.toText(0.3), '0.3');
});
