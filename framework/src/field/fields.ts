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
  FUNCTION,
  needed,
  type OptionKind,
  type OptionKinds,
  or,
  SENTENCE,
  TEXT,
  WHOLE_NUMBER,
} from '../http/check-options.ts';
import { type Html, html } from '../http/html.ts';
import type { Language } from '../language/language.ts';
import { writeAttributes } from './attributes.ts';
import {
  type Column,
  type DrawnControl,
  defineField,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  type Optional,
  ok,
  problem,
} from './field.ts';
import { normalizeCode, normalizeText } from './normalize-text.ts';

export interface TextOptions extends FieldOptions {
  readonly minLength?: number;
  readonly maxLength: number;
  /** The text must match `matches`; otherwise `message` is the error. */
  readonly pattern?: { readonly matches: RegExp; readonly message: string };
  readonly multiline?: boolean;
  /**
   * Whether it is a code that people copy, such as a username or the number of an order: characters in it that show
   * nothing, such as marks of direction, are removed. False by default.
   */
  readonly code?: boolean;
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
  minLength: COUNT,
  maxLength: needed(COUNT, '120'),
  pattern: PATTERN,
  multiline: FLAG,
  code: FLAG,
} satisfies OptionKinds<TextOptions>;

/**
 * A text. The value is trimmed, in NFC, and has one line: a line break or a tab in it becomes a space. `multiline`
 * makes it a `<textarea>`, with line ends as LF. Other control characters are removed, and a text that shows nothing is
 * empty.
 */
export function textField(options: TextOptions): Field<string> {
  checkOptions('textField', options, TEXT_KINDS);
  const { required, minLength = 0, maxLength, pattern } = options;
  const isMultiline = options.multiline === true;
  return defineField(options, {
    ...(isMultiline ? { control: 'multiline', draw: drawTextArea } : {}),
    ...(options.code === true ? { normalize: normalizeCode } : {}),
    limits: { minLength: Math.max(minLength, required === undefined ? 0 : 1), maxLength },
    empty: '',
    parse(text, { language }) {
      const flaw = flawOfLength(text, options, language);
      if (flaw !== null) return problem(flaw);
      if (pattern !== undefined && !pattern.matches.test(text)) return problem(pattern.message);
      return ok(text);
    },
  });
}

/**
 * HTML ignores a line break right after the opening tag. Writing one preserves an empty first line of the text.
 */
export function drawTextArea({ name, text, attributes }: DrawnControl): Html {
  const own = { id: name, name };
  return html`<textarea${writeAttributes({ ...own, rows: '6', ...attributes, ...own })}>\n${text}</textarea>`;
}

export interface WholeNumberOptions<
  Default extends number | null,
  Required extends string | undefined,
> extends Omit<FieldOptions<string, Required>, 'default'> {
  readonly min: number;
  readonly max: number;
  /** What stands in an empty form, and the value of an empty field that is not `required`. */
  readonly default: Default;
  /** False for a number that is no amount, such as a year: errors write 2100 and not 2,100. True by default. */
  readonly grouping?: boolean;
}

const WHOLE_NUMBER_KINDS = {
  ...FIELD_KINDS,
  min: needed(WHOLE_NUMBER, '0'),
  max: needed(WHOLE_NUMBER, '1_000'),
  default: needed(or(WHOLE_NUMBER, null), '1'),
  grouping: FLAG,
} satisfies OptionKinds<WholeNumberOptions<number, undefined>>;

const DIGITS = /^[+-]?\d+$/;

/** A whole number from `min` to `max`. An empty field has the value `default`, unless it is `required`. */
export function wholeNumberField<
  Default extends number | null,
  Required extends string | undefined = undefined,
>(options: WholeNumberOptions<Default, Required>): Field<Optional<Required, number, Default>> {
  checkOptions('wholeNumberField', options, WHOLE_NUMBER_KINDS);
  const { label, min, max, default: defaultValue, grouping = true } = options;
  return defineField(
    { ...options, default: String(defaultValue ?? '') },
    {
      attributes: { inputmode: 'numeric' },
      limits: { min, max },
      normalize: normalizeCode,
      empty: defaultValue,
      parse(text, { language }) {
        const { words, parseDecimal, translate, formatNumber } = language;
        const write = (limit: number) => formatNumber(limit, { grouping });
        const digits = DIGITS.test(text) ? text : parseDecimal(text);
        if (digits === null || !DIGITS.test(digits))
          return problem(words.noWholeNumber(translate(label)));
        const value = Number(digits) + 0; // "-0" is 0.
        if (value < min || value > max)
          return problem(
            grouping
              ? words.outOfRange(translate(label), min, max)
              : words.notBetween(translate(label), write(min), write(max)),
          );
        return ok(value);
      },
    },
  );
}

/** Characters of a list. A longer one is refused before it is split. */
const MAX_LIST_LENGTH = 100_000;

export interface ListOptions extends FieldOptions {
  /** The name of one entry in error messages: "Tag". */
  readonly entry: string;
  readonly maxEntryLength: number;
  readonly maxEntries: number;
  /** Entries with the same key are one, as the first is spelled: `(tag) => tag.toLowerCase()`. The entry by default. */
  readonly keyOf?: (entry: string) => string;
}

const LIST_KINDS = {
  ...FIELD_KINDS,
  entry: needed(TEXT, "'Tag'"),
  maxEntryLength: needed(COUNT, '40'),
  maxEntries: needed(COUNT, '20'),
  keyOf: FUNCTION,
} satisfies OptionKinds<ListOptions>;

/** A list in a column of text, as JSON. */
export function listColumn<T>(): Column<readonly T[]> {
  return { to: JSON.stringify, from: (stored) => JSON.parse(String(stored)) };
}

/** A list separated by commas. Entries are trimmed; empty and repeated ones are dropped. */
export function listField(options: ListOptions): Field<readonly string[]> {
  checkOptions('listField', options, LIST_KINDS);
  const { label, entry, maxEntryLength, maxEntries, keyOf = (one) => one } = options;
  return defineField<readonly string[]>(options, {
    limits: { maxEntries, maxEntryLength },
    normalize: (typed) => (typed.length > MAX_LIST_LENGTH ? typed : normalizeText(typed)),
    empty: [],
    toText: (entries) => entries.join(', '),
    column: listColumn(),
    parse(text, { language: { words, translate } }) {
      const tooMany = () => problem(words.tooManyEntries(translate(label), maxEntries));
      if (text.length > MAX_LIST_LENGTH) return tooMany();
      const entries = text.split(',').map(normalizeText);
      const given = entries.filter((one) => one !== '');
      const values = [...Map.groupBy(given, keyOf).values()].flatMap(([first]) => first ?? []);
      if (values.length > maxEntries) return tooMany();
      const long = values.find((one) => countCharacters(one) > maxEntryLength);
      if (long === undefined) return ok(values);
      return problem(words.entryTooLong(translate(entry), shorten(long), maxEntryLength));
    },
  });
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
  const { minLength, maxLength } = options;
  return defineField(options, {
    control: 'password',
    isSecret: true,
    draw: drawPassword,
    limits: { minLength: Math.max(minLength, 1), maxLength },
    normalize: (typed) => typed,
    parse(typed, { language }) {
      const flaw = flawOfLength(typed, options, language);
      return flaw === null ? ok(typed) : problem(flaw);
    },
  });
}

export function drawPassword({ name, attributes }: DrawnControl): Html {
  const own = { type: 'password', id: name, name, value: false };
  return html`<input${writeAttributes({ ...own, ...attributes, ...own })}>`;
}

const CHECKBOX_KINDS = { ...FIELD_KINDS, default: FLAG };

/**
 * A checkbox. Browsers send "on" when it is ticked, and nothing otherwise. `required` is for one that must be ticked.
 */
export function checkboxField(
  options: Omit<FieldOptions, 'default'> & {
    /** Whether it is ticked in an empty form. */
    readonly default?: boolean;
  },
): Field<boolean> {
  checkOptions('checkboxField', options, CHECKBOX_KINDS);
  return defineField(
    { ...options, default: options.default === true ? 'on' : '' },
    {
      control: 'checkbox',
      frame: 'after',
      draw({ name, text, attributes }) {
        const own = { type: 'checkbox', id: name, name, checked: text !== '' };
        return html`<input${writeAttributes({ ...own, ...attributes, ...own })}>`;
      },
      normalize: (typed) => typed,
      empty: false,
      parse: () => ok(true),
      toText: (isTicked) => (isTicked ? 'on' : ''),
      column: { to: Number, from: Boolean },
      show: (isTicked, { language: { words } }) => (isTicked ? words.ticked : words.notTicked),
    },
  );
}

export interface HiddenOptions {
  /**
   * Whether a draft carries the field through the log-in, so that its page fills it with what was sent:
   * for the version of a record that the form edits. With `alone`, such a field makes a draft also if nothing
   * was typed: for what a user has chosen. False by default, and true for a revision.
   */
  readonly inDraft?: boolean | 'alone';
  /**
   * Whether it says what the page was made of, such as the version of a record. It is empty if the browser has put text
   * into the page that was typed on an earlier one: compare it with what is stored, and refuse an empty one. A form
   * with other hidden fields alone is then shown again by itself. False by default.
   */
  readonly revision?: boolean;
}

const HIDDEN_KINDS = {
  inDraft: {
    noun: "true, false or 'alone'",
    accepts: (value) => value === 'alone' || FLAG.accepts(value),
  },
  revision: FLAG,
} satisfies OptionKinds<HiddenOptions>;

/** A hidden field: `<input type="hidden">`. */
export function hiddenField(options: HiddenOptions = {}): Field<string> {
  checkOptions('hiddenField', options, HIDDEN_KINDS);
  const { revision = false, inDraft = revision } = options;
  return defineField(
    { label: 'A hidden field' },
    {
      control: 'hidden',
      draw: null,
      inDraft,
      isRevision: revision,
      normalize: (typed) => typed,
      parse: ok<string>,
    },
  );
}

/** The message for a text that is too long or too short; null if it is neither. */
export function flawOfLength(
  text: string,
  { label, minLength = 0, maxLength }: Pick<TextOptions, 'label' | 'minLength' | 'maxLength'>,
  { words, translate }: Language,
): string | null {
  const length = countCharacters(text);
  if (length > maxLength) return words.tooLong(translate(label), maxLength);
  return length < minLength ? words.tooShort(translate(label), minLength) : null;
}

/** A pair of surrogates is one. To iterate over the text would make a text of each character. */
function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++)
    if (isPair(text.charCodeAt(at - 1), text.charCodeAt(at))) count--;
  return count;
}

function isPair(first: number, second: number): boolean {
  return (first & 0xfc00) === 0xd800 && (second & 0xfc00) === 0xdc00;
}

function shorten(text: string): string {
  return countCharacters(text) > 20 ? `${[...text].slice(0, 20).join('')}…` : text;
}
