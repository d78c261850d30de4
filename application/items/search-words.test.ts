import assert from 'node:assert/strict';
import test from 'node:test';
import { toWords } from './search-words.ts';

test('words are runs of letters and digits, each once', () => {
  assert.deepEqual(toWords('HDMI-cable, 3 m (spare cable) A-12/3'), [
    'HDMI',
    'CABLE',
    '3',
    'M',
    'SPARE',
    'A',
    '12',
  ]);
  assert.deepEqual(toWords(' –\u0000\'"*:&|!() '), []);
});

test('case, accents and ways of writing the same letter make no difference', () => {
  const same = [
    ['straße', 'STRASSE'],
    ['Säge', 'sage', 'SA\u0308GE'],
    ['ΣΟΦΟΣ', 'σοφος', 'σοφοσ'],
    ['İstanbul', 'istanbul'],
    ['ﬁle', 'file'],
    ['１２', '12'],
    ['Ångström', '\u212bngstro\u0308m'],
  ];
  for (const spellings of same)
    assert.equal(new Set(spellings.flatMap(toWords)).size, 1, spellings.join(' '));
});

test('a very long word is cut, never inside a character', () => {
  const [word = ''] = toWords('𝒜x'.repeat(5_000));
  assert.equal(word.length, 60);
  const [wide = ''] = toWords(`x${'𐐨'.repeat(100)}`);
  assert.equal([...wide].length, 60);
  assert.ok(wide.isWellFormed());
});
