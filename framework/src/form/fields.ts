/**
 * The kinds of fields. Each parses the submitted text into a value or an error message that says
 * what to do: "Enter a name", "Name must be 120 characters or less".
 *
 * Lengths are counted in characters (Unicode code points) after trimming and NFC normalisation.
 */
import {
  COUNT,
  checkOptions,
  FLAG,
  needed,
  type OptionKind,
  type OptionKinds,
  or,
  SENTENCE,
  TEXT,
  WHOLE_NUMBER,
} from '../http/check-options.ts';
import {
  describeField,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  normalizeText,
  ok,
  problem,
} from './field.ts';

export interface TextOptions extends FieldOptions {
  /** The error message for an empty field. Without it, the field is optional. */
  readonly required?: string;
  readonly minLength?: number;
  readonly maxLength: number;
  /** The text must match `matches`; otherwise `message` is the error. */
  readonly pattern?: { readonly matches: RegExp; readonly message: string };
  readonly multiline?: boolean;
}

const PATTERN: OptionKind = {
  noun: 'an object',
  example: "{ matches: /^[A-Z]{2}$/, message: 'Enter two letters' }",
  accepts: (value) => {
    const { matches, message } = (value ?? {}) as { matches?: unknown; message?: unknown };
    return matches instanceof RegExp && SENTENCE.accepts(message);
  },
};

const TEXT_KINDS = {
  ...FIELD_KINDS,
  required: SENTENCE,
  minLength: COUNT,
  maxLength: needed(COUNT, '120'),
  pattern: PATTERN,
  multiline: FLAG,
} satisfies OptionKinds<TextOptions>;

/** A text. The value is trimmed, in NFC, with line ends as LF. `multiline` makes it a `<textarea>`. */
export function textField(options: TextOptions): Field<string> {
  checkOptions('textField', options, TEXT_KINDS);
  const { label, required, minLength = 0, maxLength, pattern } = options;
  const isRequired = required !== undefined;
  return {
    ...describeField(options, isRequired, {
      minLength: Math.max(minLength, isRequired ? 1 : 0),
      maxLength,
    }),
    control: options.multiline === true ? 'multiline' : 'text',
    parse(typed) {
      const text = normalizeText(typed);
      if (text === '') return required === undefined ? ok('') : problem(required);
      const length = countCharacters(text);
      if (length > maxLength)
        return problem(`${label} must be ${format(maxLength)} characters or less`);
      if (length < minLength)
        return problem(`${label} must be ${format(minLength)} characters or more`);
      if (pattern !== undefined && !pattern.matches.test(text)) return problem(pattern.message);
      return ok(text);
    },
  };
}

export interface WholeNumberOptions<Default extends number | null = number> extends FieldOptions {
  readonly min: number;
  readonly max: number;
  /** The error message for an empty field. Without it, an empty field has the value `default`. */
  readonly required?: string;
  /** What stands in an empty form, too. With null, the field starts empty. */
  readonly default: Default;
}

const WHOLE_NUMBER_KINDS = {
  ...FIELD_KINDS,
  min: needed(WHOLE_NUMBER, '0'),
  max: needed(WHOLE_NUMBER, '1_000'),
  required: SENTENCE,
  default: needed(or(WHOLE_NUMBER, null), '1'),
} satisfies OptionKinds<WholeNumberOptions>;

/** A whole number from `min` to `max`. An empty field has the value `default`, unless it is `required`. */
export function wholeNumberField<Default extends number | null>(
  options: WholeNumberOptions<Default>,
): Field<number | Default> {
  checkOptions('wholeNumberField', options, WHOLE_NUMBER_KINDS);
  const { label, min, max, required, default: defaultValue } = options;
  return {
    ...describeField(options, required !== undefined, { min, max }),
    initial: options.initial ?? String(defaultValue ?? ''),
    control: 'text',
    attributes: { inputmode: 'numeric', ...options.attributes },
    parse(typed) {
      const text = normalizeText(typed);
      if (text === '') return required === undefined ? ok(defaultValue) : problem(required);
      if (!/^[+-]?\d+$/.test(text)) return problem(`${label} must be a whole number, like 3`);
      const value = Number(text) + 0; // "-0" is 0.
      if (value < min || value > max) {
        return problem(`${label} must be between ${format(min)} and ${format(max)}`);
      }
      return ok(value);
    },
  };
}

/** Characters of a list. A longer one is refused before it is split. */
const MAX_LIST_LENGTH = 100_000;

export interface ListOptions extends FieldOptions {
  /** The name of one entry in error messages: "Tag". */
  readonly entry: string;
  readonly maxEntryLength: number;
  readonly maxEntries: number;
}

const LIST_KINDS = {
  ...FIELD_KINDS,
  entry: needed(TEXT, "'Tag'"),
  maxEntryLength: needed(COUNT, '40'),
  maxEntries: needed(COUNT, '20'),
} satisfies OptionKinds<ListOptions>;

/** A list separated by commas. Entries are trimmed; empty and repeated ones are dropped. */
export function listField(options: ListOptions): Field<readonly string[]> {
  checkOptions('listField', options, LIST_KINDS);
  const { label, entry, maxEntryLength, maxEntries } = options;
  return {
    ...describeField(options, false, { maxEntries, maxEntryLength }),
    control: 'text',
    parse(typed) {
      if (typed.length > MAX_LIST_LENGTH)
        return problem(`${label} must be ${format(maxEntries)} or fewer`);
      const entries = normalizeText(typed)
        .split(',')
        .map((one) => one.trim());
      const values = [...new Set(entries.filter((one) => one !== ''))];
      if (values.length > maxEntries)
        return problem(`${label} must be ${format(maxEntries)} or fewer`);
      const long = values.find((one) => countCharacters(one) > maxEntryLength);
      if (long === undefined) return ok(values);
      return problem(
        `${entry} “${shorten(long)}” must be ${format(maxEntryLength)} characters or less`,
      );
    },
  };
}

export interface PasswordOptions extends FieldOptions {
  readonly required: string;
  readonly minLength: number;
  readonly maxLength: number;
}

const PASSWORD_KINDS = {
  ...FIELD_KINDS,
  required: needed(SENTENCE, "'Enter a password'"),
  minLength: needed(COUNT, '8'),
  maxLength: needed(COUNT, '1_000'),
} satisfies OptionKinds<PasswordOptions>;

/** A password. It is neither trimmed nor normalized, and never shown on a page again. */
export function passwordField(options: PasswordOptions): Field<string> {
  checkOptions('passwordField', options, PASSWORD_KINDS);
  const { label, required, minLength, maxLength } = options;
  return {
    ...describeField(options, true, { minLength: Math.max(minLength, 1), maxLength }),
    control: 'password',
    parse(typed) {
      if (typed === '') return problem(required);
      const length = countCharacters(typed);
      if (length < minLength)
        return problem(`${label} must be ${format(minLength)} characters or more`);
      if (length > maxLength)
        return problem(`${label} must be ${format(maxLength)} characters or less`);
      return ok(typed);
    },
  };
}

/** A checkbox. Browsers send "on" when it is ticked, and nothing otherwise. */
export function checkboxField(options: FieldOptions): Field<boolean> {
  checkOptions('checkboxField', options, FIELD_KINDS);
  return {
    ...describeField(options, false),
    control: 'checkbox',
    parse: (typed) => ok(typed !== ''),
  };
}

export interface HiddenOptions {
  /**
   * Whether a draft carries the field through the log-in, so that its page fills it with what was sent:
   * for the version of a record that the form edits. With `alone`, such a field makes a draft also if nothing
   * was typed: for what a user has chosen. False by default.
   */
  readonly inDraft?: boolean | 'alone';
}

const HIDDEN_KINDS = {
  inDraft: {
    noun: "true, false or 'alone'",
    accepts: (value) => value === 'alone' || FLAG.accepts(value),
  },
} satisfies OptionKinds<HiddenOptions>;

/** A hidden field: `<input type="hidden">`. */
export function hiddenField(options: HiddenOptions = {}): Field<string> {
  checkOptions('hiddenField', options, HIDDEN_KINDS);
  const { inDraft = false } = options;
  return {
    ...describeField({ label: 'A hidden field' }, false),
    control: 'hidden',
    inDraft,
    parse: (typed) => ok(typed),
  };
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count++;
  return count;
}

function shorten(text: string): string {
  return countCharacters(text) > 20 ? `${[...text].slice(0, 20).join('')}…` : text;
}

function format(value: number): string {
  return value.toLocaleString('en');
}
