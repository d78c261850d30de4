/** Each kind of field: what is typed, what is stored, and what pages show. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { toOwnField } from './definitions.ts';
import type { OwnFieldDefinition, OwnFieldKind, OwnValue } from './own-field.ts';
import { showOwnValue, toOwnKey, toValueRows } from './own-values.ts';
import { toColumns } from './write-definitions.ts';

const CHOICES = [
  { id: 'c1', label: 'Good' },
  { id: 'c2', label: 'Needs repair' },
  { id: 'c3', label: 'Lost', removed: true as const },
];

function make(kind: OwnFieldKind, more: Partial<OwnFieldDefinition> = {}) {
  const columns = toColumns({ kind, label: 'Purchase price', ...more });
  return toOwnField({ id: 3, position: 3, removed: 0, version: 1, ...columns });
}

type Case = readonly [OwnFieldKind, Partial<OwnFieldDefinition>, OwnValue, OwnValue, string];

/** What is typed, stored and shown. */
const CASES: readonly Case[] = [
  ['text', {}, ' Bosch ', 'Bosch', 'Bosch'],
  ['long text', {}, 'one\r\ntwo', 'one\ntwo', 'one\ntwo'],
  ['person', {}, 'Ada', 'Ada', 'Ada'],
  ['number', { unit: 'kg' }, '1,250.50', '1250.5', '1,250.5 kg'],
  ['number', {}, '-0.5', '-0.5', '-0.5'],
  ['number', {}, '100', '100', '100'],
  ['money', { unit: 'EUR' }, '1,250.5', '1250.50', '€1,250.50'],
  ['money', { unit: 'JPY' }, '1250', '1250', '¥1,250'],
  ['date', {}, '2026-11-29', '2026-11-29', '29 Nov 2026'],
  ['link', {}, 'https://example.org', 'https://example.org/', 'https://example.org/'],
  ['yes or no', {}, 'no', 'no', 'No'],
  ['choice', { choices: CHOICES }, 'c2', 'c2', 'Needs repair'],
  ['choices', { choices: CHOICES }, ['c2', 'c1'], ['c1', 'c2'], 'Good, Needs repair'],
];

for (const [kind, more, typed, stored, shown] of CASES)
  test(`a value of the kind ${kind} is stored as ${stored} and shown as ${JSON.stringify(shown)}`, async () => {
    const field = make(kind, more);
    const parsed = await field.field.parse(typed);
    assert.deepEqual(parsed, { ok: true, value: stored });
    assert.deepEqual(await field.field.parse(field.field.toText(stored)), parsed);
    assert.equal(showOwnValue(field, stored), shown);
    const empty = await field.field.parse(Array.isArray(typed) ? [] : '');
    assert.ok(empty.ok && empty.value.length === 0);
    const required = make(kind, { ...more, required: true });
    const refused = await required.field.parse(Array.isArray(typed) ? [] : '');
    assert.match(refused.ok ? '' : refused.message, /^(Fill in|Choose) “Purchase price/);
    assert.ok((await required.optional.parse(Array.isArray(typed) ? [] : '')).ok);
  });

test('a removed choice is kept by what has it, and offered to nothing else', async () => {
  const { field } = make('choice', { choices: CHOICES });
  assert.deepEqual(await field.parse('c3'), { ok: true, value: 'c3' });
  const { english } = await import('seeother/languages');
  const draw = (text: string) =>
    field.draw?.({ field, name: 'own_3', text, attributes: {}, language: english, hasError: false })
      .markup ?? '';
  assert.doesNotMatch(draw('c1'), /Lost/);
  assert.match(draw('c3'), /value="c3" selected>Lost/);
});

test('a row has the key by which it is found and sorted, and its number', () => {
  const money = make('money', { unit: 'EUR' });
  const rows = toValueRows(new Map([[money.id, money.kind]]), {
    number: 7,
    own: { 3: '12.50', 99: 'gone for ever' },
  });
  const row = { item_number: 7, field_id: 3, position: 0, value: '12.50', key: '12.50' };
  assert.deepEqual(rows, [{ ...row, number: 12.5 }]);
  assert.ok(toOwnKey('text', 'Box 2') < toOwnKey('text', 'box 10'));
  assert.equal(Buffer.byteLength(toOwnKey('long text', '😀'.repeat(9_000))), 800);
});
