/**
 * The spreadsheet of a workshop as people have it: 400 rows in Windows-1252 with semicolons, German headings below a
 * title, numbers like “3,00” and “3 Stk.”, empty rows, rows twice, rows without a name, and columns that nobody knows.
 * The same bytes with each call.
 */
import { listWords } from '../imports/same-text.ts';

/** What a right list has of the file. */
export const MESSY_FILE = {
  name: 'Inventar Werkstatt.csv',
  /** Rows with a cell below the headings. */
  rows: 400,
  /** Different things with a name. */
  things: 353,
  /** Rows that say the same as an earlier one. */
  doubles: 17,
  withoutName: 30,
};

const NOUNS = listWords(`
  Akkuschrauber, Säge, Bohrmaschine, Wasserwaage, Kabeltrommel, Schraubenschlüssel, Hammer, Lötkolben, Messschieber,
  Stichsäge, Drehmomentschlüssel, Zange, Leiter, Schleifgerät, Rohrzange, Heißluftgebläse, Feile, Schraubstock,
  Meißel, Höhenmesser`);
const KINDS = listWords('groß, klein, für Büro, Gerät 2, rot, mit Koffer, 18 V, Größe 8, alt');
const PLACES = [
  'Küche',
  'Büro',
  'Werkstatt, Regal 1',
  'Werkstatt, Regal 2',
  'Keller',
  'Außenlager',
];
const QUANTITIES = ['3,00', '3 Stk.', '1', '12', '1.234', '2,00', '5 Stück', '1,00', ''];
const MINIMUMS = ['', '0', '', '2', '-'];
const TAGS = ['Werkzeug', 'Werkzeug; Strom', 'Werkzeug, verliehen', '', 'Messgerät'];
const NOTES = ['', 'Akku schwach', '', 'gehört Jörg', '', 'überprüft; siehe Ordner'];
const COSTS = ['4711', '', '4712'];

const HEADINGS = [
  ...['Bezeichnung', 'Menge', 'Mindestbestand', 'Lagerort', 'Schlagworte', 'Bemerkung'],
  ...['Kostenstelle', ''],
];

export function createMessySpreadsheet(): Buffer {
  const rows: (readonly string[])[] = [];
  let thing = 0;
  while (rows.length < MESSY_FILE.rows) {
    const at = rows.length + 1;
    const earlier = rows.at(-7);
    if (at % 22 === 0 && earlier !== undefined) rows.push(earlier);
    else rows.push(describeThing(thing++, at % 13 !== 5));
  }
  const lines = rows.flatMap((row, index) => {
    const line = row.map(toCell).join(';');
    return index % 40 === 39 ? [line, ';'.repeat(HEADINGS.length - 1)] : [line];
  });
  const title = ['Inventar Werkstatt, Stand März 2026', ...HEADINGS.slice(1).map(() => '')];
  const file = [title.join(';'), HEADINGS.join(';'), ...lines, ''].join('\r\n');
  // As Windows-1252 writes it, which has the same bytes for all of its letters.
  return Buffer.from(file, 'latin1');
}

function describeThing(at: number, hasName: boolean): readonly string[] {
  const pick = (texts: readonly string[]) => texts[at % texts.length] ?? '';
  const kind = KINDS[Math.floor(at / NOUNS.length) % KINDS.length] ?? '';
  const copy = Math.floor(at / (NOUNS.length * KINDS.length));
  const name = `${pick(NOUNS)} ${kind}${copy === 0 ? '' : ` Nr. ${copy + 1}`}`;
  return [
    ...[hasName ? name : '', pick(QUANTITIES), pick(MINIMUMS), pick(PLACES), pick(TAGS)],
    ...[pick(NOTES), pick(COSTS), ''],
  ];
}

function toCell(text: string): string {
  return text.includes(';') ? `"${text}"` : text;
}
