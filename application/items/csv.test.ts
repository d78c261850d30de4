import assert from 'node:assert/strict';
import test from 'node:test';
import { csvHeader, csvLines, escapeFormula, unescapeFormula } from './csv.ts';
import type { Item } from './item-rows.ts';

const item: Item = {
  number: 7,
  name: 'Ladder, 3 m',
  description: 'Two parts.\n"Fragile"',
  minimum: 3,
  loan: null,
  quantity: 2,
  location: '',
  tags: ['tools', 'lent out'],
  createdAt: new Date(0),
  createdBy: null,
  updatedAt: new Date(0),
  updatedBy: null,
  version: 1,
};

test('an item is one record of RFC 4180', () => {
  assert.equal(csvHeader(), 'number,name,description,quantity,location,tags,minimum\r\n');
  assert.equal(
    csvLines([item]),
    '7,"Ladder, 3 m","Two parts.\n""Fragile""",2,,"tools, lent out",3\r\n',
  );
});

test('no cell starts a formula, and every text is read back unchanged', () => {
  const texts = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\tx',
    '＝1',
    "'=1",
    "''-1",
    "'quoted'",
    "'",
    '',
    'a=b',
  ];
  for (const text of texts) {
    const cell = escapeFormula(text);
    assert.doesNotMatch(cell, /^[=+\-@\t\r＝＋－＠]/u);
    assert.equal(unescapeFormula(cell), text);
  }
  assert.equal(escapeFormula("'quoted'"), "'quoted'");
});
