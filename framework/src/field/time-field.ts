/** Times of a day. A value is text of ISO 8601, such as `14:30`. */
import type { Advice } from '../http/advice.ts';
import {
  checkOptions,
  type OptionKind,
  type OptionKinds,
  WHOLE_NUMBER,
} from '../http/check-options.ts';
import type { Language } from '../language/language.ts';
import { isTime, type PlainTime } from '../language/plain-date.ts';
import { type AsText, checkLimits, type Limit, rangeOf, toLimit } from './check-limits.ts';
import { drawPicker, limitOf } from './draw-picker.ts';
import { writeDuration } from './duration-field.ts';
import {
  defineField,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  type Optional,
  problem,
} from './field.ts';
import { normalizeCode } from './normalize-text.ts';

export interface TimeOptions<Required extends string | undefined>
  extends FieldOptions<string, Required> {
  readonly min?: Limit | Advice<AsText>;
  readonly max?: Limit | Advice<AsText>;
  /** In seconds, from `min` or midnight on; 60 by default. Below 60, the value has seconds. */
  readonly step?: number;
}

const STEP: OptionKind = {
  noun: 'a number of seconds from 1 to 86,400',
  accepts: (value) =>
    WHOLE_NUMBER.accepts(value) && (value as number) > 0 && (value as number) <= 86_400,
};

const TIME_KINDS = {
  ...FIELD_KINDS,
  min: limitOf(isTime, "'09:00'"),
  max: limitOf(isTime, "'17:30'"),
  step: STEP,
} satisfies OptionKinds<TimeOptions<undefined>>;

/** A time of day. Without `required`, the value may be null. */
export function timeField<Required extends string | undefined = undefined>(
  options: TimeOptions<Required>,
): Field<Optional<Required, PlainTime, null>> {
  checkOptions('timeField', options, TIME_KINDS);
  const { label, step = 60 } = options;
  return defineField(options, {
    attributes: { type: 'time', ...(step === 60 ? {} : { step: `${step}` }) },
    normalize: normalizeCode,
    empty: null,
    limits: rangeOf(options),
    show: (time, { language }) => language.formatTime(time),
    draw: (control) => drawPicker(control, options, isTime(control.text)),
    parse(text, { language }) {
      const { words, translate, formatTime } = language;
      const time = readTime(text, step, language);
      if (time === null) return problem(words.noTime(translate(label), formatTime('14:30')));
      const start = toSeconds(toLimit(options.min) ?? '00:00');
      if ((toSeconds(time) - start) % step === 0)
        return checkLimits(options, time, language, formatTime);
      const example = new Date((start + step) * 1_000).toISOString().slice(11, 16);
      return problem(words.notInSteps(translate(label), writeDuration(step), formatTime(example)));
    },
  });
}

/** With seconds only if the step needs them; null for what is no time. */
function readTime(text: string, step: number, { parseTime }: Language): PlainTime | null {
  const time = isTime(text) ? text : parseTime(text.replace(/^(\d{2}:\d{2}:\d{2})\.0+$/, '$1'));
  if (time === null) return null;
  const minutes = time.slice(0, 5);
  const seconds = time.slice(6) || '00';
  if (step % 60 !== 0) return `${minutes}:${seconds}` as PlainTime;
  return seconds === '00' ? (minutes as PlainTime) : null;
}

function toSeconds(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
}
