import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { findZone, toInstant } from './time-zone.ts';

/** The part of `Temporal` that the test compares with. Node 24 has none. */
interface WithTemporal {
  readonly Temporal?: {
    readonly PlainDateTime: {
      from(text: string): {
        toZonedDateTime(zone: string): { readonly epochMilliseconds: number };
      };
    };
  };
}

const { Temporal } = globalThis as WithTemporal;

/** Zones with changes of an hour, of half an hour, of a day, and of none. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/St_Johns',
  'Asia/Kolkata',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'UTC',
];

test('a local time that does not exist is put forward, and of one that exists twice the first is meant', () => {
  const berlin = findZone('Europe/Berlin');
  assert.ok(berlin !== null);
  for (const [local, instant] of [
    ['2026-03-29T01:59', '2026-03-29T00:59'],
    ['2026-03-29T02:30', '2026-03-29T01:30'],
    ['2026-03-29T03:00', '2026-03-29T01:00'],
    ['2026-10-25T01:59', '2026-10-24T23:59'],
    ['2026-10-25T02:30', '2026-10-25T00:30'],
    ['2026-10-25T03:00', '2026-10-25T02:00'],
  ] as const)
    assert.equal(toInstant(Date.parse(`${local}Z`), berlin), Date.parse(`${instant}Z`), local);
  assert.equal(findZone('Mars/Olympus'), null);
});

test('a local time means the instant that Temporal finds', { skip: Temporal === undefined }, () => {
  const minutes = fc.integer({
    min: Date.parse('1900-01-01') / 60_000,
    max: Date.parse('2100-01-01') / 60_000,
  });
  /** The hours around a change, which a random time misses. */
  const near = fc
    .tuple(fc.integer({ min: 1970, max: 2040 }), fc.integer({ min: 0, max: 366 * 24 * 4 }))
    .map(([year, quarters]) => Date.UTC(year, 0) / 60_000 + quarters * 15);
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), fc.oneof(minutes, near), (name, minute) => {
      const zone = findZone(name) ?? assert.fail();
      const local = new Date(minute * 60_000).toISOString().slice(0, 19);
      const expected = Temporal?.PlainDateTime.from(local).toZonedDateTime(name).epochMilliseconds;
      assert.equal(toInstant(minute * 60_000, zone), expected, `${local}[${name}]`);
    }),
    { numRuns: 3_000 },
  );
});
