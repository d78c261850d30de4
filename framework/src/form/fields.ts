/**
 * The kinds of fields. Each parses the text that was typed into a value, or says what to do about
 * it: "Enter a name", "Name must be 120 characters or less".
 *
 * Lengths are counted in characters (Unicode code points) after trimming and NFC normalisation.
 */
import {
  describeField,
  type Field,
  type FieldOptions,
  normalizeText,
  ok,
  problem,
} from './field.ts';

export interface TextOptions extends FieldOptions {
  /** What to say when nothing was typed; without it the field is optional. */
  readonly missing?: string;
  readonly shortest?: number;
  readonly longest: number;
  /** The characters that the text is made of, and what to say of others. */
  readonly pattern?: { readonly matches: RegExp; readonly message: string };
  readonly multiline?: boolean;
}

/** Text: trimmed, NFC, line ends as LF. */
export function textField(options: TextOptions): Field<string> {
  const { label, missing, shortest = 0, longest, pattern } = options;
  const required = missing !== undefined;
  return {
    ...describeField(options, required, {
      shortest: Math.max(shortest, required ? 1 : 0),
      longest,
    }),
    control: options.multiline === true ? 'multiline' : 'text',
    parse(typed) {
      const text = normalizeText(typed);
      if (text === '') return missing === undefined ? ok('') : problem(missing);
      const length = countCharacters(text);
      if (length > longest)
        return problem(`${label} must be ${format(longest)} characters or less`);
      if (length < shortest)
        return problem(`${label} must be ${format(shortest)} characters or more`);
      if (pattern !== undefined && !pattern.matches.test(text)) return problem(pattern.message);
      return ok(text);
    },
  };
}

export interface WholeNumberOptions extends FieldOptions {
  readonly lowest: number;
  readonly highest: number;
  /** The value of an empty field. */
  readonly fallback: number;
}

export function wholeNumberField(options: WholeNumberOptions): Field<number> {
  const { label, lowest, highest, fallback } = options;
  return {
    ...describeField(options, false, { lowest, highest }),
    initial: options.initial ?? String(fallback),
    control: 'text',
    attributes: { inputmode: 'numeric', ...options.attributes },
    parse(typed) {
      const text = normalizeText(typed);
      if (text === '') return ok(fallback);
      if (!/^[+-]?\d+$/.test(text)) return problem(`${label} must be a whole number, like 3`);
      const value = Number(text) + 0; // "-0" is 0.
      if (value < lowest || value > highest) {
        return problem(`${label} must be between ${format(lowest)} and ${format(highest)}`);
      }
      return ok(value);
    },
  };
}

/** Characters of a list beyond which its entries are not even counted. */
const MOST_TYPED = 100_000;

export interface ListOptions extends FieldOptions {
  /** What one entry is called, in the singular: "Tag". */
  readonly entry: string;
  readonly longestEntry: number;
  readonly mostEntries: number;
}

/** Entries separated by commas: trimmed, without empty ones and without repeats. */
export function listField(options: ListOptions): Field<readonly string[]> {
  const { label, entry, longestEntry, mostEntries } = options;
  return {
    ...describeField(options, false, { mostEntries, longestEntry }),
    control: 'text',
    parse(typed) {
      if (typed.length > MOST_TYPED)
        return problem(`${label} must be ${format(mostEntries)} or fewer`);
      const entries = normalizeText(typed)
        .split(',')
        .map((one) => one.trim());
      const values = [...new Set(entries.filter((one) => one !== ''))];
      if (values.length > mostEntries)
        return problem(`${label} must be ${format(mostEntries)} or fewer`);
      const long = values.find((one) => countCharacters(one) > longestEntry);
      if (long === undefined) return ok(values);
      return problem(
        `${entry} “${shorten(long)}” must be ${format(longestEntry)} characters or less`,
      );
    },
  };
}

export interface PasswordOptions extends FieldOptions {
  readonly missing: string;
  readonly shortest: number;
  readonly longest: number;
}

/** A password: taken to the letter; `readForm` never gives it back. */
export function passwordField(options: PasswordOptions): Field<string> {
  const { label, missing, shortest, longest } = options;
  return {
    ...describeField(options, true, { shortest: Math.max(shortest, 1), longest }),
    control: 'password',
    parse(typed) {
      if (typed === '') return problem(missing);
      const length = countCharacters(typed);
      if (length < shortest)
        return problem(`${label} must be ${format(shortest)} characters or more`);
      if (length > longest)
        return problem(`${label} must be ${format(longest)} characters or less`);
      return ok(typed);
    },
  };
}

/** A box to tick: sent as "on", or not at all. */
export function checkboxField(options: FieldOptions): Field<boolean> {
  return {
    ...describeField(options, false),
    control: 'checkbox',
    parse: (typed) => ok(typed !== ''),
  };
}

/** Text that the page carries along unseen. */
export function hiddenField(): Field<string> {
  return {
    ...describeField({ label: 'A hidden field' }, false),
    control: 'hidden',
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
