/**
 * The column of a file that names kinds of things: kinds that exist, and, for who may make them, new ones, which the
 * import makes when it runs.
 */
import { isOwnExport } from '../items/export/csv.ts';
import { kindForm } from '../items/fields/kind-form.ts';
import type { Definitions, ItemKind } from '../own-fields/definitions.ts';
import { toLabelKey } from '../own-fields/label-rules.ts';
import type { Columns } from './columns.ts';
import { bareText } from './same-text.ts';
import { isNothing } from './value-words.ts';

export interface NewKind {
  /** The kind of rows: negative, as no id is. */
  readonly key: number;
  readonly name: string;
}

export interface KindColumn {
  /** Those that the import makes, in the order of the file. */
  readonly made: readonly NewKind[];
  /** Null for no text; undefined if there is no such kind, and none is made. */
  readonly find: (text: string) => number | null | undefined;
  /** The kind that was called so before; null if it is called so now, or none was. */
  readonly findFormer: (text: string) => ItemKind | null;
}

type Column = Pick<Columns, 'header' | 'uses' | 'facts'>;

/** Capitals, accents and spaces make no difference, as for the names of kinds. */
const keyOf = (text: string) => toLabelKey(bareText(text));
/** What shelf.nu writes for things without a category. */
const NONE = keyOf('Uncategorized');

/** Null without such a column. */
export function toKindColumn(columns: Column, definitions: Definitions): KindColumn | null {
  const at = columns.uses.findIndex((use) => use === 'kind' || use === 'kinds');
  if (at === -1) return null;
  const known = toKnownKinds(columns, definitions);
  const made = columns.uses[at] === 'kinds' ? findNewKinds(columns, at, definitions) : [];
  const former = toFormerKinds(definitions);
  const all = new Map([...made.map(({ key, name }) => [keyOf(name), key] as const), ...known]);
  return {
    made,
    find(text) {
      const key = keyOf(text);
      const found = all.get(key) ?? former.get(key)?.id;
      return found ?? (key === NONE || isNothing(text.trim()) ? null : undefined);
    },
    findFormer: (text) => (all.has(keyOf(text)) ? null : (former.get(keyOf(text)) ?? null)),
  };
}

/** Kinds that nobody has defined. None also if the column has too many different texts. */
export function findNewKinds(
  columns: Pick<Columns, 'header' | 'facts'>,
  at: number,
  definitions: Definitions,
): readonly NewKind[] {
  const known = toKnownKinds(columns, definitions);
  const former = toFormerKinds(definitions);
  const names = new Map<string, string>();
  for (const text of columns.facts[at]?.values?.texts ?? []) {
    const key = keyOf(text);
    if (key === NONE || known.has(key) || former.has(key) || names.has(key)) continue;
    const parsed = kindForm.fields.name.parse(text);
    if (!(parsed instanceof Promise) && parsed.ok) names.set(key, parsed.value);
  }
  return [...names.values()].map((name, index) => ({ key: -index - 1, name }));
}

/** By their keys. Things of an export may have a kind that was removed. */
function toKnownKinds(
  { header }: Pick<Columns, 'header'>,
  { kinds, allKinds }: Definitions,
): ReadonlyMap<string, number> {
  const known = isOwnExport(header) ? [...allKinds.values(), ...kinds] : kinds;
  return new Map(known.map(({ id, name }) => [keyOf(name), id]));
}

/** By the keys of names that one of them had, and no other. */
function toFormerKinds({ kinds, former }: Definitions): ReadonlyMap<string, ItemKind> {
  const named = kinds.flatMap((kind) =>
    [...new Set((former.kinds.get(kind.id) ?? []).map(keyOf))].map((key) => ({ key, kind })),
  );
  const byKey = Map.groupBy(named, ({ key }) => key);
  return new Map(
    [...byKey].flatMap(([key, [one, ...others]]) =>
      one === undefined || others.length > 0 ? [] : [[key, one.kind] as const],
    ),
  );
}
