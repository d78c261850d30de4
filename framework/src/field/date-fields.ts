/**
 * Dates, months, times, and durations. A value is text of ISO 8601, such as `2026-11-23`: it compares with `<`, is stored
 * as it is, and `Temporal.PlainDate.from(value)` converts it. Dates are of the Gregorian calendar.
 *
 * A browser sends the same text for a picker in all languages, and shows a text field where it has no picker. So what
 * is typed is read by the language too.
 */
import {
  COUNT,
  checkOptions,
  LIST,
  needed,
  type OptionKind,
  type OptionKinds,
  TEXT,
} from '../http/check-options.ts';
import type { Html } from '../http/html.ts';
import type { Language } from '../language/language.ts';
import type { DatePart } from '../language/words.ts';
import { drawInputs } from './draw-inputs.ts';
import {
  type Checked,
  type DrawnControl,
  defineField,
  drawInput,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  type Inputs,
  normalizeText,
  type Optional,
  ok,
  type Parsed,
  problem,
} from './field.ts';
import { outside } from './number-fields.ts';
import { findZone, toInstant, type Zone } from './time-zone.ts';

/** A date such as `2026-11-23`, which exists, in the years 0001 to 9999. */
export type PlainDate = Checked<'PlainDate'>;
/** A month such as `2026-11`. */
export type PlainMonth = Checked<'PlainMonth'>;
/** A time such as `14:30`, or `14:30:15` if `step` allows seconds. */
export type PlainTime = Checked<'PlainTime'>;
/** A date and a time without a zone, such as `2026-11-23T14:30`. */
export type PlainDateTime = Checked<'PlainDateTime'>;
/** Such as `2026-11-23T13:30:00Z`. */
export type Instant = Checked<'Instant'>;

/** An inclusive limit; a function for one that changes, such as the date of today. */
type Limit = string | (() => string);

export interface DateOptions extends FieldOptions {
  readonly min?: Limit;
  readonly max?: Limit;
  /** `picker` by default: that of the browser. `parts` are inputs for the day, the month and the year. */
  readonly as?: 'picker' | 'parts';
}

function limitOf(isValid: (text: string) => boolean, example: string): OptionKind {
  return {
    noun: 'text or a function that returns it',
    example,
    accepts: (value) =>
      typeof value === 'function' || (typeof value === 'string' && isValid(value)),
  };
}

const AS_DATE: OptionKind = {
  noun: "'picker' or 'parts'",
  accepts: (value) => value === 'picker' || value === 'parts',
};

const DATE_KINDS = {
  ...FIELD_KINDS,
  min: limitOf(isDate, "'2026-11-23'"),
  max: limitOf(isDate, "'2026-11-23'"),
  as: AS_DATE,
} satisfies OptionKinds<DateOptions>;

/** A date. Without `required`, the value may be null. */
export function dateField<Required extends string | undefined = undefined>(
  options: DateOptions & { readonly required?: Required },
): Field<Optional<Required, PlainDate, null>> {
  checkOptions('dateField', options, DATE_KINDS);
  const field = calendarField(options, {
    type: 'date',
    parts: ['year', 'month', 'day'],
    isValid: isDate,
    read: (text, { parseDate }) => parseDate(text),
    write: (date, { formatDate }) => formatDate(date),
    refuse: ({ words, formatDate }, label) =>
      words.noDate(label, formatDate('2026-11-23', 'numeric')),
  });
  return field as unknown as Field<Optional<Required, PlainDate, null>>;
}

const MONTH_KINDS = {
  ...FIELD_KINDS,
  min: limitOf(isMonth, "'2026-11'"),
  max: limitOf(isMonth, "'2026-11'"),
  as: AS_DATE,
} satisfies OptionKinds<DateOptions>;

/** A month of a year. Firefox and Safari on a desktop have no picker for it. Without `required`, the value may be null. */
export function monthField<Required extends string | undefined = undefined>(
  options: DateOptions & { readonly required?: Required },
): Field<Optional<Required, PlainMonth, null>> {
  checkOptions('monthField', options, MONTH_KINDS);
  const field = calendarField(options, {
    type: 'month',
    parts: ['year', 'month'],
    isValid: isMonth,
    read: readMonth,
    write: writeMonth,
    refuse: (language, label) => language.words.noMonth(label, writeMonth('2026-11', language)),
  });
  return field as unknown as Field<Optional<Required, PlainMonth, null>>;
}

interface CalendarKind {
  readonly type: 'date' | 'month';
  /** In the order of ISO 8601. */
  readonly parts: readonly DatePart[];
  readonly isValid: (text: string) => boolean;
  /** Reads what is not of ISO 8601. */
  readonly read: (text: string, language: Language) => string | null;
  readonly write: (value: string, language: Language) => string;
  readonly refuse: (language: Language, label: string) => string;
}

function calendarField(options: DateOptions, kind: CalendarKind): Field<string | null> {
  const { type, parts, isValid } = kind;
  const inputs = joinParts(parts);
  const check = (value: string, language: Language) =>
    checkLimits(options, value, language, kind.write);
  if (options.as === 'parts') {
    return defineField<string, string, null>(options, {
      control: type,
      frame: 'legend',
      inputs,
      empty: null,
      attributes: { inputmode: 'numeric' },
      draw: (control) => drawParts(control, parts),
      parse(text, { language }) {
        const read = readParts(inputs.split(text), parts, language);
        if ('value' in read) return check(read.value, language);
        return problem(read.message(language, language.translate(options.label)));
      },
    });
  }
  return defineField<string, string, null>(options, {
    attributes: { type },
    empty: null,
    draw: (control) => drawPicker(control, options, isValid(control.text)),
    parse(text, { language }) {
      const label = language.translate(options.label);
      if (isValid(text)) return check(text, language);
      if (type === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(text))
        return problem(language.words.noRealDate(label));
      const value = kind.read(text, language);
      return value === null || !isValid(value)
        ? problem(kind.refuse(language, label))
        : check(value, language);
    },
  });
}

/** A picker would show nothing for a text that is not of its kind, and so lose it. */
function drawPicker(control: DrawnControl, { min, max }: WithLimits, isValid: boolean): Html {
  const { text, attributes } = control;
  if (text !== '' && !isValid) {
    const { step: _, ...others } = attributes;
    return drawInput({ ...control, attributes: { ...others, type: 'text' } });
  }
  const limits = { min: toLimit(min) ?? false, max: toLimit(max) ?? false };
  return drawInput({ ...control, attributes: { ...limits, ...attributes } });
}

interface WithLimits {
  readonly label: string;
  readonly min?: Limit | undefined;
  readonly max?: Limit | undefined;
}

function toLimit(limit: Limit | undefined): string | undefined {
  return typeof limit === 'function' ? limit() : limit;
}

function checkLimits<Value extends string>(
  { label, min, max }: WithLimits,
  value: Value,
  language: Language,
  write: (value: string, language: Language) => string,
): Parsed<Value> {
  const [earliest, latest] = [toLimit(min), toLimit(max)];
  const isEarly = earliest !== undefined && value < earliest;
  const isLate = latest !== undefined && value > latest;
  if (!(isEarly || isLate)) return ok(value);
  const { words, translate } = language;
  const name = translate(label);
  if (earliest !== undefined && latest !== undefined)
    return problem(words.notBetween(name, write(earliest, language), write(latest, language)));
  return problem(
    isEarly
      ? words.tooEarly(name, write(earliest, language))
      : words.tooLate(name, write(latest as string, language)),
  );
}

/** The parts as one text, of ISO 8601 if they are of it, else as typed, so that a page can show them again. */
function joinParts(parts: readonly DatePart[]): Inputs {
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

type PartsRead =
  | { readonly value: string }
  | {
      readonly wrong: readonly DatePart[];
      readonly message: (language: Language, label: string) => string;
    };

/** Says which parts are wrong: missing ones first, then what no date can have, then a date that does not exist. */
function readParts(
  texts: readonly string[],
  parts: readonly DatePart[],
  language: Language,
): PartsRead {
  const missing = parts.filter((_, at) => texts[at] === '');
  if (missing.length > 0) {
    return {
      wrong: missing,
      message: ({ words }, label) => words.datePartsMissing(label, missing.toReversed()),
    };
  }
  const [year = '', typedMonth = '', typedDay = '1'] = texts;
  const yearNumber = toNumber(year, language);
  if ([...year].length !== 4 || yearNumber === null)
    return { wrong: ['year'], message: ({ words }, label) => words.noYear(label) };
  const month = toNumber(typedMonth, language) ?? findMonth(typedMonth, language);
  const day = toNumber(typedDay, language);
  const pad = (number: number, length: number) => String(number).padStart(length, '0');
  const date = `${pad(yearNumber, 4)}-${pad(month ?? 0, 2)}-${pad(day ?? 0, 2)}`;
  if (isDate(date)) return { value: parts.length === 3 ? date : date.slice(0, 7) };
  const wrong: DatePart[] = [];
  if (month === null || month < 1 || month > 12) wrong.push('month');
  if (day === null || day < 1 || day > 31) wrong.push('day');
  return {
    wrong: wrong.length > 0 ? wrong : parts,
    message: ({ words }, label) => words.noRealDate(label),
  };
}

/** Null for what is not one to four digits. */
function toNumber(text: string, { parseDecimal }: Language): number | null {
  return /^\p{Nd}{1,4}$/u.test(text) ? Number(parseDecimal(text)) : null;
}

/** The number of a month by its name or the beginning of it, such as "jan". */
function findMonth(text: string, { code }: Language): number | null {
  const letters = text.toLowerCase().replaceAll(/\P{L}/gu, '');
  if (letters.length < 2 || text.length > 30) return null;
  const format = new Intl.DateTimeFormat(code, {
    month: 'long',
    calendar: 'gregory',
    timeZone: 'UTC',
  });
  const found = Array.from({ length: 12 }, (_, at) => at + 1).filter((month) =>
    format
      .format(Date.UTC(2000, month - 1))
      .toLowerCase()
      .startsWith(letters),
  );
  return found.length === 1 ? (found[0] as number) : null;
}

/** In the order of the language. */
function drawParts(control: DrawnControl, parts: readonly DatePart[]): Html {
  const { language, attributes, field, text, hasError } = control;
  const { inputs } = language.words;
  const read = hasError
    ? readParts(field.inputs?.split(text) ?? [], parts, language)
    : { wrong: [] };
  const isBirthday = attributes['autocomplete'] === 'bday';
  const drawn = orderOf(language)
    .filter((part) => parts.includes(part))
    .map((part) => ({
      name: part,
      label: inputs[part],
      attributes: {
        class: part,
        ...(isBirthday ? { autocomplete: `bday-${part}` } : {}),
      },
    }));
  return drawInputs(control, drawn, 'wrong' in read ? read.wrong : parts);
}

function orderOf({ code }: Language): readonly DatePart[] {
  const format = new Intl.DateTimeFormat(code, {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
  return format
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => type === 'day' || type === 'month' || type === 'year');
}

/** `11/2026`, or the name of a month before its year. */
function readMonth(text: string, language: Language): string | null {
  const [, month = '', year = ''] =
    /^([\p{L}\p{M}.]{2,30}|\d{1,2})[ ./-]*(\d{4})$/u.exec(text) ?? [];
  const number = toNumber(month, language) ?? findMonth(month, language);
  return number === null ? null : `${year}-${String(number).padStart(2, '0')}`;
}

function writeMonth(month: string, { code }: Language): string {
  const format = new Intl.DateTimeFormat(code, {
    month: 'long',
    year: 'numeric',
    calendar: 'gregory',
    timeZone: 'UTC',
  });
  return format.format(Date.parse(`${month}-01`));
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
  return year > 0 && day >= 1 && day <= days;
}

function isMonth(text: string): boolean {
  return /^\d{4}-\d{2}$/.test(text) && isDate(`${text}-01`);
}

export interface TimeOptions extends FieldOptions {
  readonly min?: Limit;
  readonly max?: Limit;
  /** In seconds, from `min` or midnight on; 60 by default. Below 60, the value has seconds. */
  readonly step?: number;
}

const STEP: OptionKind = {
  ...COUNT,
  noun: 'a number of seconds from 1 to 86,400',
  accepts: isStep,
};

function isStep(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= 86_400;
}

const TIME_KINDS = {
  ...FIELD_KINDS,
  min: limitOf(isTime, "'09:00'"),
  max: limitOf(isTime, "'17:30'"),
  step: STEP,
} satisfies OptionKinds<TimeOptions>;

/** A time of day. Without `required`, the value may be null. */
export function timeField<Required extends string | undefined = undefined>(
  options: TimeOptions & { readonly required?: Required },
): Field<Optional<Required, PlainTime, null>> {
  checkOptions('timeField', options, TIME_KINDS);
  const { label, step = 60 } = options;
  const write = (time: string, { formatTime }: Language) => formatTime(time);
  const field = defineField<string, string, null>(options, {
    attributes: { type: 'time', ...(step === 60 ? {} : { step: `${step}` }) },
    empty: null,
    draw: (control) => drawPicker(control, options, isTime(control.text)),
    parse(text, { language }) {
      const name = language.translate(label);
      const time = readTime(text, step, language);
      if (time === null) return problem(language.words.noTime(name, write('14:30', language)));
      const start = toSeconds(toLimit(options.min) ?? '00:00');
      const wrong = checkSteps(toSeconds(time), start, step, name, language);
      return wrong ?? checkLimits(options, time, language, write);
    },
  });
  return field as unknown as Field<Optional<Required, PlainTime, null>>;
}

/** With seconds only if the step needs them; null for what is no time. */
function readTime(text: string, step: number, { parseTime }: Language): string | null {
  const time = isTime(text) ? text : parseTime(text.replace(/^(\d{2}:\d{2}:\d{2})\.0+$/, '$1'));
  if (time === null) return null;
  if (step % 60 !== 0) return time.length === 5 ? `${time}:00` : time;
  return time.length === 5 ? time : time.endsWith(':00') ? time.slice(0, 5) : null;
}

function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(text);
}

function toSeconds(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
}

/** Null if the seconds are a whole number of steps. */
function checkSteps(
  seconds: number,
  start: number,
  step: number,
  label: string,
  { words, formatTime }: Language,
) {
  if ((seconds - start) % step === 0) return null;
  const example = new Date((start + step) * 1_000).toISOString().slice(11, 16);
  return problem(words.notInSteps(label, writeDuration(step), formatTime(example)));
}

/** A local date and time, its zone, and the instant that they mean. */
export interface ZonedTime<Zone extends string = string> {
  readonly local: PlainDateTime;
  /** By the tz database, such as `Europe/Berlin`. */
  readonly zone: Zone;
  readonly instant: Instant;
}

export interface DateTimeOptions<Zone extends string> extends FieldOptions {
  /** Such as `Europe/Berlin`; or several, of which the user chooses one. */
  readonly zone: Zone | readonly Zone[];
  /** In local time, such as `2026-11-23T09:00`. */
  readonly min?: Limit;
  readonly max?: Limit;
}

const ZONE: OptionKind = {
  noun: 'the name of a time zone or a list of them',
  accepts: (value) => TEXT.accepts(value) || (LIST.accepts(value) && (value as []).length > 0),
};

const DATE_TIME_KINDS = {
  ...FIELD_KINDS,
  zone: needed(ZONE, "'Europe/Berlin'"),
  min: limitOf(isDateTime, "'2026-11-23T09:00'"),
  max: limitOf(isDateTime, "'2026-11-23T09:00'"),
} satisfies OptionKinds<DateTimeOptions<string>>;

/**
 * A date and a time in a time zone. Of a time that exists twice, when clocks are put back, the first is meant; one that
 * does not exist, when they are put forward, becomes one that does: 02:30 becomes 03:30. Without `required`, the value may
 * be null.
 */
export function dateTimeField<
  const Zone extends string,
  Required extends string | undefined = undefined,
>(
  options: DateTimeOptions<Zone> & { readonly required?: Required },
): Field<Optional<Required, ZonedTime<Zone>, null>> {
  checkOptions('dateTimeField', options, DATE_TIME_KINDS);
  const { label } = options;
  const zones = toZones(label, [options.zone].flat());
  const [[first]] = [...zones] as [[Zone, unknown]];
  const isFixed = typeof options.zone === 'string';
  const inputs: Inputs = {
    names: ['dateTime', 'zone'],
    join: ([local = '', zone = '']) => (zone === '' ? local.trim() : `${local.trim()}[${zone}]`),
    split: splitZone,
  };
  const field = defineField<ZonedTime, string, null>(options, {
    ...(isFixed
      ? {
          attributes: { type: 'datetime-local' },
          draw: (control: DrawnControl) => drawPicker(control, options, isDateTime(control.text)),
        }
      : {
          control: 'date-time',
          frame: 'legend',
          inputs,
          draw: (control: DrawnControl) => drawZoned(control, options, [...zones.keys()]),
        }),
    // A chosen zone without a time is empty.
    normalize: (text) => (splitZone(text)[0] === '' ? '' : normalizeText(text)),
    empty: null,
    parse(text, { language }) {
      const [typed, name = ''] = splitZone(text);
      const zoneName = name === '' ? first : name;
      const zone = zones.get(zoneName);
      const local = readDateTime(typed, language);
      const { words, translate } = language;
      if (zone === undefined) return problem(words.noChoice(translate(label)));
      if (local === null)
        return problem(
          words.noDateTime(translate(label), writeDateTime('2026-11-23T14:30', language)),
        );
      const parsed = checkLimits(options, local, language, writeDateTime);
      return parsed.ok ? ok(toZoned(parsed.value, zoneName, zone)) : parsed;
    },
    toText: ({ local, zone }) => (isFixed ? local : `${local}[${zone}]`),
  });
  return field as unknown as Field<Optional<Required, ZonedTime<Zone>, null>>;
}

function toZones(label: string, names: readonly string[]): ReadonlyMap<string, Zone> {
  return new Map(
    names.map((name) => {
      const zone = findZone(name);
      if (zone !== null) return [name, zone];
      throw new TypeError(
        `Cannot define the field ${label} with the time zone ${JSON.stringify(name)}: use a name of the tz database, such as Europe/Berlin.`,
      );
    }),
  );
}

function splitZone(text: string): readonly [string, string] {
  const at = text.trim().endsWith(']') ? text.lastIndexOf('[') : -1;
  if (at < 0) return [text.trim(), ''];
  return [text.slice(0, at).trim(), text.trim().slice(at + 1, -1)];
}

/** As browsers send it, or a date and a time as the language writes them. */
function readDateTime(text: string, language: Language): string | null {
  const sent = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::00(?:\.0+)?)?$/.exec(text);
  const read = sent?.slice(1) ?? readInTwo(text, language);
  if (read === null) return null;
  const local = read.join('T');
  return isDateTime(local) ? local : null;
}

/** Characters. A longer text is no date and no duration. */
const MAX_LENGTH = 100;

function readInTwo(text: string, { parseDate, parseTime }: Language): readonly string[] | null {
  if (text.length > MAX_LENGTH) return null;
  for (const { index } of text.matchAll(/[ ,]+/g)) {
    const date = parseDate(text.slice(0, index));
    const time = date === null ? null : parseTime(text.slice(index).replace(/^[ ,]+/, ''));
    if (date !== null && time !== null) return [date, time.slice(0, 5)];
  }
  return null;
}

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.split('T');
  return text.length === 16 && isDate(date) && isTime(time);
}

function writeDateTime(local: string, { formatDate, formatTime }: Language): string {
  const [date = '', time = ''] = local.split('T');
  return `${formatDate(date, 'numeric')} ${formatTime(time)}`;
}

function toZoned(typed: string, name: string, zone: Zone): ZonedTime {
  const instant = toInstant(Date.parse(`${typed}Z`), zone);
  const local = new Date(instant + zone.offsetAt(instant)).toISOString();
  return {
    local: local.slice(0, 16) as PlainDateTime,
    zone: name,
    instant: `${new Date(instant).toISOString().slice(0, -5)}Z` as Instant,
  };
}

function drawZoned(
  control: DrawnControl,
  { min, max }: WithLimits,
  zones: readonly string[],
): Html {
  const { language, text } = control;
  const { inputs } = language.words;
  const [local = ''] = splitZone(text);
  const limits = { min: toLimit(min) ?? false, max: toLimit(max) ?? false };
  const isPicked = local === '' || isDateTime(local);
  const picker = isPicked ? { type: 'datetime-local', ...limits } : {};
  return drawInputs(control, [
    { name: 'dateTime', label: inputs.dateTime, attributes: picker },
    { name: 'zone', label: inputs.zone, choices: zones },
  ]);
}

export interface DurationOptions extends Omit<FieldOptions, 'default'> {
  /** In seconds. */
  readonly min?: number;
  /** In seconds. */
  readonly max?: number;
  /** In seconds, whole minutes; 60 by default. */
  readonly step?: number;
  /** What an empty form shows, in seconds. */
  readonly default?: number;
  /** `parts` by default: inputs for hours and minutes. A `text` is like 1:30. */
  readonly as?: 'parts' | 'text';
}

const MINUTES: OptionKind = {
  noun: 'a number of seconds that makes whole minutes',
  accepts: (value) => COUNT.accepts(value) && (value as number) % 60 === 0,
};

const DURATION_KINDS = {
  ...FIELD_KINDS,
  min: MINUTES,
  max: MINUTES,
  step: { ...MINUTES, accepts: (value) => value !== 0 && MINUTES.accepts(value) },
  default: MINUTES,
  as: {
    noun: "'parts' or 'text'",
    accepts: (value) => value === 'parts' || value === 'text',
  },
} satisfies OptionKinds<DurationOptions>;

/** Hours and minutes. The value is a number of seconds; without `required`, it may be null. */
export function durationField<Required extends string | undefined = undefined>(
  options: DurationOptions & { readonly required?: Required },
): Field<Optional<Required, number, null>> {
  checkOptions('durationField', options, DURATION_KINDS);
  const { label, min = 0, max = Number.MAX_SAFE_INTEGER, step = 60, as = 'parts' } = options;
  const blank = options.default === undefined ? '' : writeDuration(options.default);
  const inputs: Inputs = {
    names: ['hours', 'minutes'],
    join: (texts) => (texts.every((text) => text.trim() === '') ? '' : texts.join(':')),
    split(text) {
      const [hours = '', ...others] = text.split(':');
      return [hours, others.join(':')];
    },
  };
  const field = defineField<number, string, null>(
    { ...options, default: blank },
    {
      ...(as === 'parts'
        ? {
            control: 'duration',
            frame: 'legend',
            inputs,
            draw: drawDuration,
            attributes: { inputmode: 'numeric' },
          }
        : {}),
      limits: { min, max },
      empty: null,
      parse(text, { language }) {
        const { words, translate } = language;
        const seconds = readDuration(text, language);
        const name = translate(label);
        if (seconds === null) return problem(words.noDuration(name, '1:30'));
        if (seconds < min || seconds > max)
          return problem(outside(name, options, seconds, writeDuration, words));
        if ((seconds - min) % step === 0) return ok(seconds);
        return problem(words.notInSteps(name, writeDuration(step), writeDuration(min + step)));
      },
      toText: writeDuration,
    },
  );
  return field as Field<Optional<Required, number, null>>;
}

/** `1:30`, hours or minutes alone as `1:` and `:30`, and both with words: `1 h 30 min`, `90 min`. */
function readDuration(text: string, { words }: Language): number | null {
  if (text.length > MAX_LENGTH) return null;
  const [, hours = '', minutes = ''] =
    /^ *(\d{0,6}) *: *(\d{0,6}) *$/.exec(text) ??
    /^(?:PT)?(\d{1,6}) ?\p{L}[\p{L}.]{0,19} ?(?:(\d{1,6}) ?[\p{L}.]{0,20})?$/u.exec(text) ??
    [];
  if (hours === '' && minutes === '') return null;
  const unit = /\p{L}/u.exec(text.replace(/^PT/, ''))?.[0].toLowerCase();
  const isMinutes = minutes === '' && unit !== undefined && startsWith(words.inputs.minutes, unit);
  if (unit !== undefined && !isMinutes && unit !== 'h' && !startsWith(words.inputs.hours, unit))
    return null;
  const total = isMinutes ? Number(hours) : Number(hours) * 60 + Number(minutes);
  return total * 60;
}

function startsWith(word: string, letter: string): boolean {
  return word.toLowerCase().startsWith(letter);
}

function writeDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

function drawDuration(control: DrawnControl): Html {
  const { hours, minutes } = control.language.words.inputs;
  const [, typed = ''] = control.field.inputs?.split(control.text) ?? [];
  return drawInputs(
    control,
    [
      { name: 'hours', label: hours },
      { name: 'minutes', label: minutes },
    ],
    /^\d*$/.test(typed.trim()) ? [] : ['minutes'],
  );
}
