/**
 * What the team has defined itself: kinds of things, and fields of all things or of one kind. It is read once for each
 * revision of the definitions, which every read of the revision of the items brings along: without a definition,
 * nothing is read beyond that.
 */
import type { Kysely, Selectable } from 'kysely';
import { type Awaitable, andThen } from 'seeother/middleware';
import type { Database } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { type FormerNames, NO_FORMER_NAMES, toFormerNames } from './former-names.ts';
import type { OwnFieldDefinition, OwnName } from './own-field.ts';
import { type OwnFormField, toFormField } from './to-form-field.ts';

export interface OwnField extends OwnFieldDefinition {
  readonly id: number;
  /** In forms, columns and filters. */
  readonly name: OwnName;
  readonly position: number;
  readonly removed: boolean;
  readonly version: number;
  /** Its field in a form: parses text into an `OwnValue`, and `toText` is the way back. */
  readonly field: OwnFormField;
  /** The same if it is not required: of a thing of another kind. */
  readonly optional: OwnFormField;
}

export interface ItemKind {
  readonly id: number;
  readonly name: string;
  /** One of `ICONS`, or empty. */
  readonly icon: string;
  /** The minimum of new items; null for none. */
  readonly minimum: number | null;
  readonly position: number;
  readonly removed: boolean;
  readonly version: number;
}

export interface Definitions {
  /** Empty before the first definition. */
  readonly revision: string;
  /** In their order, without the removed ones. */
  readonly kinds: readonly ItemKind[];
  /** In their order, without the removed ones and those of removed kinds. */
  readonly fields: readonly OwnField[];
  /** By id, with the removed ones: what has them keeps them, and the history names them. */
  readonly allKinds: ReadonlyMap<number, ItemKind>;
  readonly allFields: ReadonlyMap<number, OwnField>;
  readonly former: FormerNames;
}

export const NO_DEFINITIONS: Definitions = {
  revision: '',
  kinds: [],
  fields: [],
  allKinds: new Map(),
  allFields: new Map(),
  former: NO_FORMER_NAMES,
};

/** The fields of a kind of things: those of all things, then its own. Null for things without a kind. */
export function fieldsOfKind({ fields }: Definitions, kind: number | null): readonly OwnField[] {
  return [
    ...fields.filter(({ itemKind }) => itemKind === null),
    ...fields.filter(({ itemKind }) => itemKind !== null && itemKind === kind),
  ];
}

export interface DefinitionsReader {
  /** As of the last time that this process has read a revision of the items: a page reads it anyway. */
  readonly known: () => Awaitable<Definitions>;
  /** As of now. */
  readonly read: () => Awaitable<Definitions>;
  /** Tells the revision that was read with that of the items. */
  readonly saw: (revision: string) => void;
}

export function createDefinitions({ statement }: Pick<Database, 'statement'>): DefinitionsReader {
  const findRevision = statement((read) =>
    read.selectFrom('revisions').select('fields').where('name', '=', 'items'),
  );
  const findKinds = statement((read) => read.selectFrom('item_kinds').selectAll());
  const findFields = statement((read) => read.selectFrom('own_fields').selectAll());
  const findRenames = statement(selectRenames);
  let last: string | null = null;
  let made = NO_DEFINITIONS;
  const known = (): Awaitable<Definitions> => {
    if (last === null) return read();
    return last === made.revision ? made : readAnew(last);
  };
  const readAnew = async (revision: string): Promise<Definitions> => {
    const [kinds, fields] = [await findKinds.all({}), await findFields.all({})];
    made = toDefinitions(revision, kinds, fields, await findRenames.all({}));
    return made;
  };
  const read = () =>
    andThen(findRevision.first({}), (row) => {
      last = row?.fields ?? '';
      return known();
    });
  return {
    known,
    read,
    saw(revision) {
      last = revision;
    },
  };
}

/** The changes that may have renamed something, oldest first. */
export function selectRenames(read: Kysely<Schema>) {
  return read
    .selectFrom('field_changes')
    .select('about')
    .where('kind', 'in', ['changed', 'merged', 'undone'])
    .where((row) =>
      row.or(
        ['"name":"', '"label":"', '"choices":"'].map((one) =>
          row('about', 'like', `%"before":{%${one}%`),
        ),
      ),
    )
    .orderBy('id');
}

export function toDefinitions(
  revision: string,
  kindRows: readonly Selectable<Schema['item_kinds']>[],
  fieldRows: readonly Selectable<Schema['own_fields']>[],
  renames: readonly Pick<Selectable<Schema['field_changes']>, 'about'>[],
): Definitions {
  const inOrder = <One extends { readonly position: number; readonly id: number }>(
    all: readonly One[],
  ) => all.toSorted((one, other) => one.position - other.position || one.id - other.id);
  const allKinds = inOrder(kindRows).map((row) => ({ ...row, removed: row.removed === 1 }));
  const kinds = allKinds.filter(({ removed }) => !removed);
  const allFields = inOrder(fieldRows).map(toOwnField);
  const isThere = (kind: number | null) => kind === null || kinds.some(({ id }) => id === kind);
  return {
    revision,
    kinds,
    fields: allFields.filter(({ removed, itemKind }) => !removed && isThere(itemKind)),
    allKinds: new Map(allKinds.map((kind) => [kind.id, kind])),
    allFields: new Map(allFields.map((field) => [field.id, field])),
    former: toFormerNames(renames.map(({ about }) => about)),
  };
}

export function toOwnField(row: Selectable<Schema['own_fields']>): OwnField {
  const { id, kind, label, hint, unit, position, version } = row;
  const definition: OwnFieldDefinition = {
    ...{ kind, label, hint, unit },
    required: row.required === 1,
    choices: JSON.parse(row.choices),
    itemKind: row.item_kind,
    inList: row.in_list === 1,
    searched: row.searched === 1,
  };
  return {
    ...definition,
    ...{ id, position, version },
    name: `own_${id}`,
    removed: row.removed === 1,
    field: toFormField(definition),
    optional: toFormField({ ...definition, required: false }),
  };
}
