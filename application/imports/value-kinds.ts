/**
 * Guesses which kind of field fits the cells of a column, while they are read: a number with its unit, an amount of
 * money, a day, yes or no, one of a few texts, a link, or text. Nine of ten cells must fit; the others are kept in the
 * description when they are imported.
 */
import type { OwnFieldKind } from '../own-fields/own-field.ts';
import { MAX_OWN_TEXT } from '../own-fields/to-form-field.ts';
import { splitLabel } from './field-labels.ts';
import { CURRENCY_CODES, readAmount } from './read-amount.ts';
import { type DayOrder, findDayOrder, readDay } from './read-date.ts';
import type { DecimalMark } from './read-number.ts';
import { bareText, listWords, plainText } from './same-text.ts';
import { isNothing, readYesNo } from './value-words.ts';

export type ValueKind = Exclude<OwnFieldKind, 'choices' | 'person'>;

/** Can be stored as JSON. */
export interface ValueGuess {
  readonly kind: ValueKind;
  /** In how many cells there is a value of the kind, and in how many there is anything. */
  readonly fits: number;
  readonly filled: number;
  /** Of a number; of money, the currency in three letters, or empty if no cell says it. */
  readonly unit: string;
  /** The different texts, in the order of the file; none if they are too many for a choice. */
  readonly choices: readonly string[];
  /** The same, none if they are too many for kinds of things. */
  readonly texts: readonly string[];
  /** The mark before decimals and the order of days with slashes, if a cell proves it and none disproves it. */
  readonly mark: DecimalMark | null;
  readonly order: DayOrder | null;
  /** Whether its numbers have no more decimals than money has. */
  readonly isFine: boolean;
}

/** Kinds of things that an import makes at most. */
export const MAX_NEW_KINDS = 50;
/** Different texts of a choice, and how often each must come on average. */
const MAX_CHOICES = 10;
const MIN_EACH = 5;
/** Characters of a choice. */
const MAX_CHOICE = 60;
/** The part of the cells that must fit. */
const MIN_FIT = 0.9;
/** Spellings of the texts of a choice. */
const MAX_SPELLINGS = 4 * MAX_NEW_KINDS;
/** Different units that are counted. */
const MAX_UNITS = 20;

/** Words of headings whose numbers are amounts of money. */
const OF_MONEY = toPattern(`
  price, cost, costs, value, msrp, valuation, preis, kosten, wert, betrag, prix, coût, valeur, montant, precio, prezzo,
  cena, kaufpreis, anschaffungswert, anschaffungskosten, einkaufspreis, neupreis, restwert, zeitwert`);
/** Words of headings whose numbers tell things apart. */
const OF_NUMBERS = toPattern(`
  number, no, nr, nummer, numéro, id, code, sku, mpn, ipn, ean, upc, gtin, barcode, phone, telefon, zip, plz, order,
  bestellnummer, rechnungsnummer, kostenstelle, account, konto, mac, version, revision, batch, lot, charge, model`);

function toPattern(words: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${listWords(words).join('|')})(?!\\p{L})`, 'iu');
}

/** A cell whose text is the whole of it. */
const TIDY = /^[!-~](?: ?[!-~])*$/;
const ISO_DAY = /^\d{4}-\d\d-\d\d/;

/** After so many values of which fewer than half fit any kind, a column is text, and a cell costs no more than that. */
const ENOUGH = 1_000;

interface Text {
  readonly label: string;
  count: number;
}

/** Collects the cells of one column. */
export function createValueGuesser() {
  let filled = 0;
  let lines = 0;
  let numbers = 0;
  let fine = 0;
  let days = 0;
  let doubtful = 0;
  let answers = 0;
  let links = 0;
  let isText = false;
  const units = new Map<string, number>();
  const currencies = new Map<string, number>();
  const marks = new Set<DecimalMark>();
  const orders = new Set<DayOrder>();
  /** Null if there are too many. */
  let texts: Map<string, Text> | null = new Map();
  /** The same by their spellings, which are quicker to compare. */
  const spellings = new Map<string, Text>();

  function addText(text: string): void {
    if (texts === null) return;
    let known = spellings.get(text);
    if (known === undefined) {
      const key = plainText(text);
      known = texts.get(key) ?? { label: text, count: 0 };
      if (text.length > MAX_CHOICE || (known.count === 0 && texts.size === MAX_NEW_KINDS)) {
        texts = null;
        spellings.clear();
        return;
      }
      texts.set(key, known);
      if (spellings.size < MAX_SPELLINGS) spellings.set(text, known);
    }
    known.count++;
  }

  function addNumber(text: string): boolean {
    const amount = readAmount(text, null);
    if (amount === null) return false;
    numbers++;
    if (!/\.\d{3}/.test(amount.decimal)) fine++;
    if (amount.mark !== null) marks.add(amount.mark);
    const [counts, unit] =
      amount.currency === null ? [units, amount.unit] : [currencies, amount.currency];
    if (counts.has(unit) || counts.size < MAX_UNITS) counts.set(unit, (counts.get(unit) ?? 0) + 1);
    return true;
  }

  function addDay(text: string): void {
    const order = findDayOrder(text);
    if (order !== null) orders.add(order);
    if (readDay(text, 'day') === null) return;
    days++;
    if (readDay(text) === null) doubtful++;
  }

  return {
    add(cell: string): void {
      if (cell === '') return;
      const text = TIDY.test(cell) ? cell : cell.includes('\n') ? cell.trim() : bareText(cell);
      if (text === '' || isNothing(text)) return;
      filled++;
      if (filled === ENOUGH) isText = Math.max(numbers, days, answers, links) < ENOUGH / 2;
      if (text.includes('\n') || text.length > MAX_OWN_TEXT) {
        lines++;
        texts = null;
        return;
      }
      addText(text);
      if (isText) return;
      if (readYesNo(text) !== null) answers++;
      if (/^https?:\/\/\S+$/i.test(text)) links++;
      else if (ISO_DAY.test(text)) days += readDay(text) === null ? 0 : 1;
      else if (!addNumber(text) && /\d/.test(text)) addDay(text);
    },
    /** The orders of days that its cells prove. */
    orders: (): ReadonlySet<DayOrder> => orders,
    /** Null for a column without values. `order` is that of other columns, if none of its own cells proves one. */
    guess(heading: string, order: DayOrder | null): ValueGuess | null {
      if (filled === 0) return null;
      const [own = null] = orders.size === 1 ? orders : [order];
      const [mark = null] = marks.size === 1 ? marks : [];
      const all = [...(texts?.values() ?? [])].map(({ label }) => label);
      const choices = all.length > MAX_CHOICES ? [] : all;
      const isFine = fine >= numbers * MIN_FIT;
      const base = { filled, unit: '', choices, texts: all, mark, order: own, isFine };
      const fit = (kind: ValueKind, fits: number, more = {}): ValueGuess | null =>
        fits >= filled * MIN_FIT ? { ...base, kind, fits, ...more } : null;
      return (
        fit('link', links) ??
        fit('date', own === null ? days - doubtful : days) ??
        (isAnswer() ? fit('yes or no', answers) : null) ??
        guessNumber(heading, isFine, fit) ??
        guessChoice(base) ??
        (lines > 0 ? { ...base, kind: 'long text', fits: filled } : null) ?? {
          ...base,
          kind: 'text',
          fits: filled,
        }
      );
    },
  };

  /** More than one answer, or a word: a column of nothing but 1 counts something. */
  function isAnswer(): boolean {
    const keys = [...(texts?.keys() ?? [])];
    return keys.length > 1 || keys.some((key) => /^\D/.test(key));
  }

  function guessNumber(
    heading: string,
    isFine: boolean,
    fit: (kind: ValueKind, fits: number, more: object) => ValueGuess | null,
  ): ValueGuess | null {
    const bare = units.get('') ?? 0;
    const [currency, withCurrency] = most(currencies);
    if (withCurrency > 0 || (units.size === 1 && bare > 0 && isOfMoney(heading)))
      return fit(isFine ? 'money' : 'number', withCurrency + bare, { unit: currency });
    if (currencies.size > 0) return null;
    if (bare === numbers && OF_NUMBERS.test(heading)) return null;
    units.delete('');
    const [unit, withUnit] = most(units);
    units.set('', bare);
    return fit('number', bare + withUnit, { unit });
  }

  function guessChoice(base: Omit<ValueGuess, 'kind' | 'fits'>): ValueGuess | null {
    const count = base.choices.length;
    if (count < 2 || filled < MIN_EACH * count) return null;
    return { ...base, kind: 'choice', fits: filled };
  }
}

function isOfMoney(heading: string): boolean {
  return OF_MONEY.test(heading) || CURRENCY_CODES.includes(splitLabel(heading).unit);
}

function most(counts: ReadonlyMap<string, number>): readonly [name: string, count: number] {
  return [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), ['', 0] as const);
}
