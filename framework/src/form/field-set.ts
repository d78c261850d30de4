/**
 * The parts of a form: fields, and what holds fields itself: groups, lists of rows, and choices that reveal some. A
 * part is sent, found and linked to by its path, such as `address.street` or `participants.0.name`.
 */

import { choiceField } from '../field/choice-field.ts';
import {
  type AnyField,
  type Choice,
  FIELD_KINDS,
  type Field,
  type FieldText,
  isFile,
  isTyped,
  type Optional,
  type Parsed,
} from '../field/field.ts';
import { SCHEMA, type StandardSchema } from '../field/standard-schema.ts';
import {
  COUNT,
  checkOptions,
  FLAG,
  needed,
  OBJECT,
  type OptionKind,
  type OptionKinds,
  TEXT,
} from '../http/check-options.ts';
import { type Paste, pasteFields } from './paste-fields.ts';

export type Part =
  | AnyField
  // biome-ignore lint/suspicious/noExplicitAny: one record holds parts of different types; each type is inferred back by name.
  | FieldGroup<any, any>
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  | Rows<any, any>
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  | ChoiceGroup<any, any>;

/** The fields of a form, and its other parts, by their names. */
export type Fields = Readonly<Record<string, Part>>;

/** Fields by their names: those of a form, of a group, or of a row. `V` is the type of their values. */
export interface FieldSet<F extends Fields, V = FormValues<F>> {
  readonly fields: F;
  /** In the order of the definition. */
  readonly names: readonly (keyof F & string)[];
  /** Runs on the values of the fields, once each field is valid by itself. */
  readonly schema: StandardSchema<unknown, V> | null;
}

/** Any set of fields: a function that takes it need not know the types of the fields. */
export interface AnySet {
  readonly fields: Fields;
  readonly names: readonly string[];
  readonly schema: StandardSchema<unknown, unknown> | null;
}

/** The fields of a whole form, or those that a choice reveals. */
export interface SomeFields extends AnySet {
  readonly part: 'set';
}

/** One of the rows. */
export interface Row extends AnySet {
  readonly part: 'row';
}

/** Fields with a legend; see `fieldGroup`. */
export interface FieldGroup<F extends Fields, V = FormValues<F>> extends FieldSet<F, V> {
  readonly part: 'group';
  readonly label: string;
  readonly hint: string | null;
}

/** A list of the same fields; see `rows`. */
export interface Rows<F extends Fields, V = FormValues<F>> extends FieldSet<F, V> {
  readonly part: 'rows';
  readonly label: string;
  readonly hint: string | null;
  /** The name of one row, such as `Participant`. */
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** How many rows an empty form has. */
  readonly default: number;
  /** Whether the order counts, so that a row can be moved up. */
  readonly ordered: boolean;
  /** Whether the rows are those of records that exist: none can be added or removed. */
  readonly fixed: boolean;
  /** The field whose text names a row, instead of `name` and a number; null for none. */
  readonly title: (keyof F & string) | null;
  /** How they are filled from a spreadsheet; null if they are not. */
  readonly paste: Paste | null;
  readonly row: Row;
}

/** A choice that reveals fields; see `choiceGroup`. */
export interface ChoiceGroup<C extends ChoiceList, Empty = never> {
  readonly part: 'choices';
  /** The choice itself: radio buttons. */
  readonly choice: Field<string>;
  /** The fields of each choice. */
  readonly sets: Readonly<Record<string, SomeFields>>;
  /** For the compiler only. */
  readonly types?: { readonly choices: C; readonly empty: Empty };
}

/** The choices of a `choiceGroup`, by the value that is sent. */
export type ChoiceList = Readonly<Record<string, RevealingChoice>>;

export interface RevealingChoice extends Omit<Choice, 'value'> {
  /** The fields that this choice reveals. They count only if it is chosen. */
  readonly fields?: Fields;
}

/** The parsed value of each field. */
export type FormValues<F extends Fields> = { readonly [Name in keyof F]: ValueOf<F[Name]> };

type ValueOf<P> = P extends {
  readonly part: 'field';
  readonly parse: (text: never) => infer Result;
}
  ? Extract<Awaited<Result>, Parsed<unknown> & { readonly ok: true }>['value']
  : P extends Rows<infer _, infer V>
    ? readonly V[]
    : P extends FieldGroup<infer _, infer V>
      ? V
      : P extends ChoiceGroup<infer C, infer Empty>
        ? ChosenValue<C> | Empty
        : never;

type ChosenValue<C extends ChoiceList> = {
  readonly [Name in keyof C]: { readonly choice: Name } & FormValues<RevealedBy<C[Name]>>;
}[keyof C];

type RevealedBy<C> = C extends { readonly fields: infer F extends Fields }
  ? F
  : Record<never, never>;

/** The text of each field: a list of texts for one that has several, a list of objects for rows. */
export type FormText<F extends Fields> = { readonly [Name in keyof F]: TextOf<F[Name]> };

type TextOf<P> = P extends { readonly part: 'field'; readonly default: infer Text }
  ? Text
  : P extends Rows<infer F, infer _>
    ? readonly FormText<F>[]
    : P extends FieldGroup<infer F, infer _>
      ? FormText<F>
      : P extends ChoiceGroup<infer C, infer _>
        ? { readonly choice: string } & {
            readonly [Name in keyof C]: FormText<RevealedBy<C[Name]>>;
          }
        : never;

/** The texts of any form, group or row by the names of their parts. */
export type TextTree = { readonly [name: string]: TextNode };

/** The text of a field, the texts of a group, or those of rows. */
export type TextNode = FieldText | TextTree | readonly TextTree[];

/** Texts for some of the fields. */
export type PartialText<T> = T extends FieldText
  ? T
  : T extends readonly (infer Row)[]
    ? readonly PartialText<Row>[]
    : { readonly [Name in keyof T]?: PartialText<T[Name]> };

/** The paths of all parts, such as `name`, `participants`, `participants.0` and `participants.0.name`. */
export type FieldPath<F extends Fields> = {
  [Name in keyof F & string]: PathOf<F[Name], Name>;
}[keyof F & string];

type PathOf<P, Name extends string> =
  | Name
  | (P extends { readonly part: 'field' }
      ? never
      : P extends Rows<infer F, infer _>
        ? `${Name}.${number}` | `${Name}.${number}.${FieldPath<F>}`
        : P extends FieldGroup<infer F, infer _>
          ? `${Name}.${FieldPath<F>}`
          : P extends ChoiceGroup<infer C, infer _>
            ? {
                [One in keyof C & string]: `${Name}.${One}.${FieldPath<RevealedBy<C[One]>>}`;
              }[keyof C & string]
            : never);

/** `quantity`, `firstName`, `first_name`. A hyphen parts a name from a word of ours, as in the id `name-error`. */
const FIELD_NAME = /^[a-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*$/;

/** Whether a form can declare a field with this name. */
export function isFieldName(name: string): boolean {
  return FIELD_NAME.test(name);
}

/** The names in the input of a schema that the fields lack or have with another type. */
type Misfits<F extends Fields, Input> = string extends keyof Input
  ? never
  : {
      [Name in keyof Input]-?: Name extends keyof F
        ? [FormValues<F>[Name] & Input[Name]] extends [never]
          ? Name
          : never
        : Name;
    }[keyof Input];

/** The compiler expects this type where a schema does not fit the form, and so prints the names. */
export interface NotOfThisForm<Names> {
  readonly 'the form has no such values': Names;
}

export interface SetOptions<F extends Fields, Input, V> {
  readonly schema?: [Misfits<F, Input>] extends [never]
    ? StandardSchema<Input, V>
    : NotOfThisForm<Misfits<F, Input>>;
}

interface FieldGroupOptions<F extends Fields, Input, V> extends SetOptions<F, Input, V> {
  /** The legend. */
  readonly label: string;
  readonly hint?: string;
  readonly fields: F;
}

const GROUP_KINDS = {
  label: FIELD_KINDS.label,
  hint: TEXT,
  fields: needed(OBJECT, '{ street: textField({ … }) }'),
  schema: SCHEMA,
} satisfies OptionKinds<FieldGroupOptions<Fields, unknown, unknown>>;

/** Fields that belong together, such as those of an address: a `<fieldset>`. Its value is an object. */
export function fieldGroup<const F extends Fields, Input = FormValues<F>, V = FormValues<F>>(
  options: FieldGroupOptions<F, Input, V>,
): FieldGroup<F, V> {
  checkOptions('fieldGroup', options, GROUP_KINDS);
  const { label, hint = null } = options;
  return { ...toFieldSet<F, V>(`the group ${label}`, options), part: 'group', label, hint };
}

interface RowsOptions<F extends Fields, Input, V> extends FieldGroupOptions<F, Input, V> {
  /** The name of one row, such as `Participant`, for its legend, buttons and errors. */
  readonly name: string;
  /** The fewest rows of a valid form; 0 by default. */
  readonly min?: number;
  /** The most rows, at most 1,000. */
  readonly max: number;
  /** How many rows an empty form has: by default `min`, and at least one. */
  readonly default?: number;
  /** Whether the order counts, so that each row can be moved up. */
  readonly ordered?: boolean;
  /** For the rows of records that exist, which `fill` gives: no row can be added or removed. */
  readonly fixed?: boolean;
  /** The field, often a hidden one, whose text names a row: `Chair` instead of `Item 3`. */
  readonly title?: keyof F & string;
  /**
   * Whether rows can be filled from cells that are pasted from a spreadsheet: a field and a button that work without a
   * script. The columns are found by the labels of the fields; `headings` has further names for them, and `file` is the
   * `fileField` of a file with a table.
   */
  readonly paste?: boolean | PasteOptions<F>;
}

interface PasteOptions<F extends Fields> {
  /** By the path of the field in its row, such as `{ age: ['Years', 'Alter'] }`. */
  readonly headings?: { readonly [Path in FieldPath<F>]?: readonly string[] };
  readonly file?: AnyField;
}

const PASTE: OptionKind = {
  noun: 'true or false, or an object',
  example: "{ headings: { age: ['Years'] } }",
  accepts: (value) => FLAG.accepts(value) || OBJECT.accepts(value),
};
const PASTE_KINDS = { headings: OBJECT, file: OBJECT } satisfies OptionKinds<PasteOptions<Fields>>;

/** More rows than any form should show. */
export const MAX_ROWS = 1_000;

const ROWS_KINDS = {
  ...GROUP_KINDS,
  name: needed(TEXT, "'Participant'"),
  min: COUNT,
  max: needed(
    {
      noun: `a whole number from 1 to ${MAX_ROWS}`,
      accepts: (value) => COUNT.accepts(value) && value !== 0 && (value as number) <= MAX_ROWS,
    },
    '20',
  ),
  default: COUNT,
  ordered: FLAG,
  fixed: FLAG,
  title: TEXT,
  paste: PASTE,
} satisfies OptionKinds<RowsOptions<Fields, unknown, unknown>>;

/**
 * A list of the same fields, with buttons to add and to remove a row that work without a script. Its value is a list
 * of objects. A schema is that of one row. Every row counts, also an empty one: its user can remove it. Rows that are
 * `fixed` have no buttons.
 */
export function rows<const F extends Fields, Input = FormValues<F>, V = FormValues<F>>(
  options: RowsOptions<F, Input, V>,
): Rows<F, V> {
  checkOptions('rows', options, ROWS_KINDS);
  const { label, hint = null, name, min = 0, max, ordered = false, fixed = false } = options;
  const { title = null } = options;
  const count = options.default ?? Math.max(min, fixed ? 0 : 1);
  if (min > max || count > max) {
    throw new TypeError(
      `Cannot define the rows ${label} with ${min > max ? `min ${min}` : `default ${count}`} and max ${max}: max must not be less.`,
    );
  }
  if (fixed && ordered) {
    throw new TypeError(
      `Cannot define the rows ${label} as fixed and as ordered: fixed rows have no buttons. Leave out one of the two.`,
    );
  }
  const set = toFieldSet<F, V>(`the rows ${label}`, options);
  if (title !== null && !isTitle(set.fields[title])) {
    throw new TypeError(
      `Cannot name the rows ${label} by ${JSON.stringify(title)}: name one of their fields that has a text and is no password.`,
    );
  }
  const paste = toPaste(label, set, options.paste);
  if (paste !== null && fixed) {
    throw new TypeError(
      `Cannot define the rows ${label} as fixed and with paste: fixed rows are those that fill gives. Leave out one of the two.`,
    );
  }
  return {
    ...set,
    part: 'rows',
    label,
    hint,
    name,
    min,
    max,
    default: count,
    ordered,
    fixed,
    title,
    paste,
    row: { ...set, part: 'row' },
  };
}

function toPaste<F extends Fields>(
  label: string,
  set: AnySet,
  option: boolean | PasteOptions<F> = false,
): Paste | null {
  const inner = allParts(set).find((part) => part.part === 'rows' && part.paste !== null);
  if (inner !== undefined) {
    throw new TypeError(
      `Cannot define the rows ${label} with rows in them that have paste: leave it out of the inner ones.`,
    );
  }
  if (option === false) return null;
  const { headings = {}, file = null } = option === true ? {} : option;
  checkOptions('paste of rows', option === true ? {} : option, PASTE_KINDS);
  if (file !== null && (file.receive === undefined || typeof file.default !== 'string')) {
    throw new TypeError(
      `Cannot fill the rows ${label} from the field ${file.label}: it is no file. Pass file: fileField({ … }).`,
    );
  }
  const paths = pastedColumns(set).map(({ path }) => path.join('.'));
  const unknown = Object.keys(headings).find((path) => !paths.includes(path));
  if (unknown !== undefined) {
    throw new TypeError(
      `Cannot fill the rows ${label} with headings of ${JSON.stringify(unknown)}: take one of ${paths.join(', ')}.`,
    );
  }
  return { headings: headings as Paste['headings'], file };
}

/** A field of a row that a column of a table fills. */
export interface PastedColumn {
  readonly path: readonly string[];
  readonly field: AnyField;
}

/** The fields of a row that a table can fill, in their order: not passwords, files, and rows within it. */
export function pastedColumns({ fields }: AnySet): readonly PastedColumn[] {
  return Object.entries(fields).flatMap(([name, part]): readonly PastedColumn[] => {
    const within = (set: AnySet, ...path: readonly string[]) =>
      pastedColumns(set).map((one) => ({ ...one, path: [name, ...path, ...one.path] }));
    switch (part.part) {
      case 'field':
        return isTyped(part) && !isFile(part) && !part.isSecret
          ? [{ path: [name], field: part }]
          : [];
      case 'group':
        return within(part);
      case 'choices':
        return [
          { path: [name, 'choice'], field: part.choice },
          ...Object.entries(part.sets).flatMap(([value, set]) => within(set as AnySet, value)),
        ];
      default:
        return [];
    }
  });
}

/** Whether the part of a row has one text that its page may show. */
function isTitle(part: Part | undefined): boolean {
  return part?.part === 'field' && !part.isSecret && typeof part.default === 'string';
}

interface ChoiceGroupOptions<C extends ChoiceList> {
  /** The legend. */
  readonly label: string;
  readonly hint?: string;
  /** The error message when nothing was chosen. Without it, the choice is optional. */
  readonly required?: string | undefined;
  /** By the value that is sent, in display order. */
  readonly choices: C;
  /** The choice of an empty form. */
  readonly default?: keyof C & string;
}

const CHOICES_KINDS = {
  label: FIELD_KINDS.label,
  hint: TEXT,
  required: FIELD_KINDS.required,
  choices: needed(OBJECT, "{ post: { label: 'By post', fields: { … } } }"),
  default: TEXT,
} satisfies OptionKinds<ChoiceGroupOptions<ChoiceList>>;

/**
 * A choice that reveals fields: radio buttons, each with fields of its own, which count only if it is chosen. Its value
 * has `choice`, and what the fields of that choice hold. Without `required`, it may be null.
 */
export function choiceGroup<
  const C extends ChoiceList,
  Required extends string | undefined = undefined,
>(
  options: ChoiceGroupOptions<C> & { readonly required?: Required },
): ChoiceGroup<C, Optional<Required, never, null>> {
  checkOptions('choiceGroup', options, CHOICES_KINDS);
  const { choices, ...rest } = options;
  const all = Object.entries(choices);
  const choice = choiceField({
    ...rest,
    as: 'radio',
    choices: all.map(([value, { fields: _, ...one }]) => ({ value, ...one })),
  } as never) as Field<string>;
  const sets: Record<string, SomeFields> = {};
  for (const [value, { fields = {} }] of all) {
    if (!isFieldName(value)) {
      throw new TypeError(
        `Cannot define ${options.label} with the choice ${JSON.stringify(value)}: name it like a field, as in byPost.`,
      );
    }
    if (value === 'choice' || 'choice' in fields) {
      throw new TypeError(
        `Cannot define ${options.label} with ${value === 'choice' ? 'the choice "choice"' : 'a field named choice'}: the value of the choice has this name. Use another one.`,
      );
    }
    sets[value] = toFieldSet(`the choice ${value}`, { fields });
  }
  return { part: 'choices', choice, sets };
}

/** How deep fields may be nested, so that a path is short, and a page readable. */
const MAX_DEPTH = 4;

/**
 * Checks the names. Throws a `TypeError` for a name that is not like `quantity`, `firstName` or `first_name`, and for
 * two names that differ in capitals and underscores alone.
 */
export function toFieldSet<F extends Fields, V>(
  owner: string,
  { fields, schema = null }: { readonly fields: F; readonly schema?: unknown },
): FieldSet<F, V> & { readonly part: 'set' } {
  const names = Object.keys(fields);
  const known = new Map<string, string>();
  for (const name of names) {
    if (!isFieldName(name)) {
      throw new TypeError(
        `Cannot define ${owner} with the field ${JSON.stringify(name)}: start with a lower-case letter, and go on with letters, digits and single underscores, as in firstName or first_name.`,
      );
    }
    if (!PARTS.has((fields[name] as Partial<Part> | undefined)?.part)) {
      throw new TypeError(
        `Cannot define ${owner} with the field ${JSON.stringify(name)}: its value is no field. Make one with textField or another function of seeother/fields.`,
      );
    }
    const letters = name.replaceAll('_', '').toLowerCase();
    const other = known.get(letters);
    if (other !== undefined) {
      throw new TypeError(
        `Cannot define ${owner} with the fields ${JSON.stringify(other)} and ${JSON.stringify(name)}: they differ in capitals and underscores alone. Rename one.`,
      );
    }
    known.set(letters, name);
  }
  const own = schema as StandardSchema<unknown, V> | null;
  const set = { part: 'set', ...withPasteFields(fields), schema: own } as const;
  if (depthOf(set) > MAX_DEPTH) {
    throw new TypeError(
      `Cannot define ${owner} with fields that are nested more than ${MAX_DEPTH} deep: make a page of its own for some of them.`,
    );
  }
  return set;
}

/** With the fields that rows are filled from, each before its rows. */
function withPasteFields<F extends Fields>(fields: F): Pick<FieldSet<F>, 'fields' | 'names'> {
  const all = Object.entries(fields).flatMap(([name, part]) => {
    const paste = part.part === 'rows' ? (part as Rows<Fields>).paste : null;
    return paste === null
      ? [[name, part] as const]
      : [...pasteFields(name, paste), [name, part] as const];
  });
  return { fields: Object.fromEntries(all) as F, names: all.map(([name]) => name) };
}

const PARTS = new Set<unknown>(['field', 'group', 'rows', 'choices']);

/** The sets of fields within a part. */
function setsWithin(part: Part): readonly AnySet[] {
  if (part.part === 'field') return [];
  return part.part === 'choices' ? Object.values(part.sets) : [part];
}

function depthOf({ fields }: AnySet): number {
  const within = Object.values(fields).flatMap((part) => setsWithin(part).map(depthOf));
  return 1 + Math.max(0, ...within);
}

/** All parts of a definition, at any depth, each before its own. The choice of a `choiceGroup` is one too. */
export function allParts({ fields }: AnySet): readonly Part[] {
  return Object.values(fields).flatMap((part) => [
    part,
    ...(part.part === 'choices' ? [part.choice] : []),
    ...setsWithin(part).flatMap(allParts),
  ]);
}

/** All fields, at any depth, with the choices of a `choiceGroup` among them. */
export function allFields(set: AnySet): readonly AnyField[] {
  return allParts(set).filter((part) => part.part === 'field');
}

/** The sum of a number of each part, at any depth, with as many rows as a form may have. */
export function sumParts({ fields }: AnySet, numberOf: (part: Part) => number): number {
  return Object.values(fields).reduce((sum, part) => {
    const inside = setsWithin(part).reduce((own, set) => own + sumParts(set, numberOf), 0);
    return sum + (part.part === 'rows' ? part.max : 1) * (numberOf(part) + inside);
  }, 0);
}

/** How many fields a part sends by itself: rows send a mark each, and a choice that reveals fields is one too. */
export function countSent(part: Part): number {
  if (part.part !== 'field') return 1;
  const { choices, inputs, limits } = part;
  const texts = Array.isArray(part.default) ? (limits.maxEntries ?? 0) : 0;
  return Math.max(1, choices.length, inputs?.names.length ?? 0, texts);
}

/** Where a step of a path leads to: a part, one of the rows, the fields of a choice, or one input of a field. */
export type PathTarget = Part | Row | SomeFields | Input;

interface Input {
  readonly part: 'input';
  readonly field: AnyField;
}

/** One step down a path. Null if there is nothing; `no index` for a row whose number no page has written. */
export function stepInto(place: PathTarget, step: string): PathTarget | 'no index' | null {
  switch (place.part) {
    case 'input':
      return null;
    case 'field':
      return place.inputs?.names.includes(step) === true ? { part: 'input', field: place } : null;
    case 'rows':
      return isIndex(step) ? place.row : 'no index';
    case 'choices':
      return Object.hasOwn(place.sets, step) ? (place.sets[step] as SomeFields) : null;
    default:
      return Object.hasOwn(place.fields, step) ? (place.fields[step] as Part) : null;
  }
}

function isIndex(text: string): boolean {
  return /^(?:0|[1-9]\d{0,8})$/.test(text) && Number(text) < MAX_ROWS;
}
