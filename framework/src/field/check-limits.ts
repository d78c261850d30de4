/** Inclusive limits of a value that compares with `<`: a number, or a date or a time of ISO 8601. */
import type { Language } from '../language/language.ts';
import { type Limits, ok, type Parsed, problem } from './field.ts';

/** A function for a limit that changes, such as the date of today. */
export type Limit<Value = string> = Value | (() => Value);

/** What the compiler says about a `Date` or a number as the limit of a date or a time. */
export type AsText = "Write a date or a time as text, such as '2026-11-23' or '09:00'";

export interface WithLimits<Value = string> {
  readonly label: string;
  readonly min?: Limit<Value> | undefined;
  readonly max?: Limit<Value> | undefined;
}

export function toLimit<Value extends string | number>(
  limit: Limit<Value> | undefined,
): Value | undefined {
  return typeof limit === 'function' ? limit() : limit;
}

/** As data: without those that change. */
export function rangeOf({ min, max }: WithLimits): Pick<Limits, 'earliest' | 'latest'> {
  return {
    ...(typeof min === 'string' ? { earliest: min } : {}),
    ...(typeof max === 'string' ? { latest: max } : {}),
  };
}

export function checkLimits<Bound extends string | number, Value extends Bound>(
  { label, min, max }: WithLimits<Bound>,
  value: Value,
  { words, translate }: Language,
  write: (limit: Bound) => string,
): Parsed<Value> {
  const [least, most] = [toLimit(min), toLimit(max)];
  const isLess = least !== undefined && value < least;
  const isMore = most !== undefined && value > most;
  if (!(isLess || isMore)) return ok(value);
  const name = translate(label);
  if (least !== undefined && most !== undefined)
    return problem(words.notBetween(name, write(least), write(most)));
  const isNumber = typeof value === 'number';
  if (isLess) return problem((isNumber ? words.tooSmall : words.tooEarly)(name, write(least)));
  return problem((isNumber ? words.tooLarge : words.tooLate)(name, write(most as Bound)));
}
