/** The texts of an empty form, as a tree like that of its fields. */
import { describeValue } from '../http/check-options.ts';
import type { AnyField, FieldText } from './field.ts';
import type { AnySet, Fields, Part, Rows } from './field-set.ts';

/** The texts of a set of fields by their names. */
export type TextTree = { readonly [name: string]: TextNode };

/** The text of a field, the texts of a group, or those of rows. */
export type TextNode = FieldText | TextTree | readonly TextTree[];

/** What an empty form shows, with the texts that are given. Throws a TypeError for a given value that is no text. */
export function fillBlank({ fields, names }: AnySet, given: unknown): TextTree {
  const texts = new Map<string, unknown>(Object.entries(given ?? {}));
  const filled = names.map((name) => [name, fillPart(fields[name] as Part, texts.get(name), name)]);
  return Object.fromEntries(filled);
}

function fillPart(part: Part, given: unknown, name: string): TextNode {
  switch (part.part) {
    case 'field':
      return fillField(part, given, name);
    case 'group':
      return fillBlank(part, given);
    case 'rows':
      return fillRows(part, given);
    case 'choices': {
      const texts = (given ?? {}) as TextTree;
      const sets = Object.entries(part.sets).map(([value, set]) => [
        value,
        fillBlank(set, texts[value]),
      ]);
      return { ...Object.fromEntries(sets), choice: fillField(part.choice, texts['choice'], name) };
    }
  }
}

function fillRows(part: Rows<Fields, unknown>, given: unknown): readonly TextTree[] {
  if (given === undefined)
    return Array.from({ length: part.default }, () => fillBlank(part, undefined));
  return (given as readonly unknown[]).map((row) => fillBlank(part, row));
}

function fillField(field: AnyField, given: unknown, name: string): FieldText {
  const text = given ?? field.default;
  const isList = Array.isArray(field.default);
  const isText = (one: unknown) => typeof one === 'string';
  if (isList ? Array.isArray(text) && text.every(isText) : isText(text)) return text as FieldText;
  throw new TypeError(
    `Cannot fill the field ${JSON.stringify(name)} with ${describeValue(text)}: pass ${isList ? 'a list of texts' : `text, such as ${name}: String(value)`}.`,
  );
}

/** A field, and where it stands. */
export interface FieldAt {
  readonly path: string;
  readonly field: AnyField;
}

/** All fields of a form with these texts, with their paths: those of each row. */
export function fieldPaths(
  { fields, names }: AnySet,
  texts: TextTree,
  prefix: string = '',
): readonly FieldAt[] {
  return names.flatMap((name) =>
    pathsIn(fields[name] as Part, `${prefix}${name}`, texts[name] as TextNode),
  );
}

function pathsIn(part: Part, path: string, text: TextNode): readonly FieldAt[] {
  const within = (set: AnySet, texts: TextNode | undefined, prefix: string) =>
    fieldPaths(set, texts as TextTree, `${prefix}.`);
  switch (part.part) {
    case 'field':
      return [{ path, field: part }];
    case 'group':
      return within(part, text, path);
    case 'rows':
      return (text as readonly TextTree[]).flatMap((row, at) => within(part, row, `${path}.${at}`));
    case 'choices':
      return [
        { path, field: part.choice },
        ...Object.entries(part.sets).flatMap(([value, set]) =>
          within(set, (text as TextTree)[value], `${path}.${value}`),
        ),
      ];
  }
}
