import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { blankForm, defineForm } from '../form/define-form.ts';
import { formField } from '../form/form-markup.ts';
import { english } from '../language/english.ts';
import { french } from '../language/french.ts';
import { german } from '../language/german.ts';
import { createLanguage } from '../language/language.ts';
import type { PlainDate } from '../language/plain-date.ts';
import { dateField, monthField } from './date-field.ts';
import { dateTimeField } from './date-time-field.ts';
import { durationField } from './duration-field.ts';
import { type AnyField, ok, problem } from './field.ts';
import { timeField } from './time-field.ts';

const arabic = createLanguage({ ...english, code: 'ar-EG' });
const LANGUAGES = [english, german, french, arabic].map((language) => ({ language }));
const inGerman = { language: german };

/** The text of the inputs, as a form joins it. */
const typed = (field: ReturnType<typeof dateField>, ...texts: readonly string[]) =>
  field.inputs?.join(texts) ?? assert.fail('the field has no inputs');

const start = dateField({ label: 'Start' });

test('a date is read as ISO 8601 and as the language writes it', () => {
  assert.deepEqual(start.parse('2026-11-23'), ok('2026-11-23'));
  assert.deepEqual(start.parse('11/23/2026'), ok('2026-11-23'));
  assert.deepEqual(start.parse('23.11.2026', inGerman), ok('2026-11-23'));
  assert.deepEqual(start.parse(''), ok(null));
  const refused = problem('Start must be a date, like 11/23/2026');
  for (const text of ['tomorrow', '2026-11', '20261123', '2026-11-23T00:00', '2/30/2026'])
    assert.deepEqual(start.parse(text), refused, text);
});

test('only dates that exist are accepted, from year 1 to 9999', () => {
  for (const text of ['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])
    assert.deepEqual(start.parse(text), ok(text));
  const refused = problem('Start must be a real date');
  for (const text of [
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '0000-01-01',
  ])
    assert.deepEqual(start.parse(text), refused, text);
});

test('the limits of a date are inclusive, and a function gives one that changes', () => {
  let today = '2026-11-23';
  const due = dateField({ label: 'Due', min: () => today, max: '2026-12-31' });
  assert.deepEqual(due.parse('2026-11-23'), ok('2026-11-23'));
  assert.deepEqual(due.parse('2026-12-31'), ok('2026-12-31'));
  today = '2026-11-24';
  assert.deepEqual(
    due.parse('2026-11-23'),
    problem('Due must be between November 24, 2026 and December 31, 2026'),
  );
  const from = dateField({ label: 'Due', min: '2026-11-23' });
  assert.deepEqual(from.parse('2026-11-22'), problem('Due must be November 23, 2026 or later'));
  const until = dateField({ label: 'Due', max: '2026-11-23' });
  assert.deepEqual(
    until.parse('2026-11-24', inGerman),
    problem('„Due“ darf nicht nach 23. November 2026 liegen'),
  );
  assert.throws(
    () => dateField({ label: 'Due', min: '2026-02-30' }),
    /Cannot pass "[^"]*" to dateField as min/,
  );
});

const birth = dateField({
  label: 'Date of birth',
  as: 'parts',
  required: 'Enter your date of birth',
});

test('the parts of a date may have a month by name and short numbers', () => {
  assert.deepEqual(birth.parse(typed(birth, '1998', '3', '7')), ok('1998-03-07'));
  assert.deepEqual(birth.parse(typed(birth, '1998', ' Jan ', '07')), ok('1998-01-07'));
  assert.deepEqual(birth.parse(typed(birth, '1998', 'märz', '7'), inGerman), ok('1998-03-07'));
  assert.deepEqual(
    birth.parse(typed(birth, '١٩٩٨', '٣', '٧'), { language: arabic }),
    ok('1998-03-07'),
  );
  assert.deepEqual(
    birth.parse(typed(birth, '1998', 'Ju', '7')),
    problem('Date of birth must be a real date'),
  );
});

test('an error names the part of the date that is wrong', () => {
  for (const [parts, message] of [
    [['', ' ', ''], 'Enter your date of birth'],
    [['1998', '3', ''], 'Date of birth must include a day'],
    [['1998', '', ''], 'Date of birth must include a day and a month'],
    [['98', '3', '7'], 'Date of birth must have a year of 4 digits, like 2026'],
    [['abcd', '3', '7'], 'Date of birth must have a year of 4 digits, like 2026'],
    [['1998', '13', '7'], 'Date of birth must be a real date'],
    [['1998', '2', '30'], 'Date of birth must be a real date'],
    [['1998', '3', '7-1998'], 'Date of birth must be a real date'],
  ] as const)
    assert.deepEqual(birth.parse(typed(birth, ...parts)), problem(message), parts.join());
});

test('a month by its name is that month in every script, also in parts', () => {
  const month = monthField({ label: 'Month' });
  const named: readonly (readonly [string, readonly [string, string, string], string])[] = [
    ['hi', ['2026', 'जून', '15'], '2026-06-15'],
    ['hi', ['२०२६', 'जून', '१५'], '2026-06-15'],
    ['tr', ['2026', 'KASIM', '3'], '2026-11-03'],
    ['uk', ['2026', 'січня', '3'], '2026-01-03'],
    ['ja', ['２０２６', '11月', '３'], '2026-11-03'],
    ['de', ['2026', 'Mrz', '3'], '2026-03-03'],
    ['cs', ['2026', 'červen\u200b', '3'], '2026-06-03'],
  ];
  for (const [code, parts, date] of named) {
    const language = createLanguage({ ...english, code });
    const text = typed(birth, ...parts);
    assert.deepEqual(birth.parse(text, { language }), ok(date), `${code} ${parts}`);
    const whole = `${parts[1]} ${parts[0]}`;
    assert.deepEqual(month.parse(whole, { language }), ok(date.slice(0, 7)), whole);
  }
  const czech = createLanguage({ ...english, code: 'cs' });
  const refused = birth.parse(typed(birth, '2026', 'čer', '3'), { language: czech });
  assert.equal('ok' in refused && refused.ok, false, 'June or July');
});

test('what a message gives as an example is taken, in every language', () => {
  for (const code of 'ar bg cs de el en es eu fa fi fr he hi hu ja ko ku lt lv mn my ne pl pt ru th tr uk vi zh'.split(
    ' ',
  )) {
    const language = createLanguage({ ...english, code });
    const fields = [monthField({ label: 'X' }), dateField({ label: 'X' })];
    for (const field of fields) {
      const wrong = field.parse('~', { language }) as { readonly message: string };
      const example = wrong.message.split(', like ')[1] ?? assert.fail(wrong.message);
      const parsed = field.parse(example, { language }) as { readonly value?: string };
      assert.equal(parsed.value?.slice(0, 7), '2026-11', `${code} ${example}`);
    }
  }
});

test('what was typed into the parts is shown again, whatever it is', () => {
  const part = fc.string({ unit: 'grapheme-ascii', maxLength: 10 });
  fc.assert(
    fc.property(fc.array(part, { minLength: 3, maxLength: 3 }), (texts) => {
      const again = birth.inputs?.split(typed(birth, ...texts));
      assert.deepEqual(
        again?.map((text) => text.replaceAll('\u2010', '-')),
        texts.map((text) => text.trim()),
      );
    }),
  );
});

/** The fieldset of the date, with an error. */
function drawn(field: ReturnType<typeof dateField>, text: string, message: string | null): string {
  const definition = defineForm({ born: field });
  const errors = message === null ? [] : [{ field: 'born' as const, message }];
  return formField({ ...blankForm(definition, { born: text }), errors }, 'born').markup;
}

test('the parts stand in a fieldset, in the order of the language', () => {
  const markup = drawn(
    dateField({ label: 'Born', as: 'parts', hint: 'For example, 3 27 2007' }),
    '1998-3-7',
    null,
  );
  assert.match(markup, /^<fieldset class="field date" aria-describedby="born-hint">\n<legend>Born/);
  const inputs = [
    ...markup.matchAll(
      /<label for="([^"]*)">(\w+)<\/label>\s*<input type="text" inputmode="numeric" class="\w+" id="([^"]*)" name="([^"]*)" value="([^"]*)">/g,
    ),
  ];
  assert.deepEqual(
    inputs.map(([, target, label, id, name, value]) => [target === id, id, label, name, value]),
    [
      [true, 'born', 'Month', 'born.month', '3'],
      [true, 'born-day', 'Day', 'born.day', '7'],
      [true, 'born-year', 'Year', 'born.year', '1998'],
    ],
  );
});

test('the wrong part has the id that the error summary links to', () => {
  const ids = (text: string) => {
    const field = dateField({ label: 'Born', as: 'parts' });
    const inputs = drawn(field, text, 'Wrong').matchAll(
      /<input [^>]*id="([^"]*)" name="born\.(\w+)"([^>]*)>/g,
    );
    return [...inputs].flatMap(([, id, name, others]) =>
      others?.includes('aria-invalid="true"') ? [`${name}: ${id}`] : [],
    );
  };
  assert.deepEqual(ids('98-3-7'), ['year: born']);
  assert.deepEqual(ids('1998-3-'), ['day: born']);
  assert.deepEqual(ids('1998-13-7'), ['month: born']);
  const all = ['month: born', 'day: born-day', 'year: born-year'];
  assert.deepEqual(ids('1998-2-30'), all);
  assert.deepEqual(ids('1998-02-03'), all, 'a date that the application refused');
});

test('the parts of a birthday are filled by the browser', () => {
  const markup = drawn(
    dateField({ label: 'Born', as: 'parts', attributes: { autocomplete: 'bday' } }),
    '',
    null,
  );
  const tokens = [...markup.matchAll(/autocomplete="([^"]*)"/g)].map(([, token]) => token);
  assert.deepEqual(tokens, ['bday-month', 'bday-day', 'bday-year']);
});

test('a picker has the limits, and becomes a text where it could not show what was typed', () => {
  const field = dateField({ label: 'Born', min: '2026-01-01', max: () => '2026-12-31' });
  assert.match(
    drawn(field, '2026-05-01', null),
    /<input type="date" id="born" name="born" value="2026-05-01" min="2026-01-01" max="2026-12-31">/,
  );
  assert.match(
    drawn(field, 'May', 'Wrong'),
    /<input type="text" id="born" name="born" value="May" aria/,
  );
});

test('a month is read as ISO 8601, as numbers, and by its name', () => {
  const month = monthField({ label: 'Month', min: '2026-02' });
  for (const text of ['2026-11', '11/2026', '11.2026', 'November 2026', 'nov. 2026'])
    assert.deepEqual(month.parse(text), ok('2026-11'), text);
  assert.deepEqual(month.parse('März 2026', inGerman), ok('2026-03'));
  const refused = problem('Month must be a month, like November 2026');
  for (const text of ['2026', '2026-13', '13/2026', 'Foo 2026', '11/26', '2026-11-23'])
    assert.deepEqual(month.parse(text), refused, text);
  assert.deepEqual(month.parse('2026-01'), problem('Month must be February 2026 or later'));
  const parts = monthField({ label: 'Month', as: 'parts' });
  assert.deepEqual(parts.inputs?.names, ['year', 'month']);
  assert.deepEqual(parts.parse('2026-4'), ok('2026-04'));
  assert.deepEqual(parts.parse('2026-'), problem('Month must include a month'));
});

test('the text of a value is read as the same value in each language', () => {
  const date = fc.date({
    min: new Date('0001-01-01'),
    max: new Date('9999-12-31'),
    noInvalidDate: true,
  });
  const exact = timeField({ label: 'X', step: 1 });
  const fields = [dateField({ label: 'X' }), dateField({ label: 'X', as: 'parts' })];
  const months = [monthField({ label: 'X' }), monthField({ label: 'X', as: 'parts' })];
  const zoned = dateTimeField({ label: 'X', zone: ['Europe/Berlin', 'America/New_York'] });
  const lengths = [durationField({ label: 'X' }), durationField({ label: 'X', as: 'text' })];
  fc.assert(
    fc.property(date, fc.constantFrom('Europe/Berlin', 'America/New_York'), (day, zone) => {
      const text = day.toISOString();
      const same = (field: AnyField, sent: string) => {
        const parsed = field.parse(sent) as ReturnType<typeof ok>;
        assert.ok(parsed.ok, sent);
        for (const given of LANGUAGES)
          assert.deepEqual(field.parse(field.toText(parsed.value, given), given), parsed);
      };
      for (const field of fields) same(field, text.slice(0, 10));
      for (const field of months) same(field, text.slice(0, 7));
      same(exact, text.slice(11, 19));
      same(zoned, `${text.slice(0, 16)}[${zone}]`);
      for (const field of lengths) same(field, text.slice(11, 16));
    }),
  );
});

test('a date is a type of its own, and with required it is never null', () => {
  const field = dateField({ label: 'Start', required: 'Enter a date' });
  const parsed = field.parse('2026-11-23');
  assert.ok('ok' in parsed && parsed.ok);
  const date: PlainDate = parsed.value;
  assert.ok(date < '2026-11-24');
  // @ts-expect-error a text that no field has checked
  const other: PlainDate = '2026-11-23';
  assert.equal(other, date);
  const optional = start.parse('');
  assert.ok('ok' in optional && optional.ok);
  // @ts-expect-error it may be empty
  const never: PlainDate = optional.value;
  assert.equal(never, null);
});
