/** Filters by the kind of things and by fields of the team's own, in words: “Price: from 10 to 20”. */
import type { Definitions, OwnField } from '../../own-fields/definitions.ts';
import { VALUE_KINDS } from '../../own-fields/own-field.ts';
import { choiceLabel } from '../../own-fields/own-values.ts';
import { formatDate, fromDay } from '../../site/format.ts';
import type { ItemQuery } from '../item-query.ts';
import { readDay } from '../match-own.ts';
import type { OwnFilter } from '../own-filter.ts';

/** Of the filter of a list; empty without one. */
export function kindName(kind: string, { kinds }: Definitions): string {
  if (kind === 'none') return 'none';
  if (kind === '') return '';
  return kinds.find(({ id }) => String(id) === kind)?.name ?? 'unknown';
}

/** Null for a filter that is ignored: its field was removed, or it says nothing for its kind of value. */
export function describeOwnFilter(filter: OwnFilter, { fields }: Definitions) {
  const field = fields.find(({ id }) => id === filter.field);
  if (field === undefined) return null;
  const text = describeValue(filter, field);
  return text === '' ? null : { label: field.label, text };
}

/** All filters of a list besides the status, for a heading. */
export function describeFilters(query: ItemQuery, definitions: Definitions): readonly string[] {
  const own = query.own.flatMap((filter) => {
    const said = describeOwnFilter(filter, definitions);
    return said === null ? [] : `${said.label}: ${said.text}`;
  });
  const { search, tag, location, kind } = query;
  return [search, tag, location, kindName(kind, definitions), ...own].filter((text) => text !== '');
}

function describeValue({ how, text, from, to }: OwnFilter, field: OwnField): string {
  if (how === 'empty') return 'empty';
  if (how === 'any') return 'has a value';
  switch (VALUE_KINDS[field.kind].filter) {
    case 'choice':
      return choiceLabel(field, text);
    case 'bounds': {
      if (field.kind !== 'date')
        return describeRange(from, to, field.unit === '' ? '' : ` ${field.unit}`);
      const [first = '', last = ''] = [from, to].map((day) =>
        readDay(day) === null ? '' : formatDate(fromDay(day)),
      );
      return describeRange(first, last, '');
    }
    case 'words':
      return text === '' || how === 'is' ? text : `with ${text}`;
  }
}

function describeRange(from: string, to: string, unit: string): string {
  if (from === '') return to === '' ? '' : `up to ${to}${unit}`;
  return to === '' ? `from ${from}${unit}` : `from ${from} to ${to}${unit}`;
}
