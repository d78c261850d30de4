import assert from 'node:assert/strict';
import test from 'node:test';
import { blankForm, defineForm } from '../form/define-form.ts';
import { formField } from '../form/form-markup.ts';
import { german } from '../language/german.ts';
import { dateTimeField } from './date-time-field.ts';
import { ok, problem } from './field.ts';

const inGerman = { language: german };

test('a date and a time mean an instant in their zone', () => {
  const at = dateTimeField({ label: 'At', zone: 'Europe/Berlin' });
  const zone = 'Europe/Berlin';
  const local = '2026-11-23T14:30';
  const value = { local, zone, instant: '2026-11-23T13:30:00Z' };
  for (const text of [local, '2026-11-23 14:30:00.000', '11/23/2026 2:30 PM', '11/23/2026, 14:30'])
    assert.deepEqual(at.parse(text), ok(value), text);
  assert.deepEqual(at.parse('23.11.2026 14:30', inGerman), ok(value));
  assert.deepEqual(
    at.parse('2026-03-29T02:30'),
    ok({ local: '2026-03-29T03:30', zone, instant: '2026-03-29T01:30:00Z' }),
  );
  const refused = problem('At must be a date and a time, like 11/23/2026 2:30 PM');
  for (const text of [
    '2026-11-23',
    '14:30',
    '2026-02-30T00:00',
    '2026-11-23T24:00',
    'x '.repeat(60),
  ])
    assert.deepEqual(at.parse(text), refused, text);
  assert.throws(
    () => dateTimeField({ label: 'At', zone: 'Mars/Olympus' }),
    /Cannot define the field At with the time zone "Mars\/Olympus": use a name/,
  );
});

test('the time zone can be chosen, and only one of those that are offered', () => {
  const at = dateTimeField({
    label: 'At',
    zone: ['Europe/Berlin', 'America/New_York'],
    min: '2026-01-01T00:00',
  });
  const join = (...texts: readonly string[]) => at.inputs?.join(texts) ?? assert.fail();
  assert.deepEqual(
    at.parse(join('2026-11-23T14:30', 'America/New_York')),
    ok({ local: '2026-11-23T14:30', zone: 'America/New_York', instant: '2026-11-23T19:30:00Z' }),
  );
  assert.deepEqual(at.parse(join('', 'America/New_York')), ok(null));
  assert.deepEqual(
    at.parse(join('2026-11-23T14:30', 'UTC')),
    problem('At must be one of the choices'),
  );
  assert.deepEqual(
    at.parse(join('2025-12-31T23:59', 'Europe/Berlin')),
    problem('At must be 01/01/2026 12:00 AM or later'),
  );
  const form = blankForm(defineForm({ at }), { at: '[America/New_York]' });
  const { markup } = formField(form, 'at');
  assert.match(
    markup,
    /<input type="datetime-local" min="2026-01-01T00:00" id="at" name="at\.dateTime" value="">/,
  );
  assert.match(markup, /<option value="America\/New_York" selected>/);
});
