/**
 * Which columns of the list an account has chosen, and how high its rows are. It is stored with the account, as words:
 * `name quantity own_3 compact`. A list is rendered once for each choice, so a choice has one spelling.
 */
import { type Definitions, NO_DEFINITIONS } from '../../own-fields/definitions.ts';
import type { OwnName } from '../../own-fields/own-field.ts';
import { LISTED_FIELDS } from '../item-fields.ts';

/** Beside the name, which is always there. */
const COLUMNS = ['number', ...LISTED_FIELDS] as const;
const TIMES = ['changed', 'added'] as const;
export type Column = (typeof COLUMNS | typeof TIMES)[number] | 'kind' | OwnName;

export interface ListView {
  readonly columns: readonly Column[];
  readonly isCompact: boolean;
}

const DEFAULT_COLUMNS: readonly Column[] = ['quantity', 'location', 'tags'];

export const DEFAULT_VIEW: ListView = { columns: DEFAULT_COLUMNS, isCompact: false };

/** In the order of the list: the kind and the team's own fields before the times. */
export function listColumns({ kinds, fields }: Definitions): readonly Column[] {
  const kind = kinds.length === 0 ? [] : (['kind'] as const);
  return [...COLUMNS, ...kind, ...fields.map(({ name }) => name), ...TIMES];
}

/** Words that only a newer release knows are left out, and so are fields that were removed. */
export function readListView(text = '', definitions = NO_DEFINITIONS): ListView {
  if (text === '') return toDefaultView(definitions);
  const words = text.split(' ');
  return {
    columns: listColumns(definitions).filter((column) => words.includes(column)),
    isCompact: words.includes('compact'),
  };
}

/** With the fields that are shown to those who have not chosen. */
function toDefaultView({ fields }: Definitions): ListView {
  if (fields.length === 0 || !fields.some(({ inList }) => inList)) return DEFAULT_VIEW;
  const own = fields.flatMap(({ inList, name }) => (inList ? [name] : []));
  return { columns: [...DEFAULT_COLUMNS, ...own], isCompact: false };
}

export function writeListView(
  { columns, isCompact }: ListView,
  definitions = NO_DEFINITIONS,
): string {
  const chosen = listColumns(definitions).filter((column) => columns.includes(column));
  return ['name', ...chosen, ...(isCompact ? ['compact'] : [])].join(' ');
}
