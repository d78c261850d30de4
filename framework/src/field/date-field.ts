/**
 * Dates and months, by a picker or in parts. A value is text of ISO 8601, such as `2026-11-23`: it compares with `<`,
 * is stored as it is, and `Temporal.PlainDate.from(value)` converts it. Dates are of the Gregorian calendar.
 */
import type { Advice } from '../http/advice.ts';
import { checkOptions, type OptionKinds, oneOf } from '../http/check-options.ts';
import type { Language } from '../language/language.ts';
import { isDate, isMonth, type PlainDate, type PlainMonth } from '../language/plain-date.ts';
import type { DatePart } from '../language/words.ts';
import { type AsText, checkLimits, type Limit, rangeOf } from './check-limits.ts';
import { drawParts, joinParts, readParts } from './date-parts.ts';
import { drawPicker, limitOf } from './draw-picker.ts';
import {
  defineField,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  type Given,
  type Optional,
  problem,
} from './field.ts';
import { normalizeCode } from './normalize-text.ts';

export interface DateOptions<Required extends string | undefined>
  extends FieldOptions<string, Required> {
  readonly min?: Limit | Advice<AsText>;
  readonly max?: Limit | Advice<AsText>;
  /** `picker` by default: that of the browser. `parts` are inputs for the day, the month and the year. */
  readonly as?: 'picker' | 'parts';
}

const DATE_KINDS = {
  ...FIELD_KINDS,
  min: limitOf(isDate, "'2026-11-23'"),
  max: limitOf(isDate, "'2026-11-23'"),
  as: oneOf('picker', 'parts'),
} satisfies OptionKinds<DateOptions<undefined>>;

const MONTH_KINDS = {
  ...DATE_KINDS,
  min: limitOf(isMonth, "'2026-11'"),
  max: limitOf(isMonth, "'2026-11'"),
};

/** A date. Without `required`, the value may be null. */
export function dateField<Required extends string | undefined = undefined>(
  options: DateOptions<Required>,
): Field<Optional<Required, PlainDate, null>> {
  checkOptions('dateField', options, DATE_KINDS);
  return calendarField(options, {
    type: 'date',
    parts: ['year', 'month', 'day'],
    isValid: isDate,
    read: (text, { parseDate }) => parseDate(text),
    write: (date, { formatDate }) => formatDate(date),
    flawOf: (text, label, { words, formatDate }) =>
      /^\d{4}-\d{2}-\d{2}$/.test(text)
        ? words.noRealDate(label)
        : words.noDate(label, formatDate('2026-11-23', 'numeric')),
  });
}

/**
 * A month of a year. Firefox and Safari on a desktop have no picker for it. Without `required`, the value may be null.
 */
export function monthField<Required extends string | undefined = undefined>(
  options: DateOptions<Required>,
): Field<Optional<Required, PlainMonth, null>> {
  checkOptions('monthField', options, MONTH_KINDS);
  return calendarField(options, {
    type: 'month',
    parts: ['year', 'month'],
    isValid: isMonth,
    read: (text, { parseMonth }) => parseMonth(text),
    write: (month, { formatMonth }) => formatMonth(month),
    flawOf: (_, label, { words, formatMonth }) => words.noMonth(label, formatMonth('2026-11')),
  });
}

interface CalendarKind<Value extends string> {
  readonly type: 'date' | 'month';
  /** In the order of ISO 8601. */
  readonly parts: readonly DatePart[];
  readonly isValid: (text: string) => text is Value;
  /** Reads what is not of ISO 8601. */
  readonly read: (text: string, language: Language) => Value | null;
  readonly write: (value: string, language: Language) => string;
  /** The message for a text that cannot be read. */
  readonly flawOf: (text: string, label: string, language: Language) => string;
}

function calendarField<Value extends string, Required extends string | undefined>(
  options: DateOptions<Required>,
  { type, parts, isValid, read, write, flawOf }: CalendarKind<Value>,
): Field<Optional<Required, Value, null>> {
  const { label, as } = options;
  const check = (value: Value, language: Language) =>
    checkLimits(options, value, language, (limit) => write(limit, language));
  const show = (value: Value, { language }: Given) => write(value, language);
  if (as === 'parts') {
    const inputs = joinParts(parts);
    return defineField(options, {
      control: type,
      frame: 'legend',
      inputs,
      normalize: normalizeCode,
      empty: null,
      limits: rangeOf(options),
      attributes: { inputmode: 'numeric' },
      show,
      draw: (control) => drawParts(control, parts),
      parse(text, { language }) {
        const { value, flaw } = readParts(inputs.split(text), parts, language);
        return isValid(value) ? check(value, language) : problem(flaw(language.translate(label)));
      },
    });
  }
  return defineField(options, {
    attributes: { type },
    limits: rangeOf(options),
    normalize: normalizeCode,
    empty: null,
    show,
    draw: (control) => drawPicker(control, options, isValid(control.text)),
    parse(text, { language }) {
      const value = isValid(text) ? text : read(text, language);
      return value === null
        ? problem(flawOf(text, language.translate(label), language))
        : check(value, language);
    },
  });
}
