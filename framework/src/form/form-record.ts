/**
 * A record of a database and the form that edits it: the columns of its values, and the texts that fill the form. Names
 * of fields are names of columns; what else a row has, such as its id, is ignored.
 */
import { type AnyField, type ColumnValue, isFile } from '../field/field.ts';
import type { StoredFile } from '../field/file-text.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import type { Fields, FormText, FormValues, PartialText } from './field-set.ts';
import type { LinkedName } from './form-link.ts';

/** The values of the fields, without those of groups and rows, and of a file what `keepFiles` resolves to. */
export type RecordValues<F extends Fields> = {
  readonly [Name in LinkedName<F>]: F[Name] extends { readonly control: 'file' }
    ? StoredFile | Extract<FormValues<F>[Name], null>
    : F[Name] extends { readonly control: 'files' }
      ? readonly StoredFile[]
      : FormValues<F>[Name];
};

interface HasFields<F extends Fields> {
  readonly fields: F;
}

/**
 * The values as columns hold them, in the order of the fields: a tick is 0 or 1, money its minor units, with its
 * currency if there are several, a date and a time its instant, a list its JSON, a stored file its id, a space and its
 * name, several files the JSON of these; text and numbers are as they are. Throws a `TypeError` for a group and rows,
 * which are stored by themselves, and for a file that is not kept.
 */
export function toColumns<F extends Fields>(
  { fields }: HasFields<F>,
  values: RecordValues<F>,
): Readonly<Record<LinkedName<F>, ColumnValue>> {
  return mapFields(fields, (field, name) => field.toColumn(values[name as LinkedName<F>]));
}

/** The values of a row, as `toColumns` has stored them. Throws a `TypeError` for a row without one of the columns. */
export function fromColumns<F extends Fields>(
  { fields }: HasFields<F>,
  row: Readonly<Record<string, unknown>>,
): RecordValues<F> {
  return mapFields(fields, (field, name) => {
    if (row[name] !== undefined) return field.fromColumn(row[name]);
    throw new TypeError(
      `Cannot read the field ${JSON.stringify(name)} from a row with ${Object.keys(row).join(', ')}: select its column, too.`,
    );
  });
}

/**
 * The texts that show the values in the form, for `fill`: in the language of the page, which reads them again. That of
 * a file is empty, as a browser sends only a file that was chosen.
 */
export function textsOf<F extends Fields>(
  { fields }: HasFields<F>,
  values: RecordValues<F>,
  language: Language = english,
): PartialText<FormText<F>> {
  return mapFields(fields, (field, name) =>
    isFile(field) ? field.default : field.toText(values[name as LinkedName<F>], { language }),
  );
}

/** The values as people read them, in the order of the fields: for a page that shows a record. */
export function describeValues<F extends Fields>(
  { fields }: HasFields<F>,
  values: RecordValues<F>,
  language: Language = english,
): readonly ShownValue<LinkedName<F>>[] {
  const shown = mapFields<Readonly<Record<string, ShownValue<LinkedName<F>>>>>(
    fields,
    (field, name) => {
      const text = field.toText(values[name as LinkedName<F>], { language });
      return { name, label: language.translate(field.label), text: field.show(text, { language }) };
    },
  );
  return Object.values(shown);
}

/** A value of a record, with the label of its field. */
export interface ShownValue<Name extends string = string> {
  readonly name: Name;
  readonly label: string;
  /** Empty if there is none. */
  readonly text: string;
}

function mapFields<Mapped>(
  fields: Fields,
  map: (field: AnyField, name: string) => unknown,
): Mapped {
  const mapped = Object.entries(fields).map(([name, part]) => {
    if (part.part === 'field') return [name, map(part, name)];
    throw new TypeError(
      `Cannot take ${JSON.stringify(name)} for a column: it is a ${part.part === 'rows' ? 'list of rows' : 'group'}, whose fields are stored by themselves.`,
    );
  });
  return Object.fromEntries(mapped) as Mapped;
}
