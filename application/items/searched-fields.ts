/**
 * Which fields of the team's own a search finds, and where the index has their words. The index has the values of all
 * fields, each under the mark of its field, and a search asks for the marks of those that are searched. So to switch a
 * field on or off for the search, or to rename a choice, rewrites nothing.
 */
import type { Definitions, OwnField } from '../own-fields/definitions.ts';
import { hasChoices } from '../own-fields/own-field.ts';
import { ownMark } from './item-vocabulary.ts';
import { type SoughtWord, toItemWords } from './search-words.ts';

export interface SearchedFields {
  /** Before the words of their values. */
  readonly marks: readonly string[];
  /** The choices, by the words of their labels: an item has their ids. */
  readonly choices: readonly { readonly token: string; readonly words: readonly string[] }[];
}

export const NO_FIELDS: SearchedFields = { marks: [], choices: [] };

const known = new WeakMap<Definitions, SearchedFields>();

export function searchedFields(definitions: Definitions): SearchedFields {
  const made = known.get(definitions) ?? toSearched(definitions.fields);
  known.set(definitions, made);
  return made;
}

function toSearched(fields: readonly OwnField[]): SearchedFields {
  const searched = fields.filter((field) => field.searched && field.kind !== 'yes or no');
  if (searched.length === 0) return NO_FIELDS;
  return {
    marks: searched.filter(({ kind }) => !hasChoices(kind)).map(({ id }) => ownMark(id)),
    choices: searched
      .filter(({ kind }) => hasChoices(kind))
      .flatMap((field) =>
        field.choices.map(({ id, label }) => {
          const { own, others } = toItemWords(label);
          return { token: ownMark(field.id) + id.toUpperCase(), words: [...own, ...others] };
        }),
      ),
  };
}

/** The choices with a word that begins with what was typed. */
export function choicesWith(
  { choices }: SearchedFields,
  { word, isWhole, joined }: SoughtWord,
): readonly string[] {
  if (choices.length === 0) return [];
  const matches = (one: string) =>
    (isWhole ? one === word : one.startsWith(word)) || (joined !== null && one.startsWith(joined));
  return choices.filter(({ words }) => words.some(matches)).map(({ token }) => token);
}
