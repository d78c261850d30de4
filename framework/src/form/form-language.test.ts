import assert from 'node:assert/strict';
import test from 'node:test';
import * as v from 'valibot';
import { buttonField } from '../field/button-field.ts';
import { choiceField } from '../field/choice-field.ts';
import { checkboxField, textField, wholeNumberField } from '../field/fields.ts';
import { moneyField } from '../field/money-field.ts';
import { decimalField } from '../field/number-fields.ts';
import { english } from '../language/english.ts';
import { german } from '../language/german.ts';
import { createLanguage, type Language } from '../language/language.ts';
import { runReadForm } from '../testing/run-read-form.ts';
import { blankForm, defineForm, errorsOf, type FilledForm, type FormError } from './define-form.ts';
import { fieldGroup, rows } from './field-set.ts';
import { errorSummary, formField, formTag, formTitle } from './form-markup.ts';
import { missingTexts } from './missing-texts.ts';

const form = defineForm({
  name: textField({
    label: 'Your name',
    hint: 'As in your passport',
    required: 'Enter your name',
    maxLength: 1_200,
  }),
  people: wholeNumberField({ label: 'People', min: 1, max: 10_000, default: null }),
  price: decimalField({ label: 'Price', min: 0, max: 9_999, step: '0.01' }),
  colour: choiceField({
    label: 'Colour',
    choices: [{ value: 'red', label: 'Red', hint: 'As blood', group: 'Warm' }],
    as: 'radio',
  }),
  news: checkboxField({ label: 'News' }),
  address: fieldGroup({
    label: 'Address',
    fields: { street: textField({ label: 'Street', maxLength: 9 }) },
  }),
  guests: rows({
    label: 'Guests',
    name: 'Guest',
    max: 2,
    fields: { age: wholeNumberField({ label: 'Age', min: 0, max: 150, default: 0 }) },
  }),
  button: buttonField({ buttons: [{ value: 'send', label: 'Book now' }] }),
});

const texts = {
  'Your name': 'Ihr Name',
  'As in your passport': 'Wie im Reisepass',
  'Enter your name': 'Geben Sie Ihren Namen ein',
  People: 'Personen',
  Price: 'Preis',
  Colour: 'Farbe',
  Red: 'Rot',
  'As blood': 'Wie Blut',
  Warm: 'Warm',
  News: 'Neuigkeiten',
  Address: 'Anschrift',
  Street: 'Straße',
  Guests: 'Gäste',
  Guest: 'Gast',
  Age: 'Alter',
  'Book now': 'Jetzt buchen',
};
const ours = createLanguage({ ...german, texts });

const send = (body: Record<string, string>, language: Language) =>
  runReadForm(form, body, { language });

function draw(
  filled: FilledForm<typeof form.fields>,
  errors: readonly FormError<typeof form.fields>[] = [],
) {
  return form.names.map((name) => formField({ ...filled, errors }, name).markup).join('\n');
}

test('a form in German is drawn with the German texts of the framework and of the application', () => {
  const markup = draw(blankForm(form, {}, ours));
  const words = Object.entries(texts)
    .filter(([text]) => !text.startsWith('Enter'))
    .map(([, translated]) => translated);
  for (const word of [...words, 'Gast 1', 'Weitere hinzufügen', 'Entfernen', ' (Gast 1)'])
    assert.ok(markup.includes(word), word);
  for (const word of Object.keys(texts).filter((text) => text !== 'Warm'))
    assert.doesNotMatch(markup, new RegExp(`>${word}<|"${word}"`), word);
  assert.match(
    formTag(blankForm(form, {}, ours), draw(blankForm(form)) as never).markup,
    />Senden</,
  );
});

test('a form in German reads numbers as they are written there', async () => {
  const body = { name: 'Ada', people: '1.234', price: '1.234,50', 'guests.0': '' };
  const { validation } = await send(body, ours);
  assert.deepEqual(validation.valid && [validation.values.people, validation.values.price], [
    1_234,
    '1234.50',
  ]);
  const inEnglish = await send(body, english);
  assert.deepEqual(
    errorsOf(inEnglish.validation).map(({ field }) => field),
    ['people', 'price'],
  );
});

test('what stands in an empty form is written as the form reads it', async () => {
  const prices = defineForm({
    price: decimalField({ label: 'Price', min: 0, max: 9_999, step: '0.001', default: '1.125' }),
    extras: rows({
      label: 'Extras',
      name: 'Extra',
      max: 3,
      fields: { fee: moneyField({ label: 'Fee', currency: 'KWD', default: 1_125 }) },
    }),
  });
  const blank = blankForm(prices, {}, german);
  assert.deepEqual(blank.text, { price: '1,125', extras: [{ fee: '1,125' }] });
  const sent = { price: '1,125', 'extras.0': 'row', 'extras.0.fee': '1,125' };
  const { validation } = await runReadForm(prices, sent, { language: german });
  assert.deepEqual(validation.valid && validation.values, {
    price: '1.125',
    extras: [{ fee: { amount: 1_125, currency: 'KWD' } }],
  });
  const added = await runReadForm(prices, { ...sent, _change: 'add extras' }, { language: german });
  assert.deepEqual(added.form.text.extras, [{ fee: '1,125' }, { fee: '1,125' }]);
});

test('a refused form in German has German messages, with what the application says', async () => {
  const sent = {
    people: '12.000',
    price: 'x',
    colour: 'blue',
    'address.street': 'x'.repeat(10),
    'guests.0': 'row',
    'guests.0.age': '-1',
  };
  const { form: refused, validation } = await send(sent, ours);
  const errors = errorsOf(validation);
  assert.deepEqual(
    errors.map(({ row, message }) => `${row ?? ''}|${message}`),
    [
      '|Geben Sie Ihren Namen ein',
      '|„Personen“ muss zwischen 1 und 10.000 liegen',
      '|„Preis“ muss eine Zahl sein, zum Beispiel 4.999,50',
      '|Wählen Sie bei „Farbe“ neu: Ihre Auswahl ist nicht mehr verfügbar',
      '|„Straße“ darf höchstens 9 Zeichen lang sein',
      'Gast 1|„Alter“ muss zwischen 0 und 150 liegen',
    ],
  );
  const summary = errorSummary({ errors, language: ours })?.markup ?? '';
  assert.match(summary, /<h2>Es gibt ein Problem<\/h2>/);
  assert.match(summary, />Gast 1: &#8222;Alter&#8220; muss/);
  assert.equal(formTitle('Buchen', { errors, language: ours }), 'Fehler: Buchen');
  assert.match(
    draw(refused, errors),
    /<span class="visually-hidden">Fehler:<\/span> Geben Sie Ihren/,
  );
});

test('a message of a schema is looked up too', async () => {
  const schema = v.object({
    street: v.pipe(
      v.string(),
      v.check(() => false, 'Enter your name'),
    ),
  });
  const whole = defineForm({ street: textField({ label: 'Street', maxLength: 9 }) }, { schema });
  const { validation } = await runReadForm(whole, { street: 'x' }, { language: ours });
  assert.deepEqual(errorsOf(validation), [
    { field: 'street', message: 'Geben Sie Ihren Namen ein' },
  ]);
});

test('the texts that a language lacks are found', () => {
  assert.deepEqual(missingTexts(form, ours), []);
  const { Guest: _, 'As blood': __, 'Enter your name': ___, ...fewer } = texts;
  const language = createLanguage({ ...german, texts: fewer });
  assert.deepEqual(missingTexts(form, language), ['Enter your name', 'As blood', 'Guest']);
});
