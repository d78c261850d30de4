import assert from 'node:assert/strict';
import test from 'node:test';
import { COLUMNS } from '../items/export/csv.ts';
import { NO_DEFINITIONS } from '../own-fields/definitions.ts';
import { readWholeTable } from '../testing/read-whole-table.ts';
import { describeNote } from './cell-note.ts';
import { type ColumnFacts, type ColumnUse, createColumnFacts, guessColumns } from './columns.ts';
import { createColumnReader } from './file-columns.ts';

const FILLED: ColumnFacts = {
  ...{ samples: ['Word'], decimalMark: null, isFull: true, placeMark: null, placeSample: '' },
  values: null,
};
const EMPTY: ColumnFacts = { ...FILLED, samples: [], isFull: false };

/** Uses, with a question mark for those that are not sure. */
function guess(header: string, isEmpty: (heading: string) => boolean = () => false): string {
  const headings = header.split(';');
  return guessColumns(
    headings,
    headings.map((one) => (isEmpty(one) ? EMPTY : FILLED)),
  )
    .map(({ use, isSure }) => (isSure ? use : `${use}?`))
    .join(';');
}

test('headings are known in three languages, and from other programs', () => {
  const cases = [
    [COLUMNS.join(';'), COLUMNS.join(';')],
    ['Name;LOCATION;Qty', 'name;location;quantity'],
    ['Bezeichnung;Menge;Lagerort;Bemerkung', 'name;quantity;location;description'],
    ['Gegenstand;Stückzahl;Standort;Schlagwörter', 'name;quantity;location;tags'],
    ['Gegenstand;Stueckzahl;Standort;Schlagwoerter', 'name;quantity;location;tags'],
    ['Inv.-Nr.;Bezeichnung;Anzahl (Stk.);Raum', 'reference;name;quantity;location'],
    ['Artikel;Bestand;Mindestbestand;Kategorie', 'name;quantity;minimum;tags'],
    ['Désignation;Quantité;Emplacement;Catégorie', 'name;quantity;location;tags'],
    ['Référence;Libellé;Qté;Lieu;Remarques', 'reference;name;quantity;location;description'],
    [
      'HB.import_ref;HB.location;HB.labels;HB.name;HB.quantity;HB.description;HB.serial_number',
      'reference;location;tags;name;quantity;description;serial',
    ],
    [
      'Asset Tag;Asset Name;Serial;Category;Location;Notes',
      'reference;name;serial;tags;location;description',
    ],
    [
      'Entry Name;Quantity;Min Level;Notes;Tags;Primary Folder;Sortly ID (SID)',
      'name;quantity;minimum;description;tags;location;reference',
    ],
    [
      'Asset ID;Title;Description;Category;cf:Serial Number',
      'reference;name;description;tags;serial',
    ],
    ['Part;Quantity;Serial Number;Location', 'name;quantity;serial;location'],
    ['Gerät;Seriennr.;Ort', 'name;serial;location'],
    ['Name;EAN', 'name;code'],
    ['Artikel;Strichcode;GTIN', 'name;in description?;code'],
    ['Item;Barcode;SKU', 'name;code;reference'],
  ] as const;
  for (const [header, uses] of cases) assert.equal(guess(header), uses, header);
});

test('of two headings for one field, the better one with a cell has it', () => {
  assert.equal(guess('Artikel;Bezeichnung'), 'in description?;name');
  assert.equal(
    guess('Artikel;Bezeichnung', (one) => one === 'Bezeichnung'),
    'name;ignore',
  );
  assert.equal(guess('Art.-Nr.;Inventarnummer;Name'), 'in description?;reference;name');
});

test('of two references, the one that every thing has tells them apart', async () => {
  const { guesses, rows } = await readWholeTable(
    'HB.import_ref,HB.asset_id,HB.name,HB.archived\nr1,000-001,Saw,false\n,000-002,Saw,false\n,000-003,Rope,true\n',
  );
  assert.deepEqual(
    guesses.map(({ use }) => use),
    ['in description', 'reference', 'name', 'archived'],
  );
  const [first, second, third] = rows;
  assert.ok(first !== undefined && 'values' in first && second !== undefined && 'values' in second);
  assert.deepEqual(
    [first, second].map(({ sources: [source] }) => source?.text),
    ['000-001', '000-002'],
  );
  assert.ok(third !== undefined && 'problems' in third);
  assert.deepEqual(third.problems.map(describeNote), ['HB.archived “true”: It is archived']);
});

test('a thing without a name has that of its model, and the borrower is a loan', async () => {
  const { guesses, rows } = await readWholeTable(
    'Asset Name,Asset Tag,Model,Checked Out To,Expected Checkin,Checkout Date\n \u200b,A1,ThinkPad T14,Bo Li,2026-12-01,2026-11-03 09:30:00\nServer,A2,PowerEdge,,,\n',
  );
  assert.deepEqual(
    guesses.map(({ use }) => use),
    ['name', 'reference', 'in description', 'lent to', 'lent until', 'lent at'],
  );
  const [lent, kept] = rows;
  assert.ok(lent !== undefined && 'values' in lent && kept !== undefined && 'values' in kept);
  assert.equal(lent.values.name, 'ThinkPad T14');
  const [loan, ...none] = lent.loans;
  const at = '2026-11-03T12:00:00.000Z';
  assert.deepEqual([loan, none], [{ to: 'Bo Li', until: '2026-12-01', at, quantity: null }, []]);
  assert.deepEqual([kept.values.name, kept.loans], ['Server', []]);
  assert.equal(kept.values.description, 'Asset Tag: A2\nModel: PowerEdge');
  assert.equal(lent.values.description, 'Asset Tag: A1');
  // Without a borrower, it is the date of anything.
  assert.equal(guess('Name;Due date'), 'name;in description?');
});

test('a total, the headings again and what is archived are no things', async () => {
  const cases = [
    ['Summe;35.305', 'It is a total'],
    ['Gesamt:;35', 'It is a total'],
    ['TOTAL;1.234,00 €', 'It is a total'],
    ['Итого;3', 'It is a total'],
    ['合計;=SUM(B2:B3)', 'It is a total'],
    ['Summe Artikel;2', 'It is a total'],
    ['Anzahl Artikel;2', 'It is a total'],
    ['Σ;3', 'It is a total'],
    ['Name;Menge', 'The row repeats the headings'],
    ['Total', null],
    ['Totalstation;1', null],
    ['Summe der Teile;lang', null],
  ] as const;
  for (const [row, why] of cases) {
    const { rows } = await readWholeTable(`Name;Menge\nSäge;2\nSeil;1\n${row}\n`);
    const last = rows.at(-1);
    const told = last !== undefined && 'problems' in last ? last.problems.map(describeNote) : [];
    if (why === null)
      assert.ok(last !== undefined && 'values' in last === !row.includes('lang'), row);
    else assert.match(told.join(), new RegExp(why), row);
  }
  // Above other rows, only the word alone is one; and a file of one row has nothing to add up.
  const { rows } = await readWholeTable('Name;Menge\nSumme Regal 1;2\nZwischensumme;2\nSeil;1\n');
  assert.deepEqual(
    rows.map((row) => 'problems' in row),
    [false, true, false],
  );
  const [alone] = (await readWholeTable('Name;Menge\nSumme;2\n')).rows;
  assert.ok(alone !== undefined && 'values' in alone);
});

test('what a report prints below its table is no thing, and a thing with only a name is one', async () => {
  /** The names of the rows that are things. */
  const thingsOf = async (text: string) =>
    (await readWholeTable(text)).rows.flatMap((row) => ('values' in row ? [row.values.name] : []));
  const table = 'Name;Ort\nSäge;Keller\nSeil;Keller\n';
  for (const footer of [
    'Printed on 2026-11-24',
    'Printed on 24 November 2026\nPage 1 of 3\nAda',
    ';Gedruckt am 24.11.2026',
    'Printed on;24.11.2026',
    'Stand: 24.11.2026',
    'This report was generated by Toolbox 3',
    'Imprimé le 24/11/2026',
    'Seite 1 von 3',
    'Summe: 2',
    '2 rows',
    '(2 Zeilen)',
    '2 Datensätze gefunden',
    'Records: 2',
    '*** End of report ***',
    '-- Page 1 of 3 --',
    'Summe;2\nWerkstatt Nord',
    'Summe aller Dinge;2\nGedruckt am 24.11.2026',
  ])
    assert.deepEqual(await thingsOf(`${table}${footer}\n`), ['Säge', 'Seil'], footer);
  for (const name of [
    'Hammer',
    'Printed circuit board',
    'Page',
    'Stand 3',
    'Stand',
    'Total',
    'Date stamp',
    'Sum 41',
    '2 items of gear',
    '3 Zeilenpfosten',
    'Records',
  ]) {
    assert.deepEqual(await thingsOf(`${table}${name}\n`), ['Säge', 'Seil', name]);
    assert.deepEqual(await thingsOf(`Name\nSäge\n${name}\n`), ['Säge', name]);
  }
  assert.deepEqual(await thingsOf('Name\nSäge\nPrinted by Ada\n'), ['Säge']);
  // The file of left-out rows, with one of them.
  assert.deepEqual(await thingsOf('Name\nPrinted by Ada\n'), ['Printed by Ada']);
  const within = 'Summe;2\nHammer\nPrinted on 24.11.2026\nBohrer;Keller\n';
  assert.deepEqual((await thingsOf(`${table}${within}`)).slice(2), [
    'Hammer',
    'Printed on 24.11.2026',
    'Bohrer',
  ]);
});

/** The locations of the rows. */
async function readLocations(texts: readonly string[]): Promise<readonly (string | undefined)[]> {
  const { rows } = await readWholeTable(
    `name\tlocation\n${texts.map((one) => `A\t${one}\n`).join('')}`,
  );
  return rows.map((row) => ('values' in row ? row.values.location : undefined));
}

test('a place inside a place has one spelling', async () => {
  const cases = [
    [
      ['Werkstatt,Regal 1', 'Werkstatt, Regal 1', 'Werkstatt , Regal\u00a0 1'],
      'Werkstatt, Regal 1',
    ],
    [['Home / Garage', 'Home /Garage', 'Home/Garage'], 'Home, Garage'],
    [['Room 1 -> Shelf 1', 'Room 1 → Shelf 1', 'Room 1=>Shelf 1'], 'Room 1, Shelf 1'],
    [['Room 1 --> Shelf 1', 'Room 1 ➜ Shelf 1', 'Room 1 ▸ Shelf 1'], 'Room 1, Shelf 1'],
    [['AV store > Shelf A', 'AV store>Shelf A', 'AV store » Shelf A'], 'AV store, Shelf A'],
    [['AV store >> Shelf A', 'AV store＞Shelf A'], 'AV store, Shelf A'],
    [['Cellar，Box', 'Cellar、Box', 'Cellar، Box'], 'Cellar, Box'],
    [['Lab \\ Desk', 'Lab\\Desk'], 'Lab, Desk'],
    [['Lab | Desk', 'Lab; Desk', 'Lab； Desk', 'Lab؛ Desk'], 'Lab, Desk'],
    [['Lab: Desk', 'Lab::Desk', 'Lab : Desk'], 'Lab, Desk'],
    [['Lab • Desk', 'Lab · Desk'], 'Lab, Desk'],
    [['Lab - Desk', 'Lab – Desk'], 'Lab, Desk'],
    [['Regal 1/2', 'Regal 1/2'], 'Regal 1/2'],
    [['Regal A-3', 'Regal A-3'], 'Regal A-3'],
    [['Regal 1:3', 'Regal 1:3'], 'Regal 1:3'],
  ] as const;
  for (const [texts, place] of cases)
    assert.deepEqual(
      await readLocations(texts),
      texts.map(() => place),
      texts[0],
    );
});

test('a name has single spaces, and none that nobody sees', async () => {
  const { rows } = await readWholeTable(
    'name\tlocation\nBosch\u00a0Drill\tA, B\n"Bosch \n Drill"\tA,\u200bB\nBo\u00adsch\u2060 Drill\u200b\tA\u2060 ,B\n',
  );
  for (const row of rows) {
    assert.ok('values' in row);
    assert.deepEqual(row.values, { name: 'Bosch Drill', location: 'A, B' });
  }
});

test('characters that show nothing are no part of a heading', async () => {
  const { header, guesses, rows } = await readWholeTable(
    '\u200bname\u200b,quan\u00adtity\u200e,\u202aloca\u2060tion\u202c,\u200b\nSaw,2,A,x\nname,quantity,location,\n',
  );
  assert.deepEqual(header, ['name', 'quantity', 'location', '']);
  assert.deepEqual(
    guesses.map(({ use }) => use),
    ['name', 'quantity', 'location', 'in description'],
  );
  assert.deepEqual(
    rows.map((row) => 'values' in row),
    [true, false],
  );
});

test('people are asked what a vague or an unknown heading means', () => {
  assert.equal(guess('Nr.;Name;Farbe;'), 'reference?;name;in description?;in description?');
  assert.equal(guess('Name;Aktuelle Menge;Menge in Kiste'), 'name;quantity?;in description?');
  assert.equal(
    guess('Name;Farbe', (one) => one === 'Farbe'),
    'name;ignore',
  );
  assert.equal(guess('Lfd. Nr.;Name'), 'ignore?;name');
  // The number of an item here has one spelling.
  assert.equal(guess('Number;Name'), 'reference?;name');
});

test('without a heading for the name, the first column with words may have it', () => {
  assert.equal(guess('Foo;Menge'), 'name?;quantity');
  const numbers: ColumnFacts = { ...FILLED, samples: ['12'] };
  assert.deepEqual(
    guessColumns(['Foo', 'Bar'], [numbers, FILLED]).map(({ use }) => use),
    ['in description', 'name'],
  );
});

test('facts are of all cells', () => {
  const { add, facts } = createColumnFacts(['a', 'b', 'c']);
  for (const cells of [
    ['3', 'A', ''],
    ['1.234', 'A', ' '],
    ['3,00', 'B', ''],
  ])
    add(cells);
  const bare = () => facts().map(({ values: _values, ...one }) => one);
  assert.deepEqual(bare(), [
    {
      samples: ['3', '1.234', '3,00'],
      decimalMark: ',',
      isFull: true,
      placeMark: null,
      placeSample: '',
    },
    { samples: ['A', 'B'], decimalMark: null, isFull: true, placeMark: null, placeSample: '' },
    { samples: [], decimalMark: null, isFull: false, placeMark: null, placeSample: '' },
  ]);
  add(['2.5']);
  assert.equal(facts()[0]?.decimalMark, null);
});

test('beside a zip, a column has the names of photos unless it has links or somebody says otherwise', () => {
  const read = (cell: string, chosen: ColumnUse | null = null) => {
    const known =
      chosen === null
        ? null
        : { ...{ uses: ['name', chosen] as const }, places: null, currency: 'EUR', encoding: null };
    const { add, toColumns } = createColumnReader(
      { header: ['Name', 'Image'], notices: [], old: null },
      { definitions: NO_DEFINITIONS, canMake: false, known, currency: 'EUR', hasZip: true },
    );
    add({ line: 2, cells: ['Drill', cell] });
    const { uses, areSure } = toColumns();
    return [uses[1], areSure];
  };
  assert.deepEqual(read('a.jpg'), ['photos', true]);
  assert.deepEqual(read('https://example.com/a.jpg'), ['in description', false]);
  assert.deepEqual(read('a.jpg', 'photos'), ['photos', true]);
  // It may be of a file without a zip: people see it again.
  assert.deepEqual(read('a.jpg', 'description'), ['description', false]);
});
