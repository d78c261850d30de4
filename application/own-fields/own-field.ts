/** What a team says of a field of its own, and what a thing has in it. */
import type { Schema } from '../database/schema.ts';

export type OwnFieldKind = Schema['own_fields']['kind'];

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

export const YES_OR_NO: readonly OwnChoice[] = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

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
