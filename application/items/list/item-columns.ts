/** The columns of the tables of items: the list, and the page on which items are selected. */
import type { Href, Html } from 'seeother';
import type { Definitions, OwnField } from '../../own-fields/definitions.ts';
import { showOwnValue } from '../../own-fields/own-values.ts';
import { dayElement, formatNumber } from '../../site/format.ts';
import { showValue } from '../events/event-text.ts';
import { itemFields, LISTED_FIELDS, mapNames } from '../item-fields.ts';
import type { Item } from '../item-rows.ts';
import { locationPath } from '../item-words.ts';
import type { Shown } from '../loan.ts';
import { rowMarks } from '../loan-mark.ts';
import type { Column } from './list-view.ts';

type Row = Shown<Item>;

/** Those that are the same for every row and every day. A field that has a place of its own on a phone is here. */
const FIXED = {
  ...mapNames(LISTED_FIELDS, (field) => ({
    ...{ label: itemFields[field].label, class: 'plain' },
    show: (item: Row) => showValue(item[field]),
  })),
  number: { label: 'No.', class: 'item-number', show: ({ number }: Row) => String(number) },
  quantity: {
    ...{ label: 'Quantity', class: 'number' },
    show: ({ quantity }: Row) => formatNumber(quantity),
  },
  minimum: {
    ...{ label: 'Minimum', class: 'minimum' },
    show: ({ minimum }: Row) => (minimum === null ? '' : formatNumber(minimum)),
  },
  location: {
    ...{ label: 'Location', class: 'location' },
    show: ({ location }: Row) => locationPath(location),
  },
  tags: { label: 'Tags', class: 'tagged', show: ({ tags }: Row) => tags.join(', ') },
};

const TIMES = {
  changed: { label: 'Changed', class: 'changed', time: 'updatedAt' },
  added: { label: 'Added', class: 'added', time: 'createdAt' },
} as const;

interface ItemColumn {
  readonly label: string;
  readonly class: string;
  readonly show: (item: Row) => Html | string;
  readonly link?: (item: Row) => Href | null;
  readonly behind?: (item: Row) => Html | null;
}

/** Of a field of the team's own. What is of another kind shows nothing, even if it still has a value. */
export function ownColumn(field: OwnField): ItemColumn {
  const { id, label, itemKind } = field;
  const show = ({ kind, own }: Row) =>
    itemKind === null || itemKind === kind ? showOwnValue(field, own[id]) : '';
  return { label, class: 'plain', show };
}

function kindColumn({ kinds }: Definitions): ItemColumn {
  const names = new Map(kinds.map(({ id, name }) => [id, name]));
  return {
    ...{ label: 'Kind', class: 'plain' },
    show: ({ kind }) => (kind === null ? '' : (names.get(kind) ?? '')),
  };
}

interface ColumnsView {
  readonly columns: readonly Column[];
  readonly definitions: Definitions;
  readonly now: Date;
}

/** The name, and these of the others, in their order. */
export function itemColumns(
  { columns: names, definitions, now }: ColumnsView,
  link: (item: Row) => Href | null,
  showName = ({ name }: Row): Html | string => name,
) {
  const columns: Record<string, ItemColumn> = {
    name: {
      ...{ label: 'Name', class: 'name', link, show: showName },
      behind: (item) => rowMarks(item, now),
    },
  };
  for (const name of names) {
    if (name === 'changed' || name === 'added') {
      const show = (item: Row) => dayElement(item[TIMES[name].time], now);
      columns[name] = { ...TIMES[name], show };
    } else if (name === 'kind') columns[name] = kindColumn(definitions);
    else if (name in FIXED) columns[name] = FIXED[name as keyof typeof FIXED];
    else {
      const field = definitions.fields.find((one) => one.name === name);
      if (field !== undefined) columns[name] = ownColumn(field);
    }
  }
  return columns;
}
