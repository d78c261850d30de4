/**
 * Finds rows that stand for no thing: the headings again, a total, and what a report prints below its table. A thing
 * may have nothing but a name, so a single cell counts as such a line only at the end, below a total or with its words.
 */
import type { ColumnUse } from './headings.ts';
import { bareText, evenSpaces, listWords } from './same-text.ts';

/** Lines of the file. */
export interface Ends {
  readonly first: number;
  /** Of the table, above the footer. */
  readonly last: number;
  /** Undefined without a footer. */
  readonly footer?: number;
}

interface Table {
  readonly header: readonly string[];
  readonly uses: readonly ColumnUse[];
  readonly lines: Ends | null;
}

/** Words of a sum in tables, in lower case. */
const TOTALS = listWords(`
  total, totals, grand total, count, total count, anzahl, nombre, σ, sum, subtotal, sub-total, total items, total quantity, summe, gesamt, gesamtsumme,
  zwischensumme, endsumme, insgesamt, gesamtbestand, gesamtmenge, gesamtanzahl, gesamtwert, total général, sous-total,
  somme, totaux, totale, totaal, subtotaal, suma, total general, soma, razem, łącznie, ogółem, celkem, součet, spolu,
  összesen, összeg, ukupno, skupaj, toplam, genel toplam, summa, totalt, i alt, sum totalt, yhteensä, итого, всего,
  сумма, усього, разом, σύνολο, 合計, 総計, 小計, 总计, 合计, 小计, 總計, 합계, 총계, المجموع, סך הכל`);

const IS_TOTAL = new Set(TOTALS);

/** Numbers, with a currency or a unit, and formulas. */
const NUMBER = /^(?:\p{L}{1,3}\s?)?[^\p{L}]*\p{N}[^\p{L}]*(?:\p{L}{1,6}\.?)?$|^=/u;

const MADE = [
  'printed|created|generated|exported|downloaded',
  'gedruckt|ausgedruckt|erstellt|erzeugt|exportiert',
  'imprimée?|éditée?|générée?|exportée?|créée?',
  'impreso|generado|stampato|generato|afgedrukt|gegenereerd|wydrukowano|wygenerowano',
].join('|');
const BY = 'on|at|by|from|with|am|um|von|mit|le|à|par|depuis|el|por|il|da|op|door|dnia|przez';
/** How programs count what they have written. */
const COUNTED =
  'rows?|records?|entries|items?|zeilen?|datens(?:atz|ätze)|einträge?|artikel|positionen|lignes?|enregistrements?';
const DAY =
  /\d{1,4}([./-]) ?\d{1,2}\1 ?\d{1,4}|\d{1,2}\.? \p{L}{3,}\.?,? \d{4}|\p{L}{3,}\.? \d{1,2}, \d{4}/u
    .source;

/** What a report says of itself: how it was made, of which day it is, and the number of a page. */
const OF_A_REPORT = [
  new RegExp(
    `^(?:this )?(?:(?:report|list|inventory) (?:was )?)?(?:${MADE})(?: (?:${BY})(?!\\p{L})|:)`,
    'iu',
  ),
  new RegExp(
    `^(?:as of|date|stand|datum|état au|date d’édition|druckdatum)(?!\\p{L}):? .*(?:${DAY})`,
    'iu',
  ),
  /^(?:page|seite|pagina|página|strona) ?:? ?\d+ ?(?:of|von|de|sur|di|van|z|\/) ?\d+$/iu,
  new RegExp(
    `^\\(?\\d+ (?:${COUNTED})(?: (?:found|exported|affected|gefunden|exportiert))?\\)?$`,
    'iu',
  ),
  new RegExp(`^(?:${COUNTED}) ?[:=] ?\\d+$`, 'iu'),
  /^(?:end of (?:the )?(?:report|list)|ende (?:des berichts|der liste)|fin (?:du rapport|de la liste))\b/iu,
];

/** Reads all rows, and finds where the table begins and where it ends. */
export function createEndFinder() {
  let ends: Ends | null = null;
  /** Whether a row has more than one cell. Otherwise every line may be a name. */
  let isWide = false;
  let isBelowTotal = false;
  return {
    add(cells: readonly string[], line: number): void {
      const { first = line, last = line, footer } = ends ?? {};
      const filled = filledOf(cells, 3);
      const isOne = filled.length === 1;
      const isBelow = isWide && isOne && (isBelowTotal || footer !== undefined);
      // A file of one row, such as that of a refused one, is no report.
      if (ends !== null && (isBelow || isOfReport(filled))) {
        ends = { first, last, footer: footer ?? line };
        return;
      }
      ends = { first, last: line };
      if (isOne) return;
      isWide = true;
      isBelowTotal = isSum(cells) && isTotalWord(filled[0] ?? '');
    },
    ends: () => ends,
  };
}

/** The first cells with a text, at most `count`. */
function filledOf(cells: readonly string[], count: number): readonly string[] {
  const filled: string[] = [];
  for (const cell of cells) {
    const text = cell.trim();
    if (text !== '' && filled.push(text) === count) break;
  }
  return filled;
}

const MAX_LINE = 120;

/** Also if the day is in a cell of its own, and for a total in one cell. */
function isOfReport(filled: readonly string[]): boolean {
  if (filled.length > 2) return false;
  const text = evenSpaces(filled.join(' ').replaceAll(/^[-*=~_–—\s]+|[-*=~_–—\s]+$/g, ''));
  if (text.length > MAX_LINE) return false;
  const [word = '', amount = '', ...more] = filled.length === 1 ? text.split(/[:=]/) : [];
  if (more.length === 0 && isTotalWord(word) && NUMBER.test(amount.trim())) return true;
  return OF_A_REPORT.some((line) => line.test(text));
}

/** Whether all cells after the first with a text are numbers. */
function isSum(cells: readonly string[]): boolean {
  let count = 0;
  for (const cell of cells) {
    const text = cell.trim();
    if (text !== '' && count++ > 0 && !NUMBER.test(text)) return false;
  }
  return count > 1;
}

function isTotalWord(text: string): boolean {
  return IS_TOTAL.has(
    text
      .trim()
      .toLowerCase()
      .replace(/\s*[:=]$/, ''),
  );
}

/** Also “Total of all rooms”, which may be a thing. */
function startsWithTotal(text: string): boolean {
  const words = text.toLowerCase();
  return isTotalWord(text) || TOTALS.some((one) => words.startsWith(`${one} `));
}

/** Why the row is left out, without a full stop; null for a thing. */
export function isNoThing(
  cells: readonly string[],
  line: number,
  { header, uses, lines }: Table,
): string | null {
  if (
    header.every((heading, at) => bareText(cells[at] ?? '') === heading) &&
    filledOf(cells, 2).length > 1
  )
    return 'The row repeats the headings';
  if (lines === null) return null;
  if (lines.footer !== undefined && line >= lines.footer)
    return 'It stands below the table, and is no thing';
  // One row is nothing to add up.
  if (lines.first === lines.last) return null;
  if (!isSum(cells)) return null;
  const [first = ''] = filledOf(cells, 1);
  const isLast = line === lines.last && (cells[uses.indexOf('name')] ?? '').trim() === first;
  return isTotalWord(first) || (isLast && startsWithTotal(first))
    ? 'It is a total, and no thing'
    : null;
}
