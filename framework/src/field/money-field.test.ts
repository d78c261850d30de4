import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { blankForm, defineForm } from '../form/define-form.ts';
import { formField } from '../form/form-markup.ts';
import { english } from '../language/english.ts';
import { french } from '../language/french.ts';
import { german } from '../language/german.ts';
import { createLanguage } from '../language/language.ts';
import { ok, problem } from './field.ts';
import { type Money, moneyField } from './money-field.ts';
import { rangeField } from './number-fields.ts';

const arabic = createLanguage({ ...english, code: 'ar-EG' });
const LANGUAGES = [english, german, french, arabic].map((language) => ({ language }));

test('money is in minor units, as many as its currency has', () => {
  for (const [currency, typed, amount] of [
    ['EUR', '19.99', 1_999],
    ['EUR', '19', 1_900],
    ['JPY', '1,999', 1_999],
    ['KWD', '19.999', 19_999],
  ] as const)
    assert.deepEqual(
      moneyField({ label: 'Price', currency }).parse(typed),
      ok({ amount, currency }),
    );
  const yen = moneyField({ label: 'Price', currency: 'JPY' });
  assert.deepEqual(yen.parse('19.99'), problem('Price must be an amount, like 1,250'));
  const euros = moneyField({ label: 'Price', currency: 'EUR' });
  assert.deepEqual(
    euros.parse('1.234,50 €', { language: german }),
    ok({ amount: 123_450, currency: 'EUR' }),
  );
  assert.deepEqual(euros.parse('9'.repeat(17)), problem('Price must be an amount, like 12.50'));
});

test('money is shown with its currency, and a slider as the language writes numbers', () => {
  const price = moneyField({ label: 'Price', currency: ['EUR', 'JPY'] });
  assert.equal(price.show('1.234,50 EUR', { language: german }), '1.234,50\u00a0€');
  assert.equal(price.show('1250 JPY', { language: english }), '¥1,250');
  assert.equal(price.show('', { language: english }), '');
  const height = rangeField({ label: 'Height', min: 0, max: 9, step: 0.5 });
  assert.equal(height.show('2.5', { language: german }), '2,5');
});

test('the limits of money are minor units, and the message shows them as money', () => {
  const price = moneyField({ label: 'Price', currency: 'EUR', min: 100, max: 99_999 });
  assert.deepEqual(price.parse('0.99'), problem('Price must be between €1.00 and €999.99'));
  assert.deepEqual(
    moneyField({ label: 'Price', currency: 'EUR' }).parse('-1'),
    problem('Price must be €0.00 or more'),
  );
  const debt = moneyField({ label: 'Debt', currency: 'EUR', min: -500, max: 0 });
  assert.deepEqual(debt.parse('-5'), ok({ amount: -500, currency: 'EUR' }));
});

test('the currency can be chosen, and only one of those that are offered', () => {
  const price = moneyField({ label: 'Price', currency: ['EUR', 'JPY'], default: 100 });
  const { inputs } = price;
  assert.equal(price.default, '1.00 EUR');
  assert.deepEqual(
    price.parse(inputs?.join(['5', 'JPY']) ?? ''),
    ok({ amount: 5, currency: 'JPY' }),
  );
  assert.deepEqual(price.parse(inputs?.join(['', 'JPY']) ?? ''), ok(null));
  assert.deepEqual(inputs?.split(inputs.join(['', 'JPY'])), ['', 'JPY']);
  assert.deepEqual(
    price.parse(inputs?.join(['5', 'USD']) ?? ''),
    problem('Price must be an amount, like 12.50'),
  );
  const parsed = price.parse('1 EUR');
  // @ts-expect-error the currency is one of those of the field
  if ('ok' in parsed && parsed.ok && parsed.value?.currency === 'USD') assert.fail();
});

test('money is shown as each language writes it, and read as the same value', () => {
  const currencies = ['EUR', 'JPY', 'KWD', 'USD'] as const;
  const field = moneyField({ label: 'Price', currency: currencies, min: -Number.MAX_SAFE_INTEGER });
  const amounts = fc.maxSafeInteger();
  fc.assert(
    fc.property(amounts, fc.constantFrom(...currencies), (amount, currency) => {
      for (const given of LANGUAGES) {
        const money: Money<typeof currency> = { amount, currency };
        const alone = moneyField({ label: 'Price', currency, min: -Number.MAX_SAFE_INTEGER });
        assert.deepEqual(field.parse(field.toText(money, given), given), ok(money));
        assert.deepEqual(alone.parse(alone.toText(money, given), given), ok(money));
      }
    }),
  );
});

test('the currency stands beside the amount, or can be chosen', () => {
  const form = blankForm(
    defineForm({
      fee: moneyField({ label: 'Fee', currency: 'EUR', required: 'Enter a fee' }),
      price: moneyField({ label: 'Price', currency: ['EUR', 'JPY'] }),
    }),
    { price: '12 JPY' },
  );
  const { markup } = formField(form, 'fee');
  assert.match(markup, /<label for="fee">Fee<\/label>/);
  assert.match(
    markup,
    /<span class="unit" aria-hidden="true">&#8364;<\/span><input type="text" id="fee" name="fee" value="" inputmode="decimal">/,
  );
  const price = formField(form, 'price').markup;
  assert.match(price, /<fieldset class="field money"/);
  assert.match(
    price,
    /<label for="price">Amount<\/label>\s*<input type="text" inputmode="decimal" id="price" name="price\.amount" value="12">/,
  );
  assert.match(
    price,
    /<select id="price-currency" name="price\.currency">\s*<option value="EUR">EUR<\/option>\s*<option value="JPY" selected>/,
  );
});
