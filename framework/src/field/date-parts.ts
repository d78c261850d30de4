/** A date or a month that is typed in parts: inputs for the day, the month and the year. */
import type { Html } from '../http/html.ts';
import type { Language } from '../language/language.ts';
import type { DatePart } from '../language/words.ts';
import { drawInputs } from './draw-inputs.ts';
import type { DrawnControl, Inputs } from './field.ts';

/** The parts as one text, of ISO 8601 if they are of it, else as typed, so that a page can show them again. */
export function joinParts(parts: readonly DatePart[]): Inputs {
  return {
    names: parts,
    join(texts) {
      const typed = texts.map((text) => text.trim());
      if (typed.every((text) => text === '')) return '';
      const last = typed.length - 1;
      // The first hyphens separate the parts.
      return typed.map((text, at) => (at < last ? text.replaceAll('-', '\u2010') : text)).join('-');
    },
    split(text) {
      const [year = '', month = '', ...others] = text.split('-');
      return parts.length === 2
        ? [year, [month, ...others].join('-')]
        : [year, month, others.join('-')];
    },
  };
}

interface PartsRead {
  /** Text as of ISO 8601. It may be no date. */
  readonly value: string;
  /** If it is no date, or another one than the application takes. */
  readonly wrong: readonly DatePart[];
  /** The message if it is no date. */
  readonly flaw: (label: string) => string;
}

/** Says which parts are wrong: missing ones first, then what no date can have, then a date that does not exist. */
export function readParts(
  texts: readonly string[],
  parts: readonly DatePart[],
  language: Language,
): PartsRead {
  const { words, parseMonthName } = language;
  const missing = parts.filter((_, at) => texts[at] === '');
  if (missing.length > 0) {
    const named = missing.toReversed();
    return { value: '', wrong: missing, flaw: (label) => words.datePartsMissing(label, named) };
  }
  const [typedYear = '', typedMonth = '', typedDay = '1'] = texts;
  const year = toNumber(typedYear, language);
  if ([...typedYear].length !== 4 || year === null)
    return { value: '', wrong: ['year'], flaw: words.noYear };
  const month = toNumber(typedMonth, language) ?? parseMonthName(typedMonth) ?? 0;
  const day = toNumber(typedDay, language) ?? 0;
  const pad = (number: number, length = 2) => String(number).padStart(length, '0');
  const wrong = parts.filter(
    (part) =>
      (part === 'month' && (month < 1 || month > 12)) || (part === 'day' && (day < 1 || day > 31)),
  );
  return {
    value: [pad(year, 4), pad(month), pad(day)].slice(0, parts.length).join('-'),
    wrong: wrong.length > 0 ? wrong : parts,
    flaw: words.noRealDate,
  };
}

/** Null for what is not one to four digits. */
function toNumber(text: string, { parseDecimal }: Language): number | null {
  return /^\p{Nd}{1,4}$/u.test(text) ? Number(parseDecimal(text)) : null;
}

/** In the order of the language. */
export function drawParts(control: DrawnControl, parts: readonly DatePart[]): Html {
  const { language, attributes, field, text, hasError } = control;
  const { words, dateOrder } = language;
  const isBirthday = attributes['autocomplete'] === 'bday';
  const drawn = dateOrder()
    .filter((part) => parts.includes(part))
    .map((part) => ({
      name: part,
      label: words.inputs[part],
      attributes: { class: part, ...(isBirthday ? { autocomplete: `bday-${part}` } : {}) },
    }));
  const texts = field.inputs?.split(text) ?? [];
  return drawInputs(control, drawn, hasError ? readParts(texts, parts, language).wrong : []);
}
