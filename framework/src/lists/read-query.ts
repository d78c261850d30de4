/**
 * What the address of a list asks for: the values of its filters, and its order. One rule for every address: what the
 * list does not know is ignored, and a filter that its field refuses is not applied. The form says so beside the field,
 * with the text as it was sent.
 */
import { bindForm, bindReceived, WITH_PARTS } from '../form/bound-part.ts';
import { fillBlank } from '../form/build-texts.ts';
import { errorsOf, type FilledForm, type Form, type Validation } from '../form/define-form.ts';
import type { Fields } from '../form/field-set.ts';
import { sortEntries, textsOf, toEntries } from '../form/sent-fields.ts';
import { validateForm } from '../form/validate-form.ts';
import type { Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import { type Entry, parseUrlencoded } from '../http/urlencoded.ts';
import type { Language } from '../language/language.ts';
import { type List, type ListOrder, parseOrder } from './define-list.ts';

/** What `read` gets of the address. */
export interface ListQuery<Sort extends string, V> {
  /** A filter that is not set, or that its field refuses, has the value of an empty field. */
  readonly filter: V;
  readonly order: [Sort] extends [never] ? null : ListOrder<Sort>;
}

/** The same for the functions of this room, which need no types of the list. */
export interface ReadQuery<V> {
  readonly filter: V;
  readonly order: ListOrder | null;
  /** The form of the filters, with its errors. */
  readonly form: FilledForm<Fields>;
  /** What the query says of the filters, without those that are not applied. */
  readonly kept: readonly (readonly [name: string, text: string])[];
}

export async function readQuery<Row, V>(
  { columns, filter: definition, order: own }: List<Row, string, V>,
  request: Request,
): Promise<ReadQuery<V>> {
  const language = languageOf(request);
  const named = readEntries(definition, request);
  const entries = [...named, ...defaultsBeside(definition, named, language)];
  const { sent } = sortEntries(definition, entries);
  const text = textsOf(definition, sent) as FilledForm<Fields>['text'];
  const form = { ...WITH_PARTS, definition, text, language, once: null, marksOptional: false };
  const validation = await validateForm(definition, bindReceived(form, sent), language);
  const { filter, applied } = validation.valid
    ? { filter: validation.values, applied: entries }
    : await withoutWrong(definition, entries, validation, language);
  return {
    filter,
    order: parseOrder(columns, request.query.get('sort') ?? '') ?? own,
    form: { ...form, errors: errorsOf(validation) } as FilledForm<Fields>,
    kept: named.filter((one) => applied.includes(one)).map(({ name, text }) => [name, text]),
  };
}

/** What the query says of the filters, each once: all links of the page have it. */
function readEntries(
  definition: Form<Fields, unknown>,
  { search }: Pick<Request, 'search'>,
): readonly Entry[] {
  if (definition.names.length === 0) return [];
  const all = parseUrlencoded(Buffer.from(search), Number.POSITIVE_INFINITY);
  const { found } = sortEntries(definition, all);
  const known = all.filter((_, at) => found[at] !== null);
  return [...new Map(known.map((one) => [`${one.name}=${one.text}`, one])).values()];
}

/** The defaults of the filters that the query does not name. */
function defaultsBeside(
  definition: Form<Fields, unknown>,
  named: readonly Entry[],
  language: Language,
): readonly Entry[] {
  const names = new Set(named.map(({ name }) => nameOf(name)));
  const text = fillBlank(definition, undefined, language);
  return toEntries(bindForm({ definition, text, language }))
    .filter(([name, one]) => one !== '' && !names.has(nameOf(name)))
    .map(([name, one]) => ({ name, text: one, flaw: null }));
}

/** The filter that an input of a field, or a field of a group, belongs to. */
function nameOf(name: string): string {
  return name.replace(/\..*/s, '');
}

/** Without the filters that have errors; without any, if the whole form has one. */
async function withoutWrong<V>(
  definition: Form<Fields, V>,
  entries: readonly Entry[],
  refused: Validation<Fields, V>,
  language: Language,
): Promise<{ readonly filter: V; readonly applied: readonly Entry[] }> {
  const errors = errorsOf(refused);
  const wrong = new Set(errors.map(({ field }) => field && nameOf(field)));
  const left = wrong.has(null) ? [] : entries.filter(({ name }) => !wrong.has(nameOf(name)));
  if (left.length === entries.length) {
    throw new TypeError(
      `Cannot read a list whose filters are refused when they are empty: ${errors[0]?.message}. Let the schema of its form take empty values.`,
    );
  }
  const { sent } = sortEntries(definition, left);
  const text = textsOf(definition, sent);
  const again = await validateForm(
    definition,
    bindReceived({ definition, text, language }, sent),
    language,
  );
  if (again.valid) return { filter: again.values, applied: left };
  return withoutWrong(definition, left, again, language);
}
