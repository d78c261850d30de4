import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { blankForm, defineForm } from '../form/define-form.ts';
import { formField } from '../form/form-markup.ts';
import { dateField } from './date-field.ts';
import { ok, problem } from './field.ts';
import { listField, textField, wholeNumberField } from './fields.ts';
import { moneyField } from './money-field.ts';
import { normalizeCode, normalizeLines, normalizeText } from './normalize-text.ts';
import { emailField, telephoneField, urlField } from './text-fields.ts';

const required = 'Enter a name';
const name = textField({ label: 'Name', required, maxLength: 100 });
const note = textField({ label: 'Note', required, maxLength: 100, multiline: true });
const tags = listField({ label: 'Tags', entry: 'Tag', maxEntryLength: 40, maxEntries: 20 });
const username = textField({ label: 'Username', maxLength: 40, code: true });

const BREAKS = ['\n', '\r\n', '\r', '\v', '\f', '\t', '\x85', '\u2028', '\u2029', ' \n \t '];

test('a text of one line has one line: a break and the spaces around it become one space', () => {
  for (const one of BREAKS) {
    assert.deepEqual(name.parse(`Drill${one}Bosch`), ok('Drill Bosch'), JSON.stringify(one));
    assert.deepEqual(name.parse(`${one}Säge${one}`), ok('Säge'), JSON.stringify(one));
    assert.deepEqual(tags.parse(`a${one}b, c`), ok(['a b', 'c']), JSON.stringify(one));
  }
  assert.deepEqual(name.parse('two  spaces\nstay'), ok('two  spaces stay'));
});

test('a text of several lines has line breaks and tabs', () => {
  assert.deepEqual(
    note.parse('a\r\nb\rc\u2028d\x85e\vf\fg\u2029h\ti'),
    ok('a\nb\nc\u2028d\x85e\nf\ng\u2029h\ti'),
  );
});

test('other control characters are removed, in one line and in several', () => {
  for (const field of [name, note]) {
    assert.deepEqual(field.parse('Drill\x1b[0m\x07'), ok('Drill[0m'));
    for (let code = 1; code < 0xa0; code++) {
      const control = String.fromCharCode(code);
      if (!/\p{Cc}/u.test(control) || /[\t-\r\x85]/.test(control)) continue;
      assert.deepEqual(field.parse(`a${control}b`), ok('ab'), `U+${code.toString(16)}`);
    }
  }
});

test('a text that shows nothing is empty', () => {
  const invisible = [
    '\u200b\u2060\u00ad\u2800\u3164\u200e\u202e\u200c\u200d\ufeff\u115f\u1160\uffa0\u034f\u180e',
    '\u061c\u2066\u2069\u3000\u00a0\ufe0f\ufff9\u{e0001}\u{e0100}\u17b4\x07\x85\u{1d159}\u2063',
  ].flatMap((text) => [...text]);
  for (const field of [name, note]) {
    for (const one of [...invisible, invisible.join(' '), invisible.join('')])
      assert.deepEqual(
        field.parse(one),
        problem(required),
        `U+${one.codePointAt(0)?.toString(16)}`,
      );
  }
  assert.deepEqual(tags.parse('a, \u200b, \u2800,b'), ok(['a', 'b']));
  for (const field of [dateField, emailField, urlField, telephoneField])
    assert.deepEqual(field({ label: 'X' }).parse('\u202a\u202c\u200d'), ok(null));
});

test('an input shows a text of two lines with a space, where a browser would join the words', () => {
  const form = blankForm(defineForm({ name }), { name: 'Drill\nBosch' });
  assert.match(formField(form, 'name').markup, / value="Drill Bosch"/);
});

test('joiners between letters, emoji and variation selectors stay', () => {
  const texts = [
    'علی\u200cرضا',
    'ක්\u200dෂ',
    '👩\u200d🔧',
    '❤\ufe0f',
    '葛\u{e0100}',
    'a\u200bb',
    '🏴\u{e0067}\u{e007f}',
  ];
  for (const typed of texts) assert.deepEqual(name.parse(typed), ok(typed), typed);
});

test('what is pasted around a number, a date or an address is removed', () => {
  const marks =
    '\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u200e\u200f\u200b\ufeff\u00ad\u061c\u2060';
  const around = (text: string) => [
    `${marks}${text}\u202c\u2069`,
    ...[...marks].flatMap((mark) => [mark + text, text + mark, `${mark} ${text} ${mark}`]),
    `\u200d${text}\u200c`,
  ];
  const number = wholeNumberField({ label: 'Number', min: 0, max: 1_000, default: null });
  const money = moneyField({ label: 'Price', currency: 'EUR' });
  const fields = [
    [number, '12', 12],
    [dateField({ label: 'Day' }), '2026-11-23', '2026-11-23'],
    [dateField({ label: 'Day', as: 'parts' }), '2026-11-23', '2026-11-23'],
    [money, '12.50', { amount: 1_250, currency: 'EUR' }],
    [telephoneField({ label: 'Phone' }), '+1 555 0100', '+1 555 0100'],
    [emailField({ label: 'Email' }), 'ada@example.org', 'ada@example.org'],
    [urlField({ label: 'Site' }), 'https://example.org/a', 'https://example.org/a'],
    [username, 'ada', 'ada'],
  ] as const;
  for (const [field, typed, value] of fields)
    for (const one of around(typed)) assert.deepEqual(field.parse(one), ok(value), toEscapes(one));
  assert.deepEqual(emailField({ label: 'Email' }).parse('a\u200b\u00adb@c.de'), ok('ab@c.de'));
  assert.deepEqual(username.parse('علی\u200cرضا'), ok('علی\u200cرضا'));
});

test('digits of all scripts and all dashes are those of numbers and telephone numbers', () => {
  const telephone = telephoneField({ label: 'Phone' });
  const numbers: Readonly<Record<string, string>> = {
    '+1\u2011555': '+1-555',
    '030 – 123456': '030 - 123456',
    '０３－１２３４－５６７８': '03-1234-5678',
    '０３ー１２３４': '03-1234',
    '＋４９（３０）１２３': '+49(30)123',
    '٠١٢٣٤٥٦٧': '01234567',
    '\u202a+98 ۹۱۲ ۳۴۵\u202c': '+98 912 345',
  };
  for (const [typed, value] of Object.entries(numbers))
    assert.deepEqual(telephone.parse(typed), ok(value), typed);
  const number = wholeNumberField({ label: 'Number', min: -1_000, max: 1_000, default: null });
  const values: Readonly<Record<string, number>> = {
    '１２': 12,
    '٣': 3,
    '۳': 3,
    '३': 3,
    '๓': 3,
    '\u{1d7d1}': 3,
    '−３': -3,
    '\u20113': -3,
    '–3': -3,
  };
  for (const [typed, value] of Object.entries(values))
    assert.deepEqual(number.parse(typed), ok(value), typed);
  assert.equal(number.parse('5²').valueOf() instanceof Promise, false);
  assert.deepEqual(number.parse('5²'), problem('Number must be a whole number, like 3'));
});

test('a normalized text stays as it is, and takes linear time', () => {
  const all = fc.string({ unit: 'binary', maxLength: 40 });
  const odd = fc.string({
    unit: fc.constantFrom(...' \t\n\r\x07\x85\u200b\u200d\u2028\u202eaä1'),
    maxLength: 20,
  });
  for (const normalize of [normalizeText, normalizeLines, normalizeCode]) {
    fc.assert(
      fc.property(fc.oneof(all, odd), (typed) => {
        const once = normalize(typed);
        assert.equal(normalize(once), once);
        const controls = once.match(/[\p{Cc}\u2028]/gu) ?? [];
        const allowed = normalize === normalizeLines ? ['\n', '\t', '\x85', '\u2028'] : [];
        assert.deepEqual(
          controls.filter((one) => !allowed.includes(one)),
          [],
        );
      }),
    );
    for (const one of [' ', '\n', '\u200d', '\u200b', ' \u200d', '\u2028 ', '\u0300a'])
      assert.ok(normalize(`a${one.repeat(200_000)}b`).length <= 1_400_002, JSON.stringify(one));
  }
});

function toEscapes(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[^ -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16)}`,
  );
}
