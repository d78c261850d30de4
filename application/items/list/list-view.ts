/**
 * Which columns of the list an account has chosen, and how high its rows are. It is stored with the account, as words:
 * `name quantity compact`. A list is rendered once for each choice, so a choice has one spelling.
 */
import { LISTED_FIELDS } from '../item-fields.ts';

/** Beside the name, which is always there. */
export const COLUMNS = ['number', ...LISTED_FIELDS, 'changed', 'added'] as const;
export type Column = (typeof COLUMNS)[number];

export interface ListView {
  readonly columns: readonly Column[];
  readonly isCompact: boolean;
}

export const DEFAULT_VIEW: ListView = {
  columns: ['quantity', 'location', 'tags'],
  isCompact: false,
};

/** Words that only a newer release knows are left out. */
export function readListView(text = ''): ListView {
  if (text === '') return DEFAULT_VIEW;
  const words = text.split(' ');
  return {
    columns: COLUMNS.filter((column) => words.includes(column)),
    isCompact: words.includes('compact'),
  };
}

export function writeListView({ columns, isCompact }: ListView): string {
  const chosen = COLUMNS.filter((column) => columns.includes(column));
  return ['name', ...chosen, ...(isCompact ? ['compact'] : [])].join(' ');
}
