/** Builds the texts of a form as a tree like that of its fields: blank, from what was sent, or from other texts. */
import type { AnyField, FieldText } from '../field/field.ts';
import { describeValue } from '../http/check-options.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import type { AnySet, Fields, Part, Rows, TextNode, TextTree } from './field-set.ts';

/** What the texts are built from, for each kind of part. */
export interface TextSource<Source> {
  /** The texts of a whole set that are known already; null for none. */
  readonly set?: (set: AnySet, source: Source) => TextTree | null;
  readonly within: (source: Source, name: string) => Source;
  readonly rows: (source: Source, part: Rows<Fields, unknown>) => readonly Source[];
  /** Of a choice that reveals fields. */
  readonly choice: (source: Source) => Source;
  /** `name` is that of the part in its set. */
  readonly text: (source: Source, field: AnyField, name: string) => FieldText;
}

export function buildTexts<Source>(
  set: AnySet,
  source: Source,
  from: TextSource<Source>,
): TextTree {
  const known = from.set?.(set, source) ?? null;
  if (known !== null) return known;
  const texts: Record<string, TextNode> = {};
  // Names of fields are checked, and none is __proto__.
  for (const name of set.names) {
    const part = set.fields[name] as Part;
    texts[name] = buildNode(part, from.within(source, name), from, name);
  }
  return texts;
}

function buildNode<Source>(
  part: Part,
  source: Source,
  from: TextSource<Source>,
  name: string,
): TextNode {
  switch (part.part) {
    case 'field':
      return from.text(source, part, name);
    case 'group':
      return buildTexts(part, source, from);
    case 'rows':
      return from.rows(source, part).map((row) => buildTexts(part.row, row, from));
    case 'choices': {
      const texts: Record<string, TextNode> = {};
      for (const [value, set] of Object.entries(part.sets))
        texts[value] = buildTexts(set, from.within(source, value), from);
      texts['choice'] = from.text(from.choice(source), part.choice, name);
      return texts;
    }
  }
}

/** What an empty form shows, with the texts that are given. Throws a TypeError for a given value that is no text. */
export function fillBlank(set: AnySet, given: unknown, language: Language): TextTree {
  return buildTexts(set, given, {
    within,
    rows: (source, part) =>
      source === undefined
        ? Array<undefined>(part.default).fill(undefined)
        : (source as readonly unknown[]),
    choice: (source) => within(source, 'choice'),
    text: (source, field, name) => fillField(field, source, name, language),
  });
}

function within(source: unknown, name: string): unknown {
  const given = source ?? {};
  return Object.hasOwn(given, name) ? (given as TextTree)[name] : undefined;
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

/** The texts with as many rows as a valid form has at least: what is typed elsewhere may ask for more of them. */
export function addMissingRows(set: AnySet, texts: TextTree, language: Language): TextTree {
  return buildTexts<unknown>(set, texts, {
    within,
    rows: (source, { min, fixed }) => {
      const given = source as readonly unknown[];
      const missing = fixed ? 0 : Math.max(min - given.length, 0);
      return [...given, ...Array<undefined>(missing).fill(undefined)];
    },
    choice: (source) => within(source, 'choice'),
    text: (source, field, name) => fillField(field, source, name, language),
  });
}

/** The texts of all fields changed: each field keeps its text, or gets another one. */
export function mapTexts(
  set: AnySet,
  texts: TextTree,
  change: (field: AnyField, text: FieldText) => FieldText,
): TextTree {
  return buildTexts<TextNode>(set, texts, {
    within: (node, name) => (node as TextTree)[name] as TextNode,
    rows: (node) => node as readonly TextTree[],
    choice: (node) => (node as TextTree)['choice'] as TextNode,
    text: (node, field) => change(field, node as FieldText),
  });
}
