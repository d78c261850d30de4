import assert from 'node:assert/strict';
import test from 'node:test';
import { EMPTY_ITEM } from '../item-fields.ts';
import type { Item } from '../item-rows.ts';
import { csvHeader, csvLines, escapeFormula, unescapeFormula } from './csv.ts';

const item: Item = {
  ...EMPTY_ITEM,
  number: 7,
  name: 'Ladder, 3 m',
  description: 'Two parts.\n"Fragile"',
  minimum: 3,
  loans: [],
  quantity: 2,
  tags: ['tools', 'lent out'],
  serial: 'SN-7',
  createdAt: new Date(0),
  createdBy: null,
  updatedAt: new Date(0),
  updatedBy: null,
  version: 1,
};

test('an item is one record of RFC 4180', () => {
  assert.equal(
    csvHeader(),
    'number,name,description,quantity,minimum,location,tags,serial,lent to,lent until,lent at,lent quantity,references,added\r\n',
  );
  assert.equal(
    csvLines([item]),
    '7,"Ladder, 3 m","Two parts.\n""Fragile""",2,3,,"tools, lent out",SN-7,,,,,,1970-01-01T00:00:00.000Z\r\n',
  );
  const lines = csvLines([{ ...item, name: 'Ladder', description: 'a\nb', tags: [] }]);
  assert.equal(lines, '7,Ladder,"a\nb",2,3,,,SN-7,,,,,,1970-01-01T00:00:00.000Z\r\n');
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

/** By name, because they show nothing: spreadsheets and editors drop some of them, and then the cell starts at `=`. */
const INVISIBLE = {
  space: ' ',
  'no-break space': '\u00a0',
  'ideographic space': '\u3000',
  'line feed': '\n',
  escape: '\u001b',
  'next line': '\u0085',
  'soft hyphen': '\u00ad',
  'combining grapheme joiner': '\u034f',
  'Arabic letter mark': '\u061c',
  'Hangul filler': '\u3164',
  'Mongolian vowel separator': '\u180e',
  'zero width space': '\u200b',
  'zero width joiner': '\u200d',
  'right-to-left mark': '\u200f',
  'right-to-left override': '\u202e',
  'word joiner': '\u2060',
  'left-to-right isolate': '\u2066',
  'variation selector': '\ufe0f',
  'byte order mark': '\ufeff',
  'interlinear annotation anchor': '\ufff9',
  'language tag': '\u{e0001}',
};

test('no cell starts a formula behind characters that show nothing', () => {
  for (const [name, invisible] of Object.entries(INVISIBLE)) {
    for (const before of [invisible, invisible.repeat(3), `\u200b${invisible}`, `'${invisible}`]) {
      for (const text of [`${before}=HYPERLINK("x")`, `${before}@SUM(A1)`, `${before}＝1`]) {
        const cell = escapeFormula(text);
        assert.equal(cell, `'${text}`, name);
        assert.equal(unescapeFormula(cell), text, name);
      }
    }
    for (const text of [`${invisible}chair`, `${invisible}a=b`, `a${invisible}=b`])
      assert.equal(escapeFormula(text), text, name);
  }
});
