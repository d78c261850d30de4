/**
 * Texts of a known form: addresses of e-mail and the web, telephone numbers, colours, and the text of a search.
 *
 * The defaults of `autocomplete` are for what users say about themselves. For other people, such as in rows, pass
 * `attributes: { autocomplete: 'off' }`.
 */
import { COUNT, checkOptions, type OptionKind, type OptionKinds } from '../http/check-options.ts';
import { unifyCharacters } from '../language/characters.ts';
import type { Words } from '../language/words.ts';
import {
  defineField,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  type Optional,
  ok,
  type Parsed,
  problem,
  WITHOUT_REQUIRED,
} from './field.ts';
import { flawOfLength, textField } from './fields.ts';
import { normalizeCode } from './normalize-text.ts';

/** The options of a text of one line. */
export interface LineOptions<Required extends string | undefined = string | undefined>
  extends FieldOptions<string, Required> {
  readonly minLength?: number;
  readonly maxLength?: number;
}

const LINE_KINDS = {
  ...FIELD_KINDS,
  minLength: COUNT,
  maxLength: COUNT,
} satisfies OptionKinds<LineOptions>;

interface LineKind {
  readonly maxLength: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly read: (text: string, maxLength: number) => string | null;
  /** The message for a text that `read` refuses. */
  readonly refuse: (words: Words, label: string) => string;
}

function lineField<Required extends string | undefined>(
  options: LineOptions<Required>,
  kind: LineKind,
): Field<Optional<Required, string, null>> {
  const { label, minLength = 0, maxLength = kind.maxLength } = options;
  return defineField(options, {
    attributes: kind.attributes,
    limits: { minLength: Math.max(minLength, 1), maxLength },
    normalize: normalizeCode,
    empty: null,
    parse(text, { language }): Parsed<string> {
      const flaw = flawOfLength(text, { label, minLength, maxLength }, language);
      if (flaw !== null) return problem(flaw);
      const value = kind.read(text, maxLength);
      const { words, translate } = language;
      return value === null ? problem(kind.refuse(words, translate(label))) : ok(value);
    },
  });
}

/** Labels of letters, digits and hyphens, at least two of them: "ada@localhost" is a slip of a user. */
const EMAIL =
  /^[^\s@<>()[\]\\,;:"]+@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}]$/u;

/** An e-mail address as it was typed, at most 254 characters long; letters of all scripts are allowed. */
export function emailField<Required extends string | undefined = undefined>(
  options: LineOptions<Required>,
): Field<Optional<Required, string, null>> {
  checkOptions('emailField', options, LINE_KINDS);
  return lineField(options, {
    maxLength: 254,
    attributes: {
      type: 'email',
      autocomplete: 'email',
      autocapitalize: 'none',
      spellcheck: 'false',
    },
    read: (text) => (isEmail(text) ? text : null),
    refuse: (words, label) => words.noEmail(label),
  });
}

/** Whether a mail may be sent to it. */
export function isEmail(text: string): boolean {
  const [name = ''] = text.split('@');
  const hasLonelyDot = name.startsWith('.') || name.endsWith('.') || name.includes('..');
  return !hasLonelyDot && name.length <= 64 && EMAIL.test(text);
}

/**
 * The address of a web page, with `http:` or `https:`. The value is as `URL` writes it. A link with another scheme,
 * such as `javascript:`, could run a script on the page that shows it.
 */
export function urlField<Required extends string | undefined = undefined>(
  options: LineOptions<Required>,
): Field<Optional<Required, string, null>> {
  checkOptions('urlField', options, LINE_KINDS);
  return lineField(options, {
    maxLength: 2_000,
    attributes: { type: 'url', autocomplete: 'url', autocapitalize: 'none', spellcheck: 'false' },
    read(text, maxLength) {
      // `URL` would complete `https:example.org`, and drop line breaks.
      if (!/^https?:\/\/[^\s/?#\\]\S*$/i.test(text)) return null;
      const href = URL.parse(text)?.href ?? null;
      // Escapes make it longer, and the form must accept it again.
      return href === null || href.length > maxLength ? null : href;
    },
    refuse: (words, label) => words.noUrl(label),
  });
}

/** With spaces, brackets, hyphens, a country code and an extension. */
const TELEPHONE = /^\+?[\d ().\-/]+(?:(?:ext\.?|x|#) ?\d{1,6})?$/i;

/**
 * A telephone number as it was typed, such as `+44 808 157 0192`, with the digits 0 to 9 and hyphens. It has 3 to 21
 * digits.
 */
export function telephoneField<Required extends string | undefined = undefined>(
  options: LineOptions<Required>,
): Field<Optional<Required, string, null>> {
  checkOptions('telephoneField', options, LINE_KINDS);
  return lineField(options, {
    maxLength: 50,
    attributes: { type: 'tel', autocomplete: 'tel' },
    read(text) {
      const number = unifyCharacters(text).replaceAll(/ +/g, ' ');
      const digits = number.replaceAll(/\D/g, '').length;
      return TELEPHONE.test(number) && digits >= 3 && digits <= 21 ? number : null;
    },
    refuse: (words, label) => words.noTelephone(label),
  });
}

/** The text of a search; empty text if it is empty. At most 200 characters, unless `maxLength` allows more. */
export function searchField(options: LineOptions): Field<string> {
  checkOptions('searchField', options, LINE_KINDS);
  const attributes = { type: 'search', autocomplete: 'off', enterkeyhint: 'search' };
  return textField({
    maxLength: 200,
    ...options,
    attributes: { ...attributes, ...options.attributes },
  });
}

/** `#` and six hexadecimal digits in lower case. */
export type Color = `#${string}`;

export interface ColorOptions extends Omit<FieldOptions, 'required' | 'default'> {
  /** Black by default. */
  readonly default?: Color;
}

const COLOR: OptionKind = {
  noun: 'a colour',
  example: "'#1d70b8'",
  accepts: (value) => typeof value === 'string' && /^#[\da-f]{6}$/.test(value),
};

const COLOR_KINDS = {
  ...WITHOUT_REQUIRED,
  default: COLOR,
} satisfies OptionKinds<ColorOptions>;

/** A colour. It has no `required`, because a browser sends a colour always: for "no colour" use `choiceGroup`. */
export function colorField(options: ColorOptions): Field<Color> {
  checkOptions('colorField', options, COLOR_KINDS);
  const { label } = options;
  const field = defineField<Color>(options, {
    attributes: { type: 'color' },
    default: '#000000',
    parse(text, { language }) {
      const colour = text.toLowerCase();
      if (COLOR.accepts(colour)) return ok(colour as Color);
      return problem(language.words.noColor(language.translate(label)));
    },
  });
  return { ...field, required: true };
}
