import assert from 'node:assert/strict';
import test from 'node:test';
import { splitDescription } from './split-description.ts';

test('lines with a key and a value at the end of a paragraph are rows', () => {
  const description = `Bought at the fair.
Manufacturer: Bosch Professional
HB.purchase_price: 120.5
Manual: https://example.org/a: b
Clé : valeur

Keep it dry.

الشركة: بوش
型号：GSR 18V`;
  assert.deepEqual(splitDescription(description), {
    text: 'Bought at the fair.\n\nKeep it dry.',
    facts: [
      ['Manufacturer', 'Bosch Professional'],
      ['HB.purchase_price', '120.5'],
      ['Manual', 'https://example.org/a: b'],
      ['Clé', 'valeur'],
      ['الشركة', 'بوش'],
      ['型号', 'GSR 18V'],
    ],
  });
});

test('everything else stays text, however long and hostile', () => {
  const stays = (text: string) => assert.deepEqual(splitDescription(text), { text, facts: [] });
  stays('Note: keep it dry');
  // The second line may belong to the value.
  stays('Model: GSR\nNotes: first line\nsecond line');
  stays('https://example.org\nhttps://example.com\nOpen 10:30\nuntil 11:30');
  stays('Key:\nOther:');
  stays('Do it twice, at least: yes\nNo. Not today: no\n5: five\n– : dash');
  stays(`${'k'.repeat(41)}: x\n${'k'.repeat(41)}: y`);
  for (const part of [':', ': ', 'a:', '\u200f', 'a: \n', '：', 'a, '])
    splitDescription(part.repeat(10_000));
});
