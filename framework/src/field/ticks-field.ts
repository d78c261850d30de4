/**
 * The rows of a list that are ticked. The list draws a checkbox for each row, all with the name of the field, so a form
 * over ticks is a form like any other: it is checked, counts once, and a refused one shows its ticks again.
 */
import { COUNT, checkOptions, needed, type OptionKinds, oneOf } from '../http/check-options.ts';
import { html } from '../http/html.ts';
import {
  defineField,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  ok,
  type Parsed,
  problem,
} from './field.ts';

export interface TicksOptions<Of extends 'int' | 'text'>
  extends Omit<FieldOptions<readonly string[]>, 'default' | 'update' | 'listed' | 'attributes'> {
  /** What the keys of the rows are. */
  readonly of: Of;
  /** The most rows of one form; 500 by default. */
  readonly max?: number;
}

const { label, hint, required } = FIELD_KINDS;

const TICKS_KINDS = {
  ...{ label, hint, required },
  of: needed(oneOf('int', 'text')),
  max: COUNT,
} satisfies OptionKinds<TicksOptions<'int'>>;

const INT = /^(?:0|-?[1-9]\d{0,15})$/;
/** Characters. No key of a row is longer. */
const MAX_KEY_LENGTH = 200;

/**
 * The keys of the rows that are ticked, each once, in the order of the page. A row may have gone since the page was
 * drawn: `send` finds out.
 */
export function ticksField<const Of extends 'int' | 'text'>(
  options: TicksOptions<Of>,
): Field<readonly (Of extends 'int' ? number : string)[], readonly string[]> {
  checkOptions('ticksField', options, TICKS_KINDS);
  const { of, max = 500 } = options;
  type Key = Of extends 'int' ? number : string;
  return defineField<readonly Key[], readonly string[]>(options, {
    control: 'ticks',
    frame: 'legend',
    default: [],
    empty: [],
    limits: { minEntries: 0, maxEntries: max },
    toText: (keys) => keys.map(String),
    // Outside of a list, such as on the page of an error, they are kept as they are.
    draw: ({ name, text }) =>
      html`<span id="${name}" tabindex="-1">${text.map((one) => html`<input type="hidden" name="${name}" value="${one}">`)}</span>`,
    parse(texts, { language: { words, translate } }): Parsed<readonly Key[]> {
      const keys = [...new Set(texts)];
      if (keys.length > max) return problem(words.tooManyChoices(translate(options.label), max));
      if (!keys.every(of === 'int' ? isInt : isKey))
        return problem(words.noChoices(translate(options.label)));
      return ok((of === 'int' ? keys.map(Number) : keys) as unknown as readonly Key[]);
    },
  });
}

function isInt(text: string): boolean {
  return INT.test(text) && Number.isSafeInteger(Number(text));
}

function isKey(text: string): boolean {
  return text.length <= MAX_KEY_LENGTH;
}

/** Whether the part of a form is the ticks of a list. */
export function isTicks(part: unknown): boolean {
  return (part as Partial<Field<unknown>> | undefined)?.control === 'ticks';
}
