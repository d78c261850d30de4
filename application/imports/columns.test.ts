import assert from 'node:assert/strict';
import test from 'node:test';
import { COLUMNS } from '../items/export/csv.ts';
import { type ColumnFacts, createColumnFacts, guessColumns } from './columns.ts';

const FILLED: ColumnFacts = { samples: ['Word'], decimalMark: null };
const EMPTY: ColumnFacts = { samples: [], decimalMark: null };

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
      'reference;location;tags;name;quantity;description;in description?',
    ],
    ['Asset Tag;Asset Name;Category;Location;Notes', 'reference;name;tags;location;description'],
    [
      'Entry Name;Quantity;Min Level;Notes;Tags;Primary Folder;Sortly ID (SID)',
      'name;quantity;minimum;description;tags;location;reference',
    ],
    ['Asset ID;Title;Description;Category', 'reference;name;description;tags'],
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
  const numbers: ColumnFacts = { samples: ['12'], decimalMark: null };
  assert.deepEqual(
    guessColumns(['Foo', 'Bar'], [numbers, FILLED]).map(({ use }) => use),
    ['in description', 'name'],
  );
});

test('facts are of all cells', () => {
  const { add, facts } = createColumnFacts(3);
  for (const cells of [
    ['3', 'A', ''],
    ['1.234', 'A', ' '],
    ['3,00', 'B', ''],
  ])
    add(cells);
  assert.deepEqual(facts(), [
    { samples: ['3', '1.234', '3,00'], decimalMark: ',' },
    { samples: ['A', 'B'], decimalMark: null },
    { samples: [], decimalMark: null },
  ]);
  add(['2.5']);
  assert.equal(facts()[0]?.decimalMark, null);
});
