/**
 * The picker of a browser for dates and times. A browser sends the same text for it in all languages, and shows a text
 * field where it has none. So what is typed is read by the language too.
 */
import type { OptionKind } from '../http/check-options.ts';
import type { Html } from '../http/html.ts';
import type { Attributes } from './attributes.ts';
import { toLimit, type WithLimits } from './check-limits.ts';
import { type DrawnControl, drawInput } from './field.ts';

/** The option for a limit as text of ISO 8601. */
export function limitOf(isValid: (text: string) => boolean, example: string): OptionKind {
  return {
    noun: 'text of ISO 8601 for a real date or time, or a function that returns it',
    example,
    isShown: true,
    accepts: (value) =>
      typeof value === 'function' || (typeof value === 'string' && isValid(value)),
  };
}

/** A picker would show nothing for a text that is not of its kind, and so lose it. */
export function drawPicker(control: DrawnControl, limits: WithLimits, isValid: boolean): Html {
  const { text, attributes } = control;
  if (text === '' || isValid)
    return drawInput({ ...control, attributes: { ...toAttributes(limits), ...attributes } });
  const { step: _, ...others } = attributes;
  return drawInput({ ...control, attributes: { ...others, type: 'text' } });
}

/** The limits as attributes of a picker. */
export function toAttributes({ min, max }: WithLimits): Attributes {
  return { min: toLimit(min) ?? false, max: toLimit(max) ?? false };
}
