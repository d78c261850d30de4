/** Reading and drawing a form take linear time in its length, whatever it contains. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { dateField, monthField } from '../field/date-field.ts';
import { dateTimeField } from '../field/date-time-field.ts';
import { durationField } from '../field/duration-field.ts';
import { listField, textField, wholeNumberField } from '../field/fields.ts';
import { moneyField } from '../field/money-field.ts';
import { decimalField, rangeField } from '../field/number-fields.ts';
import { colorField, emailField, telephoneField, urlField } from '../field/text-fields.ts';
import { timeField } from '../field/time-field.ts';
import { empty } from '../http/response.ts';
import { parseUrlencoded } from '../http/urlencoded.ts';
import { createRouter } from '../router/router.ts';
import { assertCost } from '../testing/cost-ratio.ts';
import { post } from '../testing/make-request.ts';
import { blankForm, defineForm } from './define-form.ts';
import { rows } from './field-set.ts';
import { formField } from './form-markup.ts';
import { readForm } from './read-form.ts';

const form = defineForm({
  name: textField({ label: 'Name', maxLength: 120 }),
  tags: listField({ label: 'Tags', entry: 'Tag', maxEntryLength: 40, maxEntries: 20 }),
});

const kinds = defineForm({
  date: dateField({ label: 'Date' }),
  parts: dateField({ label: 'Parts', as: 'parts' }),
  month: monthField({ label: 'Month' }),
  time: timeField({ label: 'Time' }),
  zoned: dateTimeField({ label: 'Zoned', zone: ['UTC', 'Europe/Berlin'] }),
  duration: durationField({ label: 'Duration' }),
  decimal: decimalField({ label: 'Decimal', min: 0, max: 10, step: 0.1 }),
  money: moneyField({ label: 'Money', currency: ['EUR', 'JPY'] }),
  range: rangeField({ label: 'Range', min: 0, max: 10 }),
  email: emailField({ label: 'Email', maxLength: 10_000_000 }),
  url: urlField({ label: 'Site', maxLength: 10_000_000 }),
  telephone: telephoneField({ label: 'Phone', maxLength: 10_000_000 }),
  colour: colorField({ label: 'Colour' }),
});

/** Reads the body; resolves to the status of the answer, 400 if it has too many fields. */
async function read(body: string, definition: typeof form | typeof kinds = form): Promise<number> {
  const reading = readForm(definition as typeof form, { limit: 9_000_000 });
  const router = createRouter().post('/', reading, () => empty());
  return Promise.resolve(router.handle(post('/', body))).then(
    ({ status }) => status,
    ({ status }) => status,
  );
}

const SIZE = 65_536;
const BODIES: Readonly<Record<string, (size: number) => string>> = {
  'empty fields': (size) => 'a=&'.repeat(size / 3),
  ampersands: (size) => '&'.repeat(size),
  'equals signs': (size) => '='.repeat(size),
  'one long name': (size) => 'k'.repeat(size),
  'an escaped name': (size) => `${'%61'.repeat(size / 3)}=`,
  'percent signs': (size) => `name=${'%'.repeat(size)}`,
  'not UTF-8': (size) => `name=${'%ff'.repeat(size / 3)}`,
  commas: (size) => `tags=${','.repeat(size)}`,
  'white space': (size) => `name=x${'+'.repeat(size)}x`,
  'line ends': (size) => `name=${'%0d'.repeat(size / 3)}`,
  marks: (size) => `name=x${'%cc%81'.repeat(size / 6)}`,
};

for (const [name, make] of Object.entries(BODIES))
  test(`the cost is linear for ${name}`, async () => {
    const [small, large] = [make(SIZE), make(16 * SIZE)];
    // 16 for linear time, 256 for quadratic time.
    await assertCost(80, 0.1, read, small, large);
  });

test('fields that are not UTF-8 cost about as much as others', async () => {
  const fields = (value: string) => Buffer.from(`a=${value}&`.repeat(5_000));
  const [valid, invalid] = [fields('%41'), fields('%ff')];
  // 2, and 8 with an error for each.
  await assertCost(4, 0.02, (body) => parseUrlencoded(body, 5_000), valid, invalid);
});

for (const piece of ['1', '-', '.', '+', 'a', 'a.', '@', ':', '[', '1:', '-a', '%2C1'])
  test(`the cost is linear for each kind of field with ${piece}`, async () => {
    const names = [...kinds.names, 'parts.year', 'parts.day', 'money.amount', 'zoned.zone'];
    const body = (size: number) =>
      names
        .map((name) => `${name}=1${piece.repeat(size / names.length / piece.length)}x`)
        .join('&');
    const [small, large] = [body(SIZE / 2), body(8 * SIZE)];
    // 16 for linear time, 256 for quadratic time.
    await assertCost(80, 0.1, (body) => read(body, kinds), small, large);
  });

test('many pluses cost about as much as other text', async () => {
  const body = (piece: string) => `name=${piece.repeat(1_000_000)}`;
  const [plain, pluses] = [body('x'), body('+')];
  await assertCost(20, 0.2, read, plain, pluses);
});

test('200 field names that collide in a hash table cost no more than other names', async () => {
  const body = (name: (index: number) => number | string) =>
    Array.from({ length: 200 }, (_, index) => `${name(index)}=`).join('&');
  const benign = body((index) => `field${index}`);
  const names = {
    'like an index': (index: number) => index,
    'with equal low bits': (index: number) => index * 65_536,
    'near the largest index': (index: number) => 4_294_967_294 - index,
  };
  for (const [kind, name] of Object.entries(names)) {
    const hostile = body(name);
    assert.equal(await read(hostile), 204, kind);
    await assertCost(10, 0.05, read, benign, hostile, kind);
  }
});

test('the cost of drawing rows is linear, also if each has an error and a text that is cut', async () => {
  const count = wholeNumberField({ label: 'Count', min: 0, max: 9, default: null });
  const list = rows({ label: 'Rows', name: 'Row', fields: { one: count, two: count }, max: 1_000 });
  const many = defineForm({ list });
  const draw = (length: number) => {
    const text = 'x'.repeat(1_000);
    const filled = blankForm(many, { list: Array(length).fill({ one: text, two: text }) });
    const errors = Array.from({ length }, (_, at) => ({
      field: `list.${at}.two` as const,
      message: 'Enter a number',
    }));
    return () => formField({ ...filled, errors }, 'list');
  };
  await assertCost(80, 0.1, (drawn) => drawn(), draw(60), draw(960));
});
