/**
 * What kinds, fields and choices were called before, by their ids. A file that was exported before a rename has the
 * earlier names.
 */
import type { OwnChoice } from './own-field.ts';

export interface FormerNames {
  readonly kinds: ReadonlyMap<number, readonly string[]>;
  readonly fields: ReadonlyMap<number, readonly string[]>;
  /** By the field: choices with labels that they had, each once. */
  readonly choices: ReadonlyMap<number, readonly OwnChoice[]>;
}

export const NO_FORMER_NAMES: FormerNames = {
  kinds: new Map(),
  fields: new Map(),
  choices: new Map(),
};

/** Of a `DefinitionChange`. */
interface Change {
  readonly table: 'own_fields' | 'item_kinds';
  readonly id: number;
  readonly before: Readonly<Record<string, unknown>> | null;
}

/** From the texts of the log, of changes that may be renames. */
export function toFormerNames(log: readonly string[]): FormerNames {
  const kinds = new Map<number, string[]>();
  const fields = new Map<number, string[]>();
  const choices = new Map<number, OwnChoice[]>();
  const add = <One>(to: Map<number, One[]>, id: number, one: One) => {
    const all = to.get(id) ?? [];
    const text = JSON.stringify(one);
    if (!all.some((other) => JSON.stringify(other) === text)) to.set(id, [...all, one]);
  };
  for (const { table, id, before } of log.flatMap((about): Change[] => JSON.parse(about))) {
    const { name, label, choices: list } = before ?? {};
    if (table === 'item_kinds' && typeof name === 'string') add(kinds, id, name);
    if (table === 'own_fields' && typeof label === 'string') add(fields, id, label);
    const all: readonly OwnChoice[] = typeof list === 'string' ? JSON.parse(list) : [];
    for (const one of all) add(choices, id, { id: one.id, label: one.label });
  }
  return { kinds, fields, choices };
}
