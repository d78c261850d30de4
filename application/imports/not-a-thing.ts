/** Finds rows that stand for no thing: the headings again, and a total. */
import type { ColumnUse } from './headings.ts';

/** Lines of the file. */
export interface Ends {
  readonly first: number;
  readonly last: number;
}

interface Table {
  readonly header: readonly string[];
  readonly uses: readonly ColumnUse[];
  readonly lines: Ends | null;
}

/** Words of a sum in tables, in lower case. */
const TOTALS = [
  ...[
    'total',
    'totals',
    'grand total',
    'sum',
    'subtotal',
    'sub-total',
    'total items',
    'total quantity',
  ],
  ...['summe', 'gesamt', 'gesamtsumme', 'zwischensumme', 'endsumme', 'insgesamt', 'gesamtbestand'],
  ...[
    'gesamtmenge',
    'gesamtanzahl',
    'gesamtwert',
    'total général',
    'sous-total',
    'somme',
    'totaux',
  ],
  ...[
    'totale',
    'totaal',
    'subtotaal',
    'suma',
    'total general',
    'soma',
    'razem',
    'łącznie',
    'ogółem',
  ],
  ...[
    'celkem',
    'součet',
    'spolu',
    'összesen',
    'összeg',
    'ukupno',
    'skupaj',
    'toplam',
    'genel toplam',
  ],
  ...[
    'summa',
    'totalt',
    'i alt',
    'sum totalt',
    'yhteensä',
    'итого',
    'всего',
    'сумма',
    'усього',
    'разом',
  ],
  ...[
    'σύνολο',
    '合計',
    '総計',
    '小計',
    '总计',
    '合计',
    '小计',
    '總計',
    '합계',
    '총계',
    'المجموع',
    'סך הכל',
  ],
];

const IS_TOTAL = new Set(TOTALS);

/** Numbers, with a currency or a unit, and formulas. */
const NUMBER = /^(?:\p{L}{1,3}\s?)?[^\p{L}]*\p{N}[^\p{L}]*(?:\p{L}{1,6}\.?)?$|^=/u;

/** Why the row is left out, without a full stop; null for a thing. */
export function isNoThing(
  cells: readonly string[],
  line: number,
  { header, uses, lines }: Table,
): string | null {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (filled.length > 1 && header.every((heading, at) => (cells[at] ?? '').trim() === heading))
    return 'The row repeats the headings';
  const [first = '', ...others] = filled;
  // A file of one row, such as that of a refused one, has nothing to add up.
  if (others.length === 0 || lines === null || lines.first === lines.last) return null;
  if (!others.every((cell) => NUMBER.test(cell))) return null;
  const words = first.toLowerCase().replace(/\s*[:=]$/, '');
  const isLast = line === lines.last && (cells[uses.indexOf('name')] ?? '').trim() === first;
  const isTotal =
    IS_TOTAL.has(words) || (isLast && TOTALS.some((one) => words.startsWith(`${one} `)));
  return isTotal ? 'It is a total, and no thing' : null;
}
