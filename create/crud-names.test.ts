import assert from 'node:assert/strict';
import test from 'node:test';
import { runInNewContext } from 'node:vm';
import { parseFields, quote } from './crud-fields.js';
import { parseCrud } from './crud-names.js';

test('a field has a name, and by default its label and the kind text', () => {
  const fields = parseFields(
    'name, boughtOn:date, unit_price:money=USD!:Price: each, size:choice=S|M',
  );
  assert.deepEqual(
    fields.map(({ name, label, kind, detail, required }) => [
      ...[name, label, kind.maker, detail, required],
    ]),
    [
      ['name', 'Name', 'textField', '', true],
      ['boughtOn', 'Bought on', 'dateField', '', false],
      ['unit_price', 'Price: each', 'moneyField', 'USD', true],
      ['size', 'Size', 'choiceField', 'S|M', false],
    ],
  );
});

test('a field that cannot be one is refused with a sentence', () => {
  const refused: Readonly<Record<string, RegExp>> = {
    '': /^Cannot read the field "": write name:kind:label, with a name like price, boughtOn/,
    'Name:text': /^Cannot read the field "Name:text": write name:kind:label/,
    'name, my-size:text': /^Cannot read the field "my-size:text": write name:kind:label/,
    'name, __proto__': /^Cannot read the field "__proto__"/,
    'name, größe': /^Cannot read the field "größe"/,
    'name:string':
      /there is no kind "string"\. Choose text, multiline, number, .*, telephone, file\.$/,
    'name:toString': /there is no kind "toString"/,
    'name, size:choice': /^Cannot read the field "size:choice": write choice=new\|used\|broken\.$/,
    'name, at:datetime': /write datetime=Europe\/Berlin\.$/,
    'name, at:money=euro': /write money=USD\.$/,
    'name, at:date=now': /the kind date takes nothing behind "="\.$/,
    'price:money':
      /^Cannot use "price" as the first field: it names each one, .*, so its kind is text\.$/,
    'name, id:number': /^Cannot use the field "id": each table has a column of this name already\./,
    'name, deleted_at': /each table has a column of this name/,
    'name, boughtOn:date, bought_on:date': /^Cannot use the field "bought_on": there are two of/,
    'name, cover:file, removeCover': /^Cannot use the field "removeCover": there are two of/,
    'name, cover:file=png': /write file=\.pdf\|\.jpg\.$/,
    'name:text:two\nlines': /a label has one line of at most 200 characters\.$/,
  };
  for (const [fields, message] of Object.entries(refused))
    assert.throws(() => parseFields(fields), { message }, fields);
});

test('names of things become those of the folder, the table and the code', () => {
  const names = (plural: string, one: string) => {
    const { folder, table, all, codeOfAll, codeOfOne } = parseCrud(plural, one, 'name');
    return [folder, table, all, codeOfAll, codeOfOne];
  };
  assert.deepEqual(names('people', 'person'), ['people', 'people', 'people', 'People', 'Person']);
  assert.deepEqual(names('order-items', 'order item'), [
    ...['order-items', 'order_items', 'order items', 'OrderItems', 'OrderItem'],
  ]);
  // The type and the functions of one have another name than those of all, and than those of the framework.
  assert.deepEqual(names('sheep', 'sheep')[4], 'SheepEntry');
  assert.deepEqual(names('requests', 'request')[4], 'RequestEntry');
  assert.deepEqual(names('aufgaben', 'Prüfung')[4], 'Prufung');
  assert.deepEqual(names('things', '日本')[4], 'Entry');
});

test('a name that is no plural of small letters, or no word, is refused with a sentence', () => {
  for (const plural of ['', 'Books', 'my books', '../books', 'größen', '1st', '-x', 'a'.repeat(41)])
    assert.throws(() => parseCrud(plural, 'book', 'name'), {
      message: /^Cannot make a folder ".*": --crud takes the name of many things, in the small/,
    });
  for (const one of ['', 'it’s', '<b>', `\${x}`, 'a\nb'])
    assert.throws(() => parseCrud('books', one, 'name'), {
      message: /^Cannot call one of them ".*": --one takes words/s,
    });
});

test('text stands in the code as it was given', () => {
  for (const text of ["it's", '"', `it's "a"`, '\\', '\\\'"', `\`\${x}\``, '</script>', '\u2028'])
    assert.equal(runInNewContext(quote(text)), text);
});
