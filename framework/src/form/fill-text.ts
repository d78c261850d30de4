/** The texts of an empty form, as a tree like that of its fields. */

import type { AnyField, FieldText } from '../field/field.ts';
import { describeValue } from '../http/check-options.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import type { AnySet, Fields, Part, Rows } from './field-set.ts';

/** The texts of a set of fields by their names. */
export type TextTree = { readonly [name: string]: TextNode };

/** The text of a field, the texts of a group, or those of rows. */
export type TextNode = FieldText | TextTree | readonly TextTree[];

/** What an empty form shows, with the texts that are given. Throws a TypeError for a given value that is no text. */
export function fillBlank({ fields, names }: AnySet, given: unknown, language: Language): TextTree {
  const texts = new Map<string, unknown>(Object.entries(given ?? {}));
  const filled = names.map((name) => [
    name,
    fillPart(fields[name] as Part, texts.get(name), name, language),
  ]);
  return Object.fromEntries(filled);
}

function fillPart(part: Part, given: unknown, name: string, language: Language): TextNode {
  switch (part.part) {
    case 'field':
      return fillField(part, given, name, language);
    case 'group':
      return fillBlank(part, given, language);
    case 'rows':
      return fillRows(part, given, language);
    case 'choices': {
      const texts = (given ?? {}) as TextTree;
      const sets = Object.entries(part.sets).map(([value, set]) => [
        value,
        fillBlank(set, texts[value], language),
      ]);
      const choice = fillField(part.choice, texts['choice'], name, language);
      return { ...Object.fromEntries(sets), choice };
    }
  }
}

function fillRows(
  part: Rows<Fields, unknown>,
  given: unknown,
  language: Language,
): readonly TextTree[] {
  if (given === undefined)
    return Array.from({ length: part.default }, () => fillBlank(part, undefined, language));
  return (given as readonly unknown[]).map((row) => fillBlank(part, row, language));
}

function fillField(field: AnyField, given: unknown, name: string, language: Language): FieldText {
  const text = given ?? defaultIn(field, language);
  const isList = Array.isArray(field.default);
  const isText = (one: unknown) => typeof one === 'string';
  if (isList ? Array.isArray(text) && text.every(isText) : isText(text)) return text as FieldText;
  throw new TypeError(
    `Cannot fill the field ${JSON.stringify(name)} with ${describeValue(text)}: pass ${isList ? 'a list of texts' : `text, such as ${name}: String(value)`}.`,
  );
}

/** The default is written in English, and what the page shows is read in its language. */
function defaultIn(field: AnyField, language: Language): FieldText {
  if (language === english || field.default.length === 0) return field.default;
  const parsed = field.parse(field.default, { language: english });
  return 'ok' in parsed && parsed.ok ? field.toText(parsed.value, { language }) : field.default;
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
