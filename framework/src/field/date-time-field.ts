/** A local time of a day in a zone means an instant. */
import type { Advice } from '../http/advice.ts';
import {
  checkOptions,
  LIST,
  needed,
  type OptionKind,
  type OptionKinds,
  TEXT,
} from '../http/check-options.ts';
import type { Checked } from '../language/formats.ts';
import type { Language } from '../language/language.ts';
import { isDate, isTime } from '../language/plain-date.ts';
import { amountField } from './amount-field.ts';
import { type AsText, checkLimits, type Limit, rangeOf } from './check-limits.ts';
import { drawPicker, limitOf, toAttributes } from './draw-picker.ts';
import {
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  type Optional,
  ok,
  type Parsed,
  problem,
} from './field.ts';
import {
  findZone,
  splitOffset,
  toDoubtful,
  toInstant,
  writeOffset,
  type Zone,
} from './time-zone.ts';

/** A date and a time without a zone, such as `2026-11-23T14:30`. */
export type PlainDateTime = Checked<'PlainDateTime'>;
/** Such as `2026-11-23T13:30:00Z`. */
export type Instant = Checked<'Instant'>;

/** A local date and time, its zone, and the instant that they mean. */
export interface ZonedTime<Name extends string = string> {
  readonly local: PlainDateTime;
  /** By the tz database, such as `Europe/Berlin`. */
  readonly zone: Name;
  readonly instant: Instant;
}

export interface DateTimeOptions<Name extends string, Required extends string | undefined>
  extends FieldOptions<string, Required> {
  /** Such as `Europe/Berlin`; or several, of which the user chooses one. */
  readonly zone: Name | readonly Name[];
  /** In local time, such as `2026-11-23T09:00`. */
  readonly min?: Limit | Advice<AsText>;
  readonly max?: Limit | Advice<AsText>;
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
} satisfies OptionKinds<DateTimeOptions<string, undefined>>;

/**
 * A date and a time in a time zone. Of a time that exists twice, when clocks are put back, the first is meant, unless
 * the offset of the zone stands behind it; a form is filled with it, as in `10/25/2026 2:30 AM +01:00`. A time that
 * does not exist, when clocks are put forward, becomes one that does: 02:30 becomes 03:30. Without `required`, the
 * value may be null.
 */
export function dateTimeField<
  const Name extends string,
  Required extends string | undefined = undefined,
>(options: DateTimeOptions<Name, Required>): Field<Optional<Required, ZonedTime<Name>, null>> {
  checkOptions('dateTimeField', options, DATE_TIME_KINDS);
  const { label } = options;
  const zones = toZones(label, [options.zone].flat());
  const picker = { type: 'datetime-local' };
  /** Of a time that exists twice, and else empty. */
  const offsetOf = ({ local, zone, instant }: ZonedTime<Name>) => {
    const known = zones.get(zone);
    const offset =
      known === undefined ? null : toDoubtful(Date.parse(`${local}Z`), Date.parse(instant), known);
    return offset === null ? '' : writeOffset(offset);
  };
  return amountField(options, options.zone, {
    control: 'date-time',
    limits: rangeOf(options),
    attributes: typeof options.zone === 'string' ? picker : {},
    names: ['dateTime', 'zone'],
    join: (local, zone) => `${local}[${zone}]`,
    split(text) {
      const at = text.endsWith(']') ? text.lastIndexOf('[') : -1;
      return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1, -1)];
    },
    draw: (control) => drawPicker(control, options, isDateTime(control.text)),
    inputAttributes: (local) =>
      local === '' || isDateTime(local) ? { ...picker, ...toAttributes(options) } : {},
    parse(typed, zone, language): Parsed<ZonedTime<Name>> {
      const { words, translate } = language;
      const write = (local: string) => writeDateTime(local, language);
      const sent = readDateTime(typed, language);
      const { rest, offset } = (sent === null ? splitOffset(typed) : null) ?? {};
      const local = rest === undefined ? sent : readDateTime(rest, language);
      const known = zones.get(zone) as Zone;
      const instant = local === null ? null : toInstant(Date.parse(`${local}Z`), known, offset);
      if (local === null || instant === null)
        return problem(words.noDateTime(translate(label), write('2026-11-23T14:30')));
      const parsed = checkLimits(options, local, language, write);
      return parsed.ok ? ok(toZoned(instant, zone, known)) : parsed;
    },
    toStored: ({ instant, zone }) => [instant, zone],
    fromStored: (instant, zone) => toZoned(Date.parse(instant), zone, zones.get(zone) as Zone),
    toText(value, language) {
      const offset = offsetOf(value);
      const { local, zone } = value;
      return [offset === '' ? local : `${writeDateTime(local, language)} ${offset}`, zone];
    },
    show(value, { language }) {
      const { local, zone } = value;
      const [date = '', time = ''] = local.split('T');
      const shown = [language.formatDate(date), language.formatTime(time), offsetOf(value)];
      return [...shown, zones.size === 1 ? '' : zone].filter((text) => text !== '').join(' ');
    },
  });
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

/** As browsers send it, or a date and a time as the language writes them. */
function readDateTime(text: string, language: Language): PlainDateTime | null {
  const sent = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::00(?:\.0+)?)?$/.exec(text);
  const read = sent?.slice(1) ?? readInTwo(text, language);
  if (read === null) return null;
  const local = read.join('T');
  return isDateTime(local) ? local : null;
}

/** Characters. A longer text is no date. */
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

function isDateTime(text: string): text is PlainDateTime {
  const [date = '', time = ''] = text.split('T');
  return text.length === 16 && isDate(date) && isTime(time);
}

function writeDateTime(local: string, { formatDate, formatTime }: Language): string {
  const [date = '', time = ''] = local.split('T');
  return `${formatDate(date, 'numeric')} ${formatTime(time)}`;
}

function toZoned<Name extends string>(instant: number, name: Name, zone: Zone): ZonedTime<Name> {
  const local = new Date(instant + zone.offsetAt(instant)).toISOString();
  return {
    local: local.slice(0, 16) as PlainDateTime,
    zone: name,
    instant: `${new Date(instant).toISOString().slice(0, -5)}Z` as Instant,
  };
}
