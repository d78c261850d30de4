/** Rows that are filled from cells of a spreadsheet, through all that a form goes through. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { choiceField, choicesField } from '../field/choice-field.ts';
import { dateField } from '../field/date-field.ts';
import { checkboxField, textField, wholeNumberField } from '../field/fields.ts';
import { decimalField } from '../field/number-fields.ts';
import { defineForm } from '../form/define-form.ts';
import { choiceGroup, fieldGroup, rows } from '../form/field-set.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import type { Response } from '../http/response.ts';
import { english } from '../language/english.ts';
import { french } from '../language/french.ts';
import { german } from '../language/german.ts';
import { createLanguage } from '../language/language.ts';
import { bodyText, createVisitor, hiddenFields } from '../testing/visitor.ts';
import { fileField } from '../upload/file-field.ts';
import { createSite } from './create-site.ts';
import { formPage } from './form-page.ts';
import { createMemoryStores } from './stores.ts';

const fields = {
  name: textField({ label: 'Name', required: 'Enter a name', maxLength: 80 }),
  age: wholeNumberField({ label: 'Age', min: 0, max: 150, default: null }),
};

interface Saved {
  readonly people: readonly unknown[];
}

function openSite({ max = 100, paste = true as Parameters<typeof rows>[0]['paste'] & {} } = {}) {
  const saved: Saved[] = [];
  const form = defineForm({
    title: textField({ label: 'Title', maxLength: 80 }),
    people: rows({ label: 'People', name: 'Person', fields, max, paste: paste as true }),
  });
  const site = createSite(createMemoryStores(), { log: false });
  formPage(site, '/', form, {
    button: 'Save',
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    send({ values }) {
      saved.push(values);
      return { path: localPath('/'), message: 'Saved' };
    },
  });
  return { visitor: createVisitor(site), saved };
}

const CELLS = '_cells_people';
const FILL = { _change: 'fill people' };

/** The texts of the fields of rows, in their order. */
function typedIn(answer: Response): readonly string[] {
  return [...bodyText(answer).matchAll(/name="people\.\d+\.(\w+)"[^>]*? value="([^"]*)"/g)].map(
    ([, name, text]) => `${name} ${text}`,
  );
}

function saidOf(answer: Response): readonly string[] {
  const [, notice = ''] = /<div class="notice"[^>]*>([\s\S]*?)<\/div>/.exec(bodyText(answer)) ?? [];
  return [...notice.matchAll(/<p>(.*?)<\/p>/g)].map(([, text = '']) => text);
}

function errorsIn(answer: Response): readonly string[] {
  const [, summary = ''] =
    /<div class="error-summary"[^>]*>([\s\S]*?)<\/div>/.exec(bodyText(answer)) ?? [];
  return [...summary.matchAll(/<li>(?:<a href="#([^"]*)">)?(.*?)(?:<\/a>)?<\/li>/g)].map(
    ([, field, text]) => `${field}: ${text}`,
  );
}

test('pasted cells become rows with their errors, and nothing is carried out', async () => {
  const { visitor, saved } = openSite();
  const page = await visitor.get('/');
  assert.match(bodyText(page), /<details class="paste">\n<summary>Fill in from a spreadsheet/);
  const sent = { title: 'Trip', 'people.0': 'row', 'people.0.name': '', 'people.0.age': '' };
  const cells = 'Age\tName\tShoes\n36\tAda\t\nold\tBob\t42\n\t\t\n';
  const filled = await visitor.submit(page, { ...sent, [CELLS]: cells, ...FILL });
  assert.equal(filled.status, 200);
  assert.deepEqual(typedIn(filled), ['name Ada', 'age 36', 'name Bob', 'age old']);
  assert.deepEqual(saidOf(filled), [
    '2 rows were added. 1 cell needs a look.',
    'No field is called like these columns, which were left out: “Shoes”.',
  ]);
  assert.deepEqual(errorsIn(filled), [
    'people.1.age: Person 2: age must be a whole number, like 3',
  ]);
  const text = bodyText(filled);
  assert.match(text, /value="Trip"/);
  assert.equal(text.split(' autofocus').length, 2);
  assert.match(text, /<div class="notice" role="status" tabindex="-1" autofocus>/);
  assert.match(text, /<details class="paste">[\s\S]*<textarea [^>]*>\n<\/textarea>/);
  assert.deepEqual(saved, []);
  const right = { title: 'Trip', 'people.0.name': 'Ada', 'people.0.age': '36' };
  const done = await visitor.submit(filled, {
    ...right,
    'people.1.name': 'Bob',
    'people.1.age': '41',
    [CELLS]: '',
  });
  assert.equal(done.status, 303);
  const people = [
    { name: 'Ada', age: 36 },
    { name: 'Bob', age: 41 },
  ];
  assert.deepEqual(saved, [{ title: 'Trip', people }]);
});

test('only cells that were pasted need a look: not a file that each row still lacks', async () => {
  const form = defineForm({
    people: rows({
      label: 'People',
      name: 'Person',
      fields: {
        ...fields,
        pass: fileField({ label: 'Pass', required: 'Choose the pass', maxSize: 999 }),
      },
      max: 9,
      paste: true,
    }),
  });
  const site = createSite(createMemoryStores(), { log: false });
  formPage(site, '/', form, {
    button: 'Save',
    show: ({ formHtml }) => formHtml,
    send: () => localPath('/'),
  });
  const visitor = createVisitor(site);
  const pasted = (cells: string) => visitor.submit('/', { [CELLS]: cells, ...FILL });
  assert.deepEqual(saidOf(await pasted('Name\tAge\nAda\t36\nBob\t41')), ['2 rows were added.']);
  assert.equal(
    saidOf(await pasted('Name\tAge\nAda\told\nBob\t41'))[0],
    '2 rows were added. 1 cell needs a look.',
  );
});

test('a form that is sent with cells in it is filled, and not carried out', async () => {
  const { visitor, saved } = openSite();
  const fields = { 'people.0.name': 'Eve', 'people.0.age': '', [CELLS]: 'Name,Age\nAda,36' };
  const filled = await visitor.submit('/', fields);
  assert.equal(filled.status, 200);
  assert.deepEqual(typedIn(filled), ['name Eve', 'age ', 'name Ada', 'age 36']);
  assert.deepEqual(saved, []);
});

test('another button keeps the cells', async () => {
  const { visitor } = openSite();
  const added = await visitor.submit('/', {
    [CELLS]: 'Name\tAge\n"a\nb"\t1',
    _change: 'add people',
  });
  assert.match(
    bodyText(added),
    /<details class="paste" open>[\s\S]*>\nName\tAge\n&quot;a\nb&quot;\t1</,
  );
});

test('rows without a place stay in the field of the cells, under their headings', async () => {
  const { visitor, saved } = openSite({ max: 3 });
  const cells = 'Staff\nName;Age\nAda;1\n"B\nob";2\nCid;3\nDan;4\n"E\nve";5';
  const filled = await visitor.submit('/', { [CELLS]: cells, ...FILL });
  assert.deepEqual(typedIn(filled).length, 6);
  assert.deepEqual(saidOf(filled), [
    '3 rows were added.',
    'The headings are on line 2. What stands above them was left out: “Staff”.',
  ]);
  const left =
    'There is no space for 2 more rows. Empty “Paste cells from a spreadsheet” to leave out what is still in it';
  assert.deepEqual(errorsIn(filled), [`${CELLS}: ${left}`]);
  const kept = 'Staff\nName;Age\nDan;4\n&quot;E\nve&quot;;5';
  assert.ok(bodyText(filled).includes(`>\n${kept}</textarea>`));
  const rest = kept.replaceAll('&quot;', '"');
  const rowsOf = { 'people.0.name': 'Ada', 'people.1.name': 'Bob', 'people.2.name': 'Cid' };
  const again = await visitor.submit(filled, { ...rowsOf, [CELLS]: rest });
  assert.deepEqual([again.status, errorsIn(again)], [200, [`${CELLS}: ${left}`]]);
  assert.equal((await visitor.submit(again, { ...rowsOf, [CELLS]: '' })).status, 303);
  assert.equal(saved.length, 1);
});

test('without headings, the columns have the order of the fields', async () => {
  const { visitor } = openSite();
  const filled = await visitor.submit('/', { [CELLS]: 'Ada\t36\t\nName\t41\textra', ...FILL });
  assert.deepEqual(typedIn(filled), ['name Ada', 'age 36', 'name Name', 'age 41']);
  assert.deepEqual(saidOf(filled).slice(1), [
    'No headings were found, so the columns were taken in this order: Name, Age.',
    'No field is called like these columns, which were left out: “Column 3”.',
  ]);
});

test('headings are those of the fields in each language, and those of the option', async () => {
  const german_ = createLanguage({ ...german, texts: { Name: 'Vorname', Age: 'Alter' } });
  const form = defineForm({
    people: rows({
      label: 'People',
      name: 'Person',
      fields: {
        ...fields,
        address: fieldGroup({
          label: 'Address',
          fields: { city: textField({ label: 'City', maxLength: 80 }) },
        }),
      },
      max: 100,
      paste: { headings: { age: ['Years'], 'address.city': ['Wohnort'] } },
    }),
  });
  const site = formPage(
    createSite(createMemoryStores(), { log: false, languages: [english, german_, french] }),
    '/',
    form,
    { button: 'Save', show: ({ formHtml }) => formHtml, send: () => localPath('/') },
  );
  for (const cells of [
    'Vorname,Alter,Ort\nAda,1,',
    'NAME;age;City\nAda;1;Ulm',
    'first;Years;Name\nx;1;Ada',
    '“Name”\tÂge (ans)\tWohnort:\nAda\t1\tUlm',
    '\u200fName\u200e|Ȧgé|Address city\nAda|1|Ulm',
  ]) {
    const visitor = createVisitor(site, { headers: { 'accept-language': 'de' } });
    const filled = await visitor.submit('/', { [CELLS]: cells, ...FILL });
    const typed = typedIn(filled).filter((one) => !one.startsWith('address'));
    assert.deepEqual(typed.slice(0, 2), ['name Ada', 'age 1'], cells);
  }
});

test('cells are read as a spreadsheet writes them in the language of the form', async () => {
  const form = defineForm({
    people: rows({
      label: 'People',
      name: 'Person',
      max: 100,
      paste: true,
      fields: {
        day: dateField({ label: 'Day' }),
        parts: dateField({ label: 'Birthday', as: 'parts' }),
        price: decimalField({ label: 'Price', min: 0, max: 9_999, step: 0.01 }),
        kind: choiceField({
          label: 'Kind',
          choices: [
            { value: 'c', label: 'Child' },
            { value: 'a', label: 'Grown-up' },
          ],
        }),
        days: choicesField({
          label: 'Days',
          choices: [
            { value: '6', label: 'Saturday' },
            { value: '7', label: 'Sunday' },
          ],
        }),
        vegan: checkboxField({ label: 'Vegan' }),
        note: textField({ label: 'Note', maxLength: 80 }),
        pay: choiceGroup({
          label: 'Payment',
          choices: {
            cash: { label: 'Cash' },
            order: {
              label: 'By order',
              fields: { reference: textField({ label: 'Reference', maxLength: 20 }) },
            },
          },
        }),
      },
    }),
  });
  const site = createSite(createMemoryStores(), {
    log: false,
    languages: [english, german, french],
  });
  let saved: unknown = null;
  formPage(site, '/', form, {
    button: 'Save',
    show: ({ formHtml }) => formHtml,
    send({ values }) {
      saved = values.people;
      return localPath('/');
    },
  });
  const header = 'Day\tBirthday\tPrice\tKind\tDays\tVegan\tNote\tPayment\tReference\n';
  const cases = {
    de: '12.11.2026\t1. Feb 1990\t1.234,50 €\tgrown up\tSaturday, 7\tx\t=1+1\tBy order\tR-7',
    en: `2026-11-12 00:00:00\t1 February 1990\t£1,234.50\ta\tSunday;Saturday\tYES\t'=1+1\torder\tR-7`,
    fr: '12/11/2026\t01/02/1990\t1 234,50\tGrown-up\t6|7\toui\t=1+1\tBy order\tR-7',
  };
  for (const [code, cells] of Object.entries(cases)) {
    const visitor = createVisitor(site, { headers: { 'accept-language': code } });
    const filled = await visitor.submit('/', { [CELLS]: header + cells, ...FILL });
    assert.deepEqual(errorsIn(filled), [], code);
    const [first] = saidOf(filled);
    assert.match(
      first ?? '',
      /^1 (?:row was added|Zeile wurde hinzugefügt|ligne a été ajoutée)\.$/,
    );
    const typed = Object.fromEntries(
      [...bodyText(filled).matchAll(/<(input|option)([^>]*)>/g)].flatMap(
        ([, , attributes = '']) => {
          const [, name] = / name="([^"]*)"/.exec(attributes) ?? [];
          const [, value = 'on'] = / value="([^"]*)"/.exec(attributes) ?? [];
          const isOff =
            / type="(?:checkbox|radio)"/.test(attributes) && !/ checked/.test(attributes);
          return name === undefined || isOff || name.startsWith('_') || name.endsWith('.days')
            ? []
            : [[name, value]];
        },
      ),
    );
    const kind = /<option value="(\w)" selected>/.exec(bodyText(filled))?.[1] ?? '';
    const days = [...bodyText(filled).matchAll(/name="people\.0\.days" value="(\d)" checked/g)];
    const again = {
      ...typed,
      'people.0.kind': kind,
      'people.0.days': days.map(([, day]) => day ?? ''),
    };
    assert.equal((await visitor.submit('/', again)).status, 303, code);
    assert.deepEqual(
      saved,
      [
        {
          day: '2026-11-12',
          parts: '1990-02-01',
          price: '1234.50',
          kind: 'a',
          days: ['6', '7'],
          vegan: true,
          note: '=1+1',
          pay: { choice: 'order', reference: 'R-7' },
        },
      ],
      code,
    );
  }
  const visitor = createVisitor(site, { headers: { 'accept-language': 'en' } });
  const wrong = '31.2.2026\tx\tmany\tTeen\tMonday,6\tmaybe\tn\tBarter\t';
  const filled = await visitor.submit('/', { [CELLS]: header + wrong, ...FILL });
  assert.deepEqual(saidOf(filled)[0], '1 row was added. 7 cells need a look.');
  const [day, parts, price, ...others] = errorsIn(filled).map((one) =>
    one.replace(/^.*?: Person 1: /, ''),
  );
  for (const [text, start] of [
    [day, /^day/],
    [parts, /^birthday/],
    [price, /^price/],
  ] as const)
    assert.match(text ?? '', start);
  assert.deepEqual(others.toSorted(), [
    'vegan must be yes or no, and not “maybe”',
    '“Barter” is none of the choices of Payment',
    '“Monday” is none of the choices of Days',
    '“Teen” is none of the choices of Kind',
  ]);
});

test('what is no table is refused with a sentence, and the text is kept', async () => {
  const { visitor } = openSite();
  const cases = [
    ['', /Paste some cells first/],
    [' \n\t', /Paste some cells first/],
    ['Name\tAge\n', /The table is empty/],
    ['%PDF-1.7\n', /This is a PDF/],
    ['{"name": "Ada"}', /This is JSON/],
    ['<table><tr><td>Ada', /This is a web page/],
    ['\t'.repeat(10_000).replaceAll('\t', 'a\t'), /has 10,000 columns, and at most 200/],
    ['x'.repeat(300_001), /must be 300,000 characters or less/],
    ['Name\tAge\nA\0da\t1', /must not contain a NUL/],
  ] as const;
  for (const [cells, message] of cases) {
    const filled = await visitor.submit('/', { [CELLS]: cells, ...FILL });
    assert.equal(filled.status, 200);
    const [error = ''] = errorsIn(filled);
    assert.match(error, message);
    assert.ok(error.startsWith(CELLS));
    assert.match(bodyText(filled), /<textarea [^>]*name="_cells_people"[^>]* autofocus/);
    assert.deepEqual(saidOf(filled), []);
  }
  const long = `Name\tAge\n"open\t1\n${'Bob\t2\n'.repeat(40)}`;
  const filled = await visitor.submit('/', { [CELLS]: long, ...FILL });
  assert.equal(typedIn(filled).length, 82);
  assert.match(saidOf(filled)[1] ?? '', /The quotes are wrong and were read as text on line 2/);
});

test('many rows without a place are counted and not parsed, and other requests run meanwhile', async () => {
  let parsed = 0;
  const name = textField({ label: 'Name', maxLength: 80 });
  const counting: typeof name = {
    ...name,
    parse(...given) {
      parsed++;
      return name.parse(...given);
    },
  };
  const form = defineForm({
    people: rows({
      label: 'People',
      name: 'Person',
      fields: { name: counting },
      max: 5,
      paste: true,
    }),
  });
  const site = createSite(createMemoryStores(), { log: false });
  formPage(site, '/', form, {
    button: 'Save',
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    send: () => localPath('/'),
  });
  let turns = 0;
  const timer = setInterval(() => turns++);
  const sent = createVisitor(site).post('/', { ...FILL, [CELLS]: 'Name\nAda\n'.repeat(20_000) });
  const page = bodyText(await sent);
  clearInterval(timer);
  assert.match(page, /39,994/);
  assert.ok(parsed < 100, `${parsed} cells parsed`);
  assert.ok(turns > 5, `${turns} turns of the event loop`);
});

test('a file is read as pasted cells are, and what is left of it is said', async () => {
  const file = fileField({ label: 'Or choose a file', maxSize: 10_000, accept: ['.csv'] });
  const { visitor, saved } = openSite({ max: 2, paste: { file } });
  const page = await visitor.get('/');
  assert.match(
    bodyText(page),
    /enctype="multipart\/form-data"[\s\S]*type="file" id="_file_people"/,
  );
  const send = (bytes: string | Uint8Array<ArrayBuffer>, more: object = FILL) =>
    visitor.submit('/', { ...more, _file_people: new File([bytes], 'people.csv') });
  const old = await send(Buffer.from('Name;Age\r\nJ\xfcrgen Gro\xdf;3\r\nB;2\r\nC;1', 'latin1'));
  assert.deepEqual(typedIn(old), ['name Jürgen Groß', 'age 3', 'name B', 'age 2']);
  assert.match(
    saidOf(old).join('\n'),
    /not in UTF-8\. It was read as Windows-1252: “Jürgen”, “Groß”/,
  );
  assert.match(saidOf(old).join('\n'), /no space for 1 more row of the file, which was left out/);
  assert.ok(!bodyText(old).includes('people.csv'));
  const workbook = await send('PK\x03\x04');
  assert.match(
    errorsIn(workbook).join(),
    /^_file_people: The file is a workbook\. Save the table as CSV/,
  );
  const large = await send('x'.repeat(20_000));
  assert.match(errorsIn(large).join(), /^_file_people: .* must be 10 kB or less/);
  // The button was forgotten.
  assert.equal((await send('Name\nAda', {})).status, 200);
  assert.deepEqual(saved, []);
  // Another button keeps it.
  const kept = await send('Name\nAda', { _change: 'add people' });
  assert.match(bodyText(kept), /people\.csv, 8 bytes/);
  const later = { ...hiddenFields(bodyText(kept)), ...FILL };
  assert.deepEqual(typedIn(await visitor.post('/?send', toForm(later))), ['name Ada', 'age ']);
});

function toForm(fields: Readonly<Record<string, string | readonly string[]>>): FormData {
  const form = new FormData();
  for (const [name, texts] of Object.entries(fields))
    for (const text of [texts].flat()) form.append(name, text as string);
  return form;
}

test('a definition that no page could fill is refused', () => {
  const one = (options: object) => () =>
    rows({ label: 'People', name: 'Person', fields, max: 10, ...options } as never);
  assert.throws(one({ paste: true, fixed: true }), /as fixed and with paste/);
  assert.throws(
    one({ paste: { headings: { nmae: [] } } }),
    /headings of "nmae": take one of name, age/,
  );
  assert.throws(one({ paste: { file: fields.name } }), /it is no file\. Pass file: fileField/);
  assert.throws(one({ paste: { header: [] } }), /header/);
  const inner = rows({ label: 'Children', name: 'Child', fields, max: 10, paste: true });
  assert.throws(one({ fields: { inner } }), /rows in them that have paste/);
});
