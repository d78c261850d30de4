import assert from 'node:assert/strict';
import test from 'node:test';
import { english } from '../language/english.ts';
import { createLanguage } from '../language/language.ts';
import { ok, problem } from './field.ts';
import {
  checkboxField,
  hiddenField,
  listField,
  passwordField,
  textField,
  wholeNumberField,
} from './fields.ts';

const name = textField({ label: 'Name', required: 'Enter a name', maxLength: 5 });

test('a missing text gets the message of required', () => {
  for (const typed of ['', ' ', '\t\r\n', '\u00a0', '\ufeff']) {
    assert.deepEqual(name.parse(typed), problem('Enter a name'));
  }
  assert.equal(name.required, true);
});

test('a text without required is optional', () => {
  const note = textField({ label: 'Note', maxLength: 5, minLength: 2 });
  assert.equal(note.required, false);
  assert.deepEqual(note.parse('  '), ok(''));
});

test('a text has at most maxLength characters', () => {
  for (const character of ['a', 'é', '日', '🎉']) {
    assert.deepEqual(name.parse(character.repeat(4)), ok(character.repeat(4)));
    assert.deepEqual(name.parse(character.repeat(5)), ok(character.repeat(5)));
    assert.deepEqual(name.parse(character.repeat(6)), problem('Name must be 5 characters or less'));
  }
});

test('a text has at least minLength characters', () => {
  const username = textField({
    label: 'Username',
    required: 'Enter it',
    minLength: 3,
    maxLength: 5,
  });
  assert.deepEqual(username.parse('🎉🎉'), problem('Username must be 3 characters or more'));
  assert.deepEqual(username.parse('abc'), ok('abc'));
  assert.deepEqual(username.parse('abcd'), ok('abcd'));
});

test('white space around a text is trimmed', () => {
  assert.deepEqual(name.parse('  a bcd \n'), ok('a bcd'));
});

test('text is normalised to NFC before it is counted', () => {
  assert.deepEqual(name.parse('e\u0301'.repeat(5)), ok('\u00e9'.repeat(5)));
});

test('every line end becomes LF, and counts as one character', () => {
  const lines = textField({ label: 'Lines', maxLength: 5, multiline: true });
  assert.deepEqual(lines.parse('a\r\nb\rc'), ok('a\nb\nc'));
});

test('a large limit is written with thousands separators', () => {
  const description = textField({ label: 'Description', maxLength: 10_000, multiline: true });
  assert.deepEqual(description.parse('x'.repeat(10_000)), ok('x'.repeat(10_000)));
  assert.deepEqual(
    description.parse('x'.repeat(10_001)),
    problem('Description must be 10,000 characters or less'),
  );
  assert.equal(description.control, 'multiline');
  assert.equal(name.control, 'text');
});

test('a text that does not match the pattern gets the message of the pattern', () => {
  const message = 'Username must be letters and digits';
  const pattern = { matches: /^[a-z0-9]+$/, message };
  const username = textField({ label: 'Username', maxLength: 9, pattern });
  assert.deepEqual(username.parse('ada2'), ok('ada2'));
  assert.deepEqual(username.parse('ada lovelace'.slice(0, 9)), problem(message));
  assert.deepEqual(username.parse(''), ok(''));
});

const quantity = wholeNumberField({
  label: 'Quantity',
  min: 0,
  max: 1_000_000,
  default: 1,
});

test('a whole number is read, with its sign and its zeros', () => {
  const numbers = { 0: 0, 7: 7, ' 42 ': 42, '+5': 5, '007': 7, '1000000': 1_000_000, '-0': 0 };
  for (const [typed, value] of Object.entries(numbers)) {
    assert.deepEqual(quantity.parse(typed), ok(value), typed);
  }
});

test('an empty whole number has its default, or an error if it is required', () => {
  assert.deepEqual(quantity.parse(' '), ok(1));
  assert.equal(quantity.required, false);
  const options = { label: 'Amount', min: 1, max: 9, default: 1, required: 'Enter an amount' };
  const amount = wholeNumberField(options);
  assert.deepEqual(amount.parse(' '), problem('Enter an amount'));
  assert.equal(amount.required, true);
  assert.equal(amount.default, '1');
});

test('text that is not a whole number gets a message with an example', () => {
  for (const typed of [
    'x',
    '1.5',
    '1e3',
    '0x10',
    '1,00',
    '1.000',
    '1 000',
    '--1',
    '+',
    'NaN',
    '∞',
  ]) {
    assert.deepEqual(
      quantity.parse(typed),
      problem('Quantity must be a whole number, like 3'),
      typed,
    );
  }
});

test('a number out of range gets a message with the range', () => {
  for (const typed of ['-1', '1000001', '9'.repeat(400), `-${'9'.repeat(400)}`]) {
    assert.deepEqual(quantity.parse(typed), problem('Quantity must be between 0 and 1,000,000'));
  }
});

test('a number that is no amount, such as a year, is written without separators', () => {
  const options = { label: 'Year', min: 1_900, max: 2_100, default: null };
  const year = wholeNumberField({ ...options, grouping: false });
  assert.deepEqual(year.parse('1066'), problem('Year must be between 1900 and 2100'));
  assert.deepEqual(
    wholeNumberField(options).parse('1066'),
    problem('Year must be between 1,900 and 2,100'),
  );
  assert.deepEqual(year.parse('2026'), ok(2_026));
  // What a form and a list show.
  assert.equal(year.toText(2_026), '2026');
  assert.equal(year.show('2026'), '2026');
  const message = year.parse('1066', { language: createLanguage({ ...english, code: 'ar-EG' }) });
  assert.deepEqual(message, problem('Year must be between ١٩٠٠ and ٢١٠٠'));
});

test('a number without a default may be left empty', () => {
  const minimum = wholeNumberField({ label: 'Minimum', min: 1, max: 9, default: null });
  assert.deepEqual(minimum.parse(' '), ok(null));
  assert.deepEqual(minimum.parse('3'), ok(3));
  assert.deepEqual(minimum.parse('0'), problem('Minimum must be between 1 and 9'));
  assert.equal(minimum.default, '');
});

const tags = listField({ label: 'Tags', entry: 'Tag', maxEntryLength: 4, maxEntries: 3 });

test('a list is split at its commas, trimmed, without empty entries', () => {
  assert.deepEqual(tags.parse(' a b,, c ,\t, d'), ok(['a b', 'c', 'd']));
  assert.deepEqual(tags.parse(' , ,'), ok([]));
  assert.deepEqual(tags.parse(''), ok([]));
});

test('a repeated entry counts once, also in another Unicode normal form', () => {
  assert.deepEqual(tags.parse('a,\u00e9,a,e\u0301,b,a'), ok(['a', '\u00e9', 'b']));
  assert.deepEqual(tags.parse('a,A'), ok(['a', 'A']));
});

test('a list has at most maxEntries entries', () => {
  assert.deepEqual(tags.parse('a,b'), ok(['a', 'b']));
  assert.deepEqual(tags.parse('a,b,c'), ok(['a', 'b', 'c']));
  assert.deepEqual(tags.parse('a,b,c,d'), problem('Tags must be 3 or fewer'));
});

test('an entry has at most maxEntryLength characters, and the message quotes a longer one', () => {
  assert.deepEqual(tags.parse('abc,🎉🎉🎉🎉'), ok(['abc', '🎉🎉🎉🎉']));
  assert.deepEqual(
    tags.parse('a,🎉🎉🎉🎉🎉'),
    problem('Tag “🎉🎉🎉🎉🎉” must be 4 characters or less'),
  );
  assert.deepEqual(
    tags.parse('🎉'.repeat(21)),
    problem(`Tag “${'🎉'.repeat(20)}…” must be 4 characters or less`),
  );
});

const password = passwordField({
  label: 'Password',
  required: 'Enter it',
  minLength: 3,
  maxLength: 5,
});

test('a password is neither trimmed nor normalized', () => {
  for (const typed of [' a ', 'e\u0301\r\n', '   ', '\ufeff\u00a0x', 'a\0b']) {
    assert.deepEqual(password.parse(typed), ok(typed));
  }
});

test('the limits of a password are in characters', () => {
  assert.deepEqual(password.parse(''), problem('Enter it'));
  assert.deepEqual(password.parse('🎉🎉'), problem('Password must be 3 characters or more'));
  assert.deepEqual(password.parse('🎉🎉🎉'), ok('🎉🎉🎉'));
  assert.deepEqual(password.parse('🎉'.repeat(5)), ok('🎉'.repeat(5)));
  assert.deepEqual(
    password.parse('🎉'.repeat(6)),
    problem('Password must be 5 characters or less'),
  );
});

test('a checkbox is ticked when it was sent with any value', () => {
  const box = checkboxField({ label: 'Stay logged in' });
  assert.deepEqual(box.parse('on'), ok(true));
  assert.deepEqual(box.parse(''), ok(false));
  assert.equal(box.required, false);
});

test('a hidden field is not changed', () => {
  assert.deepEqual(hiddenField().parse(' /items?q=e\u0301 '), ok(' /items?q=e\u0301 '));
});

test('text with many marks on one letter is not normalized, and parsed without delay', () => {
  const heap = `a${'\u0315\u0316'.repeat(250_000)}`;
  const field = textField({ label: 'Text', maxLength: 1_000_000 });
  // Normalizing it would take minutes, and the test would time out.
  assert.deepEqual(field.parse(heap), ok(heap));
  assert.deepEqual(field.parse('e\u0301'), ok('\u00e9'));
});

test('a list of a hundred thousand commas is refused without being split', () => {
  const field = listField({ label: 'Tags', entry: 'Tag', maxEntryLength: 40, maxEntries: 20 });
  assert.deepEqual(field.parse(','.repeat(100_001)), problem('Tags must be 20 or fewer'));
});

test('a list with a key has each entry once, as the first is spelled', () => {
  const keyOf = (tag: string) => tag.toLowerCase();
  const field = listField({ label: 'Tags', entry: 'Tag', maxEntryLength: 9, maxEntries: 2, keyOf });
  const value = ['green', 'Red'];
  assert.deepEqual(field.parse('green, Red, GREEN, Green, red'), { ok: true, value });
});

test('the limits of a field are data', () => {
  const note = textField({ label: 'Note', maxLength: 9 });
  const username = textField({ label: 'Username', required: 'x', minLength: 3, maxLength: 40 });
  assert.deepEqual(
    [name, note, username, password, quantity, tags, checkboxField({ label: 'X' })].map(
      ({ limits }) => limits,
    ),
    [
      { minLength: 1, maxLength: 5 },
      { minLength: 0, maxLength: 9 },
      { minLength: 3, maxLength: 40 },
      { minLength: 3, maxLength: 5 },
      { min: 0, max: 1_000_000 },
      { maxEntries: 3, maxEntryLength: 4 },
      {},
    ],
  );
});

test('the text of a value is read as the same value', () => {
  const count = wholeNumberField({ label: 'Count', min: 0, max: 9, default: 1 });
  const tags = listField({ label: 'Tags', entry: 'Tag', maxEntryLength: 9, maxEntries: 9 });
  const box = checkboxField({ label: 'Box' });
  assert.deepEqual([count.toText(1), count.toText(0)], ['1', '0']);
  assert.equal(tags.toText(['a', 'b']), 'a, b');
  assert.deepEqual([box.toText(true), box.toText(false)], ['on', '']);
  assert.equal(name.toText('Ada'), 'Ada');
});
