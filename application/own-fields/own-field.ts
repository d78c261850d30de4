/** What a team says of a field of its own, and what a thing has in it. */
import type { Schema } from '../database/schema.ts';

export type OwnFieldKind = Schema['own_fields']['kind'];

interface ValueKind {
  /** What a filter of a list asks for: words, what lies between two bounds, or one of the choices. */
  readonly filter: 'words' | 'bounds' | 'choice';
  /** The column of `item_values` that sorts a list; null if none does. */
  readonly sortedBy: 'key' | 'number' | null;
}

/** How lists and the table of values treat each kind. Its field in a form is in to-form-field.ts. */
export const VALUE_KINDS: Readonly<Record<OwnFieldKind, ValueKind>> = {
  text: { filter: 'words', sortedBy: 'key' },
  'long text': { filter: 'words', sortedBy: null },
  link: { filter: 'words', sortedBy: 'key' },
  person: { filter: 'words', sortedBy: 'key' },
  number: { filter: 'bounds', sortedBy: 'number' },
  money: { filter: 'bounds', sortedBy: 'number' },
  date: { filter: 'bounds', sortedBy: 'key' },
  // The key of a choice is its id, which says nothing of the order.
  choice: { filter: 'choice', sortedBy: null },
  choices: { filter: 'choice', sortedBy: null },
  'yes or no': { filter: 'choice', sortedBy: 'key' },
};

export function isSortable(kind: OwnFieldKind): boolean {
  return VALUE_KINDS[kind].sortedBy !== null;
}

/** Whether a team defines its choices. */
export function hasChoices(kind: OwnFieldKind | null): boolean {
  return kind === 'choice' || kind === 'choices';
}

export interface OwnChoice {
  /** Stays when the label changes: values have the id. */
  readonly id: string;
  readonly label: string;
  /** No longer offered; what has it keeps it. */
  readonly removed?: true;
}

export interface OwnFieldDefinition {
  readonly kind: OwnFieldKind;
  readonly label: string;
  readonly hint: string;
  readonly required: boolean;
  /** The unit of a number, or the currency of money. */
  readonly unit: string;
  /** With those that were removed. */
  readonly choices: readonly OwnChoice[];
  /** The id of the kind of things that have it; null for all. */
  readonly itemKind: number | null;
  readonly inList: boolean;
  readonly searched: boolean;
}

const YES_OR_NO: readonly OwnChoice[] = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

/** With those of yes or no. */
export function choicesOf({
  kind,
  choices,
}: Pick<OwnFieldDefinition, 'kind' | 'choices'>): readonly OwnChoice[] {
  return kind === 'yes or no' ? YES_OR_NO : choices;
}

/**
 * What is stored, and empty without a value: a decimal such as `1234.5`, a day such as `2026-11-29`, the ids of
 * choices, `yes` or `no`, an address, or the text itself.
 */
export type OwnValue = string | readonly string[];

/** The name of the field with the id 7 is `own_7`: in forms, in the history, in filters and columns. */
export type OwnName = `own_${number}`;

/** By the ids of the fields; absent is empty. */
export type OwnValues = Readonly<Record<string, OwnValue>>;

export const NO_VALUES: OwnValues = {};
