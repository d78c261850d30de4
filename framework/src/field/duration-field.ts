/** Durations, by inputs for hours and minutes or as a text such as `1:30`. */
import {
  COUNT,
  checkOptions,
  type OptionKind,
  type OptionKinds,
  oneOf,
} from '../http/check-options.ts';
import type { Html } from '../http/html.ts';
import { unifyCharacters } from '../language/characters.ts';
import type { Language } from '../language/language.ts';
import { checkLimits } from './check-limits.ts';
import { drawInputs } from './draw-inputs.ts';
import {
  type DrawnControl,
  defineField,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  type Inputs,
  type Optional,
  problem,
} from './field.ts';
import { normalizeCode } from './normalize-text.ts';

export interface DurationOptions<Required extends string | undefined>
  extends Omit<FieldOptions<string, Required>, 'default'> {
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
  as: oneOf('parts', 'text'),
} satisfies OptionKinds<DurationOptions<undefined>>;

const INPUTS: Inputs = {
  names: ['hours', 'minutes'],
  join: (texts) => (texts.every((text) => text.trim() === '') ? '' : texts.join(':')),
  split(text) {
    const [hours = '', ...others] = text.split(':');
    return [hours, others.join(':')];
  },
};

/** Hours and minutes. The value is a number of seconds; without `required`, it may be null. */
export function durationField<Required extends string | undefined = undefined>(
  options: DurationOptions<Required>,
): Field<Optional<Required, number, null>> {
  checkOptions('durationField', options, DURATION_KINDS);
  const { label, min = 0, max = Number.MAX_SAFE_INTEGER, step = 60, as = 'parts' } = options;
  const blank = options.default === undefined ? '' : writeDuration(options.default);
  return defineField(
    { ...options, default: blank },
    {
      ...(as === 'parts'
        ? {
            control: 'duration',
            frame: 'legend',
            inputs: INPUTS,
            draw: drawDuration,
            attributes: { inputmode: 'numeric' },
          }
        : {}),
      limits: { min, max },
      normalize: normalizeCode,
      empty: null,
      parse(typed, { language }) {
        const text = unifyCharacters(typed);
        const { words, translate } = language;
        const seconds = readDuration(text, language);
        if (seconds === null) return problem(words.noDuration(translate(label), '1:30'));
        const parsed = checkLimits(options, seconds, language, writeDuration);
        if (!parsed.ok || (seconds - min) % step === 0) return parsed;
        const example = writeDuration(min + step);
        return problem(words.notInSteps(translate(label), writeDuration(step), example));
      },
      toText: writeDuration,
    },
  );
}

/** Characters. A longer text is no duration. */
const MAX_LENGTH = 100;

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

/** Such as `1:30`. */
export function writeDuration(seconds: number): string {
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
