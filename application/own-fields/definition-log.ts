/** The log of the definitions, newest first. */
import { shownName } from '../accounts/display-name.ts';
import type { Database } from '../database/kysely.ts';
import type { Placeholders } from '../database/statement.ts';
import type { ChangeKind, DefinitionChange } from './change-definitions.ts';

export interface LoggedChange {
  readonly id: number;
  readonly at: Date;
  readonly by: string | null;
  readonly kind: ChangeKind;
  readonly changes: readonly DefinitionChange[];
  /** The batch of the items that were changed along. */
  readonly batch: number | null;
  readonly isUndone: boolean;
}

export interface DefinitionLog {
  /** From before the change with the id `before`. */
  readonly list: (size: number, before?: number) => Promise<readonly LoggedChange[]>;
}

export function createDefinitionLog({ statement }: Pick<Database, 'statement'>): DefinitionLog {
  type Page = { readonly size: number; readonly before: number };
  const list = statement((read, { size, before }: Placeholders<Page>) =>
    read
      .selectFrom('field_changes')
      .leftJoin('accounts', 'accounts.id', 'field_changes.account_id')
      .leftJoin('field_changes as undo', 'undo.undoes', 'field_changes.id')
      .selectAll('field_changes')
      .select([shownName('accounts').as('by'), 'undo.id as undoneBy'])
      .where('field_changes.id', '<', before)
      .orderBy('field_changes.id', 'desc')
      .limit(size),
  );
  return {
    async list(size, before = Number.MAX_SAFE_INTEGER) {
      return (await list.all({ size, before })).map(
        ({ id, at, by, kind, about, batch, undoneBy }) => ({
          ...{ id, at: new Date(at), by, kind, batch },
          changes: JSON.parse(about),
          isUndone: undoneBy !== null,
        }),
      );
    },
  };
}
