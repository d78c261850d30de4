/**
 * The definition of a list, as `defineForm` is that of a form: its columns, the form of its filters, and its order.
 * Reading, drawing, sorting, the address and the file of rows all use this one value.
 */
import { isButton } from '../field/button-field.ts';
import { type FieldText, type Given, isFile, isTyped } from '../field/field.ts';
import { defineForm, type Form } from '../form/define-form.ts';
import { allFields, allParts, type Fields } from '../form/field-set.ts';
import { checkOptions, needed, OBJECT, type OptionKinds, TEXT } from '../http/check-options.ts';
import type { CsvCell } from '../http/csv.ts';
import type { Href } from '../http/href.ts';
import type { Html } from '../http/html.ts';
import type { Language } from '../language/language.ts';

/** What a column needs of a field: its label, and how its value is shown. */
interface ShownField<Value> {
  readonly label: string;
  readonly toText: (value: Value, given?: Given) => FieldText;
  // biome-ignore lint/suspicious/noExplicitAny: the text is that of the field itself.
  readonly show: (text: any, given?: Given) => string;
}

/** The direction in which the first click on a heading sorts. */
export type Direction = 'asc' | 'desc';

export interface ColumnOptions<Row> {
  /** The page that the value leads to. */
  readonly link?: (row: Row) => Href | null;
  /** Behind the value, and outside of its link, such as a mark. */
  readonly behind?: (row: Row) => Html | null;
  /** `end` for numbers. */
  readonly align?: 'start' | 'end';
  /** On a narrow page, where a row is a block: with its label, as by default, without, or not at all. */
  readonly narrow?: 'label' | 'plain' | 'hidden';
  /** Its cell in the file of the list; null for none. A column with `show` and no field needs it for the file. */
  readonly csv?: ((row: Row) => CsvCell) | null;
  /** Added to the classes of its cells. */
  readonly class?: string;
  /** Whether it is the heading of its row, in place of the first column. */
  readonly heading?: boolean;
}

/** A column whose field says how it is called and shown. `label` and `show` are stronger. */
interface FieldColumn<Row, Value> extends ColumnOptions<Row> {
  readonly field: ShownField<Value>;
  readonly label?: string;
  readonly show?: (row: Row, language: Language) => Html | string | number;
}

/** Any other column, which the row need not have. */
interface OwnColumn<Row> extends ColumnOptions<Row> {
  readonly field?: never;
  readonly label: string;
  readonly show: (row: Row, language: Language) => Html | string | number;
}

/** A column of text or a number, which is shown as it is. */
interface PlainColumn<Row> extends ColumnOptions<Row> {
  readonly field?: never;
  readonly label: string;
  readonly show?: never;
}

type ColumnOf<Row, Name> = Name extends keyof Row
  ?
      | FieldColumn<Row, Row[Name]>
      | OwnColumn<Row>
      | (Row[Name] extends string | number | null ? PlainColumn<Row> : never)
  : OwnColumn<Row>;

/** `S` says which columns can be sorted. */
export type Columns<Row, S> = {
  readonly [Name in keyof S]: ColumnOf<Row, Name> & {
    /** A list can be sorted by it, and the first click does so in this direction. */
    readonly sort?: S[Name];
  };
};

/** A column of any list. */
export interface AnyColumn<Row> extends ColumnOptions<Row> {
  readonly field?: ShownField<unknown>;
  readonly label?: string;
  readonly show?: (row: Row, language: Language) => Html | string | number;
  readonly sort?: Direction;
}

/** The names of the columns that a list can be sorted by. */
export type SortOf<S> = {
  [Name in keyof S & string]: S[Name] extends Direction ? Name : never;
}[keyof S & string];

/** An order as an address names it: a minus is for descending. */
export type OrderText<S> = SortOf<S> | `-${SortOf<S>}`;

export interface ListOrder<Sort extends string = string> {
  readonly by: Sort;
  readonly direction: Direction;
}

interface ListOptions<Row, S, F extends Fields, V> {
  /** In the order of the page. */
  readonly columns: Columns<Row, S>;
  /** The name of the property that tells the rows apart, for ticks. */
  readonly key?: {
    [Name in keyof Row & string]: Row[Name] extends string | number ? Name : never;
  }[keyof Row & string];
  /** The form above the list. None of its fields is required, and `default` is what a list without a query has. */
  readonly filter?: Form<F, V>;
  /** That of an address without one, such as `-due`. By default the first column that has `sort`. */
  readonly order?: NoInfer<OrderText<S>>;
}

const LIST_KINDS = {
  columns: needed(OBJECT, '{ name: { field: thingForm.fields.name } }'),
  key: TEXT,
  filter: OBJECT,
  order: TEXT,
} satisfies OptionKinds<ListOptions<Record<string, unknown>, unknown, Fields, unknown>>;

/** What `defineList` makes. `V` are the values of its filters. */
export interface List<Row, Sort extends string, V> {
  readonly columns: Readonly<Record<string, AnyColumn<Row>>>;
  readonly key: string | null;
  readonly filter: Form<Fields, V>;
  /** Null for a list that no column sorts. */
  readonly order: ListOrder<Sort> | null;
}

/** A list whose rows are of any type. */
// biome-ignore lint/suspicious/noExplicitAny: a column of one row cannot be passed as one of another.
export type AnyList = List<any, string, any>;

/** What the query of a list says besides its filters, and so cannot be the name of a filter. */
const OWN_NAMES = ['sort', 'page', 'after', 'before', 'as', 'send', 'sent', 'back'];

/**
 * Defines a list of rows of the type: `defineList<Thing>()({ columns, filter, order })`. Throws a `TypeError` for a
 * filter that is required, a password, a file, a button or a list of rows, and for one with a name that the address of
 * a list has already.
 */
export function defineList<Row>() {
  return <const S, F extends Fields = Record<never, never>, V = Record<never, never>>(
    options: ListOptions<Row, S, F, V>,
  ): List<Row, SortOf<S>, V> => {
    checkOptions('defineList', options, LIST_KINDS);
    const { key = null, filter = defineForm({}) } = options;
    const columns = options.columns as unknown as Readonly<Record<string, AnyColumn<Row>>>;
    checkColumns(columns);
    checkFilter(filter as Form<Fields, unknown>);
    const [first] = Object.entries(columns).filter(([, { sort }]) => sort !== undefined);
    const text =
      options.order ?? (first === undefined ? null : toOrderText(first[0], first[1].sort));
    const order = text === null ? null : parseOrder(columns, text);
    if (text !== null && order === null) {
      throw new TypeError(
        `Cannot define a list in the order ${JSON.stringify(text)}: name a column that has sort, with a minus before it for descending.`,
      );
    }
    return { columns, key, filter, order } as unknown as List<Row, SortOf<S>, V>;
  };
}

/** As an address names it. */
export function toOrderText(by: string, direction: Direction = 'asc'): string {
  return direction === 'asc' ? by : `-${by}`;
}

/** Null for an order that the list does not have. */
export function parseOrder(columns: AnyList['columns'], text: string): ListOrder | null {
  const by = text.replace(/^-/, '');
  if (!Object.hasOwn(columns, by) || columns[by]?.sort === undefined) return null;
  return { by, direction: text === by ? 'asc' : 'desc' };
}

function checkColumns(columns: Readonly<Record<string, AnyColumn<never>>>): void {
  const all = Object.entries(columns);
  if (all.length === 0)
    throw new TypeError('Cannot define a list without columns: pass at least one.');
  for (const [name, { field, label, sort }] of all) {
    if (!/^[A-Za-z]\w*$/.test(name)) {
      throw new TypeError(
        `Cannot define a list with the column ${JSON.stringify(name)}: the address of its order has its name. Start with a letter, and go on with letters, digits and underscores.`,
      );
    }
    if (field === undefined && label === undefined) {
      throw new TypeError(
        `Cannot define a list with the column ${name} without field: pass one, or label, and show for what is neither text nor a number.`,
      );
    }
    if (sort === undefined || sort === 'asc' || sort === 'desc') continue;
    throw new TypeError(
      `Cannot define a list with the column ${name} and ${JSON.stringify(sort)} as sort: pass 'asc' or 'desc', the direction of the first click.`,
    );
  }
}

function checkFilter(filter: Form<Fields, unknown>): void {
  const owned = filter.names.find((name) => OWN_NAMES.includes(name));
  if (owned !== undefined) {
    throw new TypeError(
      `Cannot define a list with the filter ${JSON.stringify(owned)}: the address of a list has this name already. Rename the filter.`,
    );
  }
  const required = allFields(filter).find((field) => field.required);
  if (required !== undefined) {
    throw new TypeError(
      `Cannot define a list with the filter ${JSON.stringify(required.label)}, which is required: an empty filter shows all rows. Leave required out; a default chooses what the list shows at first.`,
    );
  }
  const isUnfit = allParts(filter).some(({ part }) => part === 'rows' || part === 'choices');
  const wrong = allFields(filter).find(
    (field) => field.isSecret || isFile(field) || isButton(field) || !isTyped(field),
  );
  if (!isUnfit && wrong === undefined) return;
  throw new TypeError(
    `Cannot define a list with the filter ${JSON.stringify(wrong?.label ?? 'rows')}: take a field that is typed or chosen, and no password, file, button or list of rows.`,
  );
}
