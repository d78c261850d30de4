/** Writes definitions. Ids are counted up, and never used again: values and the history name a field by its id. */
import { nextNumber } from '../database/counter.ts';
import type { KyselyTransaction } from '../database/kysely.ts';
import type { ItemKind } from './definitions.ts';
import type { OwnFieldDefinition } from './own-field.ts';

/** Adds the field behind all others. Resolves to its id. */
export async function addOwnField(
  transaction: KyselyTransaction,
  field: Pick<OwnFieldDefinition, 'kind' | 'label'> & Partial<OwnFieldDefinition>,
): Promise<number> {
  const id = await nextNumber(transaction, 'own fields');
  await transaction
    .insertInto('own_fields')
    .values({ id, position: id, ...toColumns(field) })
    .execute();
  return id;
}

/** The columns of a definition. */
export function toColumns(
  field: Pick<OwnFieldDefinition, 'kind' | 'label'> & Partial<OwnFieldDefinition>,
) {
  const { kind, label, hint = '', unit = '', choices = [], itemKind = null } = field;
  return {
    ...{ kind, label, hint, unit },
    required: Number(field.required ?? false),
    choices: JSON.stringify(choices),
    item_kind: itemKind,
    in_list: Number(field.inList ?? false),
    searched: Number(field.searched ?? false),
  };
}

/** Adds the kind behind all others. Resolves to its id. */
export async function addItemKind(
  transaction: KyselyTransaction,
  { name, icon = '', minimum = null }: Pick<ItemKind, 'name'> & Partial<ItemKind>,
): Promise<number> {
  const id = await nextNumber(transaction, 'item kinds');
  const row = { id, name, icon, minimum, position: id };
  await transaction.insertInto('item_kinds').values(row).execute();
  return id;
}
