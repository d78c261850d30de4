/**
 * A field of a form: its label, its control, and the parser of its text. All kinds of fields are made by
 * `defineField`, those of the framework and those of an application.
 */
import type { Awaitable } from '../http/awaitable.ts';
import {
  FLAG,
  needed,
  OBJECT,
  type OptionKind,
  type OptionKinds,
  SENTENCE,
  TEXT,
} from '../http/check-options.ts';
import type { Href } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import type { Words } from '../language/words.ts';
import { type Attributes, writeAttributes } from './attributes.ts';
import { normalizeLines, normalizeText } from './normalize-text.ts';
import type { Receive } from './received-form.ts';

/** The result of parsing: the value, or an error message for the user. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

/** What a field holds on the page: one text, or several, such as those of checkboxes. */
export type FieldText = string | readonly string[];

/** What a parser gets besides the text. */
export interface Given {
  /** Of the message, and of numbers and dates in the text. */
  readonly language: Language;
  /** For a file, the text is its name, and `file` is what was received. */
  readonly file?: unknown;
  /** The same for several, in the order of their texts. */
  readonly files?: readonly unknown[];
}

/** One field of a form, as data and two functions: `draw` and `parse`. `defineField` makes it. */
export interface Field<T, Text extends FieldText = string> {
  readonly part: 'field';
  readonly label: string;
  /** Help that is always visible, or null. */
  readonly hint: string | null;
  /** The name of the control, such as `text` or `radio`, for style sheets and tests. */
  readonly control: string;
  /** Whether its text is never shown, stored or hashed. */
  readonly isSecret: boolean;
  /** Whether its choices are the buttons of the form. */
  readonly isButton: boolean;
  /** Where the label stands: before the control, after it, or as the legend of several controls. */
  readonly frame: 'label' | 'after' | 'legend';
  /** Draws the control; null for a hidden field and for a button. */
  readonly draw: ((control: DrawnControl<Text>) => Html) | null;
  /** Whether an empty field is an error. Fields that are not required are marked "optional". */
  readonly required: boolean;
  /** What an empty form shows. */
  readonly default: Text;
  /** HTML attributes of the control, such as `autocomplete` or `inputmode`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The text of the button behind it that shows the form again; null for none. */
  readonly update: string | null;
  /** Whether it is an answer; see `listed` of `FieldOptions`. */
  readonly isListed: boolean;
  /** The limits that the parser checks, as data. */
  readonly limits: Limits;
  /** Of a choice, and of a button. */
  readonly choices: readonly Choice[];
  /** Whether a draft carries a hidden field through the log-in; see `hiddenField`. */
  readonly inDraft: boolean | 'alone';
  /** Of a hidden field: whether it is empty if the text beside it was typed on an earlier page. */
  readonly isRevision: boolean;
  /** For a text that is typed in parts, such as the day, the month and the year of a date. */
  readonly inputs: Inputs | null;
  readonly parse: (text: Text, given?: Given) => Awaitable<Parsed<T>>;
  /** Of a file: how a form with this field is received. */
  readonly receive?: Receive;
  /** Of a choice: the form that adds one. */
  readonly addNew?: AddNew;
  /** Of a field of the framework: its label. */
  readonly labelIn?: (words: Words) => string;
  /** The text that a form shows for a value, such as one from the database: `parse` returns the value again. */
  toText(value: T, given?: Given): Text;
  /** The text as people read it, such as on a page of all answers; empty if it has no value. */
  show(text: Text, given?: Given): string;
  /** What a column of a database holds for a value; null for none. See `toColumns`. */
  toColumn(value: T): ColumnValue;
  /** The value that a column holds. */
  fromColumn(stored: unknown): T;
}

/** What a column of a database can hold for a field. */
export type ColumnValue = string | number | null;

/** How a column holds a value that is neither text nor a number. */
export interface Column<T> {
  readonly to: (value: T) => string | number;
  readonly from: (stored: unknown) => T;
}

/** A link to the form that adds what is missing among the choices; see `returnPath`. */
export interface AddNew {
  readonly label: string;
  readonly path: Href;
}

/** Any field. */
// biome-ignore lint/suspicious/noExplicitAny: a parser of one text cannot be passed as one of several.
export type AnyField = Field<any, any>;

/** Several inputs that make one text. Each is sent by the name of the field, a dot, and its own. */
export interface Inputs {
  readonly names: readonly string[];
  /** One text of those of all inputs; empty if all are empty. */
  readonly join: (texts: readonly string[]) => string;
  readonly split: (text: string) => readonly string[];
}

/** What the function `draw` of a kind of field gets. */
export interface DrawnControl<Text extends FieldText = string> {
  readonly field: AnyField;
  /** The name that the control sends, and the id that an error links to. */
  readonly name: string;
  readonly text: Text;
  /** Of the field and of its error and hint, such as `aria-describedby`. */
  readonly attributes: Attributes;
  readonly language: Language;
  /** For a kind with several inputs, which marks the wrong ones. */
  readonly hasError: boolean;
}

const IN_ENGLISH: Given = { language: english };

/** Whether the user types into it. A page fills a hidden field by itself, and a button has a fixed value. */
export function isTyped({ draw }: Pick<AnyField, 'draw'>): boolean {
  return draw !== null;
}

/** Whether its page fills it: such a field is not shown. */
export function isHidden({ draw, isButton }: Pick<AnyField, 'draw' | 'isButton'>): boolean {
  return draw === null && !isButton;
}

/** Whether a file is sent for it. Its text is the name of the file, and where it is parked. */
export function isFile({ receive }: Pick<AnyField, 'receive'>): boolean {
  return receive !== undefined;
}

/** Inclusive limits. They do not apply to an empty value. Lengths count Unicode code points. */
export interface Limits {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  /** Of a date or a time, as in ISO 8601. */
  readonly earliest?: string;
  readonly latest?: string;
  readonly minEntries?: number;
  readonly maxEntries?: number;
  readonly maxEntryLength?: number;
}

export interface Choice<Value extends string = string> {
  /** The submitted and stored value. */
  readonly value: Value;
  /** The text that the page shows. */
  readonly label: string;
  /** Help for this choice, beside a radio button or a checkbox. */
  readonly hint?: string;
  /** The heading of the choices that have it. They stand one after the other. */
  readonly group?: string;
}

export const CHOICE_LIST: OptionKind = {
  noun: 'a list',
  example: "[{ value: 'lent', label: 'Lent out' }]",
  accepts: (value) => Array.isArray(value) && value.every(isChoice),
};

function isChoice(one: Partial<Choice> | null): boolean {
  return typeof one?.value === 'string' && typeof one.label === 'string';
}

/** The options of every kind of field. `Required` tells the type of the value: see `Optional`. */
export interface FieldOptions<
  Text extends FieldText = string,
  Required extends string | undefined = string | undefined,
> {
  readonly label: string;
  readonly hint?: string;
  /** The error message for an empty field. Without it, the field is optional. */
  readonly required?: Required | undefined;
  /** What an empty form shows. */
  readonly default?: Text;
  readonly attributes?: Readonly<Record<string, string>>;
  /**
   * The text of a button behind the field, such as `Update` or `Find`. It shows the form again, made of what is typed
   * so far, and checks and stores nothing: for a field that others depend on.
   */
  readonly update?: string;
  /**
   * False for a field that is no answer, such as one that only searches: it is left out of the page of all answers of
   * steps, and of the audit.
   */
  readonly listed?: boolean;
}

export const FIELD_KINDS: OptionKinds<FieldOptions> = {
  label: needed(TEXT, "'Name'"),
  hint: TEXT,
  required: SENTENCE,
  default: TEXT,
  attributes: OBJECT,
  update: TEXT,
  listed: FLAG,
};

const { required: _, ...others } = FIELD_KINDS;
/** Of a kind that is never empty. */
export const WITHOUT_REQUIRED: OptionKinds<Omit<FieldOptions, 'required'>> = others;

/** The value of a field with the option `required`, or without: then it may be `Empty`. */
export type Optional<Required, Value, Empty> = Required extends string ? Value : Value | Empty;

/**
 * The `<input>` types whose text may be sent back with the page after an error. `password` is not one.
 */
const TEXT_TYPES =
  /^(text|search|email|url|tel|number|date|time|datetime-local|month|week|color|range)$/;

/** What distinguishes a kind of field from the others. All of it but `parse` has a default: that of a text. */
export interface FieldKind<T, Text extends FieldText = string, Empty = T> {
  /** A name for tests and style sheets; `text` by default. */
  readonly control?: string;
  /** Whether its text is never shown, stored or hashed, as that of a password. False by default. */
  readonly isSecret?: boolean;
  /** Whether its choices are the buttons of the form. False by default. */
  readonly isButton?: boolean;
  /** Where the label stands; `label` by default, before the control. */
  readonly frame?: Field<T>['frame'];
  /** Draws the control. By default an `<input>` with the attributes, of the type `text` unless they name another. */
  readonly draw?: Field<T, Text>['draw'];
  /** Attributes of the control. The `attributes` of the options are stronger. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly limits?: Limits;
  readonly choices?: readonly Choice[];
  readonly inDraft?: boolean | 'alone';
  readonly isRevision?: boolean;
  readonly inputs?: Inputs | null;
  /** The text of an empty form, unless the options have one: empty text by default. */
  readonly default?: Text;
  /** By default `normalizeText`, for one line. A kind that draws its own control may have several: `normalizeLines`. */
  readonly normalize?: (text: string) => string;
  /** The value of an empty field that is optional. Without it, an empty text is parsed as any other. */
  readonly empty?: Empty;
  /** Parses a text that is not empty, after `normalize`. Its value, or `problem('What to do')`. */
  readonly parse: (text: Text, given: Given) => Awaitable<Parsed<T>>;
  /** The text of a value, empty for null. By default a list as it is, and else `String(value)`. */
  readonly toText?: (value: T, given: Given) => Text;
  /** The value as people read it, such as on a page of all answers. By default its text, or the label of its choice. */
  readonly show?: (value: NonNullable<NoInfer<T | Empty>>, given: Given) => string;
  /** How a column of a database holds the value. By default as it is. */
  readonly column?: Column<T>;
}

/**
 * Makes a field of a kind of your own: the options of every field, and what is special to this kind. Throws a
 * `TypeError` for an attribute that is not valid.
 */
export function defineField<
  T,
  Text extends FieldText = string,
  Empty = T,
  Required extends string | undefined = string | undefined,
>(
  options: FieldOptions<NoInfer<Text>, Required>,
  kind: FieldKind<T, Text, Empty>,
): Field<Optional<Required, T, Empty>, Text> {
  const { label, hint = null, required } = options;
  const { frame = 'label', draw, control = 'text' } = kind;
  const { normalize = draw === undefined ? normalizeText : normalizeLines } = kind;
  const attributes = { ...kind.attributes, ...options.attributes };
  checkAttributes(label, attributes);
  const { limits = {} } = kind;
  checkRanges(label, limits);
  const parse = (sent: Text, given: Given = IN_ENGLISH): Awaitable<Parsed<T | Empty>> => {
    const text = typeof sent === 'string' ? (normalize(sent) as Text) : sent;
    if (text.length === 0) {
      if (required !== undefined) return problem(required);
      if ('empty' in kind) return ok(kind.empty as Empty);
    }
    return kind.parse(text, given);
  };
  const toText = (value: T | Empty, given = IN_ENGLISH): Text => {
    if (value === null || value === undefined) return '' as Text;
    if (kind.toText !== undefined) return kind.toText(value as T, given);
    return (Array.isArray(value) ? value : String(value)) as Text;
  };
  const show = (text: Text, given = IN_ENGLISH): string => {
    const parsed = kind.show === undefined ? null : (parse(text, given) as Parsed<T | Empty>);
    const value = parsed?.ok === true ? parsed.value : null;
    return value === null || value === undefined || kind.show === undefined
      ? showText(text, kind.choices ?? [], given)
      : kind.show(value, given);
  };
  const toColumn = (value: T | Empty): ColumnValue => {
    if (value === null || value === undefined) return null;
    const stored = kind.column === undefined ? value : kind.column.to(value as T);
    if (typeof stored === 'string' || typeof stored === 'number') return stored;
    throw new TypeError(
      `Cannot put the value of the field ${label} into a column: it is neither text nor a number. Give its kind a column: { to, from } in defineField, or store it by itself.`,
    );
  };
  const fromColumn = (stored: unknown): T | Empty => {
    if (stored === null) return ('empty' in kind ? kind.empty : null) as Empty;
    return kind.column === undefined ? (stored as T) : kind.column.from(stored);
  };
  return {
    part: 'field',
    label,
    hint,
    control,
    isSecret: kind.isSecret ?? false,
    isButton: kind.isButton ?? false,
    frame,
    draw: draw === undefined ? drawInput : draw,
    required: required !== undefined,
    default: options.default ?? kind.default ?? ('' as Text),
    attributes,
    update: options.update ?? null,
    isListed: options.listed ?? true,
    limits,
    choices: kind.choices ?? [],
    inDraft: kind.inDraft ?? false,
    isRevision: kind.isRevision ?? false,
    inputs: kind.inputs ?? null,
    parse,
    toText,
    show,
    toColumn,
    fromColumn,
  } as Field<Optional<Required, T, Empty>, Text>;
}

function showText(text: FieldText, choices: readonly Choice[], { language }: Given): string {
  if (typeof text !== 'string')
    return language.formatList(text.map((one) => showText(one, choices, { language })));
  const chosen = choices.find(({ value }) => value === text);
  return chosen === undefined ? text : language.translate(chosen.label);
}

/** The control of a kind that draws none of its own. `text` is the type unless the attributes name another. */
export function drawInput({ name, text, attributes }: DrawnControl): Html {
  // A browser would make one word of two lines, which texts of earlier versions may have.
  const value = text.includes('\n') ? normalizeText(text) : text;
  const own = { id: name, name, value };
  return html`<input${writeAttributes({ type: 'text', ...own, ...attributes, ...own })}>`;
}

const RANGES = [
  ['min', 'max'],
  ['minLength', 'maxLength'],
  ['minEntries', 'maxEntries'],
  ['earliest', 'latest'],
] as const satisfies readonly (readonly [keyof Limits, keyof Limits])[];

function checkRanges(label: string, limits: Limits): void {
  for (const [low, high] of RANGES) {
    const [least, most] = [limits[low], limits[high]];
    if (least !== undefined && most !== undefined && least > most) {
      throw new TypeError(
        `Cannot define the field ${label} with limits that no value can meet: ${least} is more than ${most}.`,
      );
    }
  }
}

function checkAttributes(label: string, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (!/^[a-z][a-z-]*$/.test(name)) {
      throw new TypeError(
        `Cannot give the field ${label} the attribute ${JSON.stringify(name)}: write it in lower-case letters and hyphens.`,
      );
    }
    if (name === 'type' && !TEXT_TYPES.test(value)) {
      throw new TypeError(
        `Cannot give the field ${label} the type ${JSON.stringify(value)}: use a type of text, such as email or date, or another kind of field, such as passwordField.`,
      );
    }
  }
}

/** The result of a parser with a value. */
export function ok<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

/** The result of a parser that refuses the text: what the user can do, such as "Enter a date in the future". */
export function problem(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}
