/**
 * The filters of a list by fields of the team's own, as the address has them: `own_12=bosch`. What one means depends on
 * the kind of value: a text has words that begin with what was typed, a choice is chosen, and a number, a date or an
 * amount lies between `own_12_from` and `own_12_to`. Match-own.ts asks the database.
 */

/** `is` is the same text; `empty` and `any` are for items without and with a value; empty for the usual comparison. */
const COMPARISONS = ['', 'is', 'empty', 'any'] as const;

export interface OwnFilter {
  /** The id of the field. */
  readonly field: number;
  readonly how: (typeof COMPARISONS)[number];
  readonly text: string;
  readonly from: string;
  readonly to: string;
}

/** Each is a further condition of the query. */
const MAX_FILTERS = 8;

const NONE: readonly OwnFilter[] = [];
const OWN_NAME = /^own_([1-9]\d{0,8})(?:_(?:how|from|to))?$/;

/** In the order of the ids, so that the same list has one address. What says nothing is left out. */
export function readOwnFilters(
  query: URLSearchParams,
  readText: (query: URLSearchParams, name: string) => string,
): readonly OwnFilter[] {
  let fields: Set<number> | null = null;
  // Most lists have none.
  if (query.size === 0) return NONE;
  for (const name of query.keys()) {
    const [, field] = OWN_NAME.exec(name) ?? [];
    if (field === undefined) continue;
    fields ??= new Set();
    fields.add(Number(field));
  }
  if (fields === null) return NONE;
  return [...fields]
    .sort((one, other) => one - other)
    .map((field) => {
      const how = query.get(`own_${field}_how`);
      return {
        field,
        how: COMPARISONS.find((one) => one === how) ?? '',
        text: readText(query, `own_${field}`),
        from: readText(query, `own_${field}_from`),
        to: readText(query, `own_${field}_to`),
      };
    })
    .filter(saysSomething)
    .slice(0, MAX_FILTERS);
}

function saysSomething({ how, text, from, to }: OwnFilter): boolean {
  return how === 'empty' || how === 'any' || text !== '' || from !== '' || to !== '';
}
