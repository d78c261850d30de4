import assert from 'node:assert/strict';
import test from 'node:test';
import { blankForm, defineForm } from '../form/define-form.ts';
import { formField } from '../form/form-markup.ts';
import { german } from '../language/german.ts';
import { dateTimeField } from './date-time-field.ts';
import { ok, problem } from './field.ts';
import { findZone } from './time-zone.ts';

const DAY = 86_400_000;
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
    problem('Choose “At” again: what you chose is no longer available'),
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

test('a time that exists twice is shown with its offset, and stays when it is saved unchanged', () => {
  const at = dateTimeField({ label: 'At', zone: 'Europe/Berlin' });
  const zone = 'Europe/Berlin';
  const second = { local: '2026-10-25T02:30', zone, instant: '2026-10-25T01:30:00Z' } as never;
  assert.equal(at.toText(second), '10/25/2026 2:30 AM +01:00');
  assert.equal(at.toText(second, inGerman), '25.10.2026 02:30 +01:00');
  assert.equal(at.show(at.toText(second)), 'October 25, 2026 2:30 AM +01:00');
  for (const text of [
    at.toText(second),
    '2026-10-25T02:30+01:00',
    '2026-10-25 02:30 (UTC+01:00)',
    '10/25/2026, 2:30 am +01:00',
  ])
    assert.deepEqual(at.parse(text), ok(second), text);
  const first = { local: '2026-10-25T02:30', zone, instant: '2026-10-25T00:30:00Z' };
  assert.deepEqual(at.parse('2026-10-25T02:30'), ok(first));
  assert.deepEqual(at.parse('2026-10-25T02:30+02:00'), ok(first));
  assert.equal(at.toText(first as never), '10/25/2026 2:30 AM +02:00');
  assert.deepEqual(at.parse('2026-11-23T14:30+01:00'), at.parse('2026-11-23T14:30'));
  // A picker would drop it.
  const filled = blankForm(defineForm({ at }), { at: at.toText(second) });
  assert.match(
    formField(filled, 'at').markup,
    /<input type="text" id="at" name="at" value="10\/25/,
  );
  // Not another instant than the one that was typed.
  for (const text of ['2026-11-23T14:30+02:00', '2026-10-25T02:30+03:00', '2026-03-29T02:30+01:00'])
    assert.equal((at.parse(text) as { ok: boolean }).ok, false, text);
});

test('every time around the changes of 2026 survives opening and saving, in every zone', () => {
  const names = [...Intl.supportedValuesOf('timeZone'), 'Antarctica/Troll', 'UTC'];
  const known = new Set<string>();
  const turns: number[] = [];
  let count = 0;
  let left = 0;
  for (const zone of names) {
    const { offsetAt } = findZone(zone) ?? assert.fail(zone);
    const found = [];
    for (let week = Date.UTC(2026, 0); week < Date.UTC(2027, 0); week += 7 * DAY) {
      if (offsetAt(week) === offsetAt(week + 7 * DAY)) continue;
      for (let day = week; day < week + 7 * DAY; day += DAY)
        if (offsetAt(day) !== offsetAt(day + DAY)) found.push(day);
    }
    // Zones with the same clocks are tried once.
    const clocks = `${found.map((day) => [day, offsetAt(day), offsetAt(day + DAY)])}`;
    if (found.length === 0 || known.has(clocks)) continue;
    known.add(clocks);
    const at = dateTimeField({ label: 'At', zone });
    const both = dateTimeField({ label: 'At', zone: ['UTC', zone] });
    for (const day of found) {
      const turn = (offsetAt(day + DAY) - offsetAt(day)) / 60_000;
      turns.push(turn);
      for (let time = day - 3 * 3_600_000; time < day + 27 * 3_600_000; time += 30 * 60_000) {
        // Two hours on both sides of the change.
        if (offsetAt(time - 2.5 * 3_600_000) === offsetAt(time + 2.5 * 3_600_000)) continue;
        const local = new Date(time + offsetAt(time)).toISOString().slice(0, 16);
        const instant = `${new Date(time).toISOString().slice(0, 19)}Z`;
        const value = { local, zone, instant } as never;
        count++;
        assert.deepEqual(at.parse(at.toText(value)), ok(value));
        assert.deepEqual(both.parse(both.toText(value, inGerman), inGerman), ok(value));
        // A time that the clocks left out is put forward by as much.
        const [offset, step] = [offsetAt(time - 1), 15 * 60_000];
        if (offsetAt(time) <= offset) continue;
        const missing = new Date(time + offset + step).toISOString().slice(0, 16);
        const parsed = at.parse(missing) as { readonly value: { readonly instant: string } };
        assert.equal(Date.parse(parsed.value.instant), time + step, `${missing}[${zone}]`);
        left++;
      }
    }
  }
  assert.ok(known.size > 20 && count > 500 && left > 20, `${known.size} ${count} ${left}`);
  for (const turn of [-120, -60, -30, 30, 60, 120]) assert.ok(turns.includes(turn), `${turn}`);
});
