/** Other programs whose exports are known by their headings. What their columns become is in program-columns.ts. */

import type { FindColumn, ProgramColumn } from './program-columns.ts';
import * as columns from './program-columns.ts';
import type { PlaceMark } from './read-location.ts';
import { bareText } from './same-text.ts';

export interface Program {
  /** As in “It looks like an export of Homebox.” */
  readonly name: string;
  /** What separates its places inside places. */
  readonly places: PlaceMark | null;
  /** The heading of the column that names a thing without a name. */
  readonly otherName?: string;
  /** Why a row is no thing, without a full stop; null for a thing. */
  readonly isNoThing?: (cellOf: (heading: string) => string) => string | null;
  readonly columnOf: FindColumn;
}

interface KnownProgram extends Program {
  /** Whether its files have these headings, in lower case. */
  readonly knows: (headings: ReadonlySet<string>) => boolean;
}

const PROGRAMS: readonly KnownProgram[] = [
  {
    name: 'Homebox',
    places: ' / ',
    knows: hasAll('hb.name'),
    columnOf: (heading) => columns.HOMEBOX(heading) ?? toField(/^HB\.field\.(.+)/i, heading),
    // Its newer releases write the places as rows, too.
    isNoThing: (cellOf) =>
      /\/location\/[^/]+$/.test(cellOf('HB.url')) ? 'It is a place of Homebox, and no thing' : null,
  },
  {
    name: 'Snipe-IT',
    places: null,
    otherName: 'Model',
    knows: (headings) =>
      headings.has('asset tag') &&
      hasSome(headings, 2, ['asset name', 'checked out to', 'purchase cost', 'status']),
    columnOf: columns.SNIPE_IT,
    // Its custom report has deleted things, too, if somebody wants it so.
    isNoThing: (cellOf) => (cellOf('Deleted') === '' ? null : 'It was deleted in Snipe-IT'),
  },
  {
    name: 'InvenTree',
    places: '/',
    knows: hasAll('part.name', 'quantity'),
    columnOf: (heading) => columns.INVENTREE_STOCK(withoutDetail(heading)),
  },
  {
    name: 'InvenTree (parts)',
    places: null,
    knows: hasAll('ipn', 'name', 'total stock'),
    columnOf: (heading) => columns.INVENTREE_PARTS(withoutDetail(heading)),
  },
  {
    name: 'Part-DB',
    places: '->',
    knows: (headings) =>
      headings.has('name') &&
      hasSome(headings, 2, [
        ...['storage_location', 'storelocation', 'partunit', 'minamount', 'mpn', 'needs_review'],
        ...['total_instock', 'category.full_name', 'manufacturer_product_number'],
      ]),
    // A part has one place here: its other lots are lines.
    columnOf: (heading) =>
      columns.PART_DB(heading) ??
      (/\.\d+\./.test(heading) ? { use: 'in description', rank: 0 } : null),
  },
  {
    name: 'Grocy',
    places: null,
    knows: (headings) =>
      headings.has('product group') &&
      hasSome(headings, 1, ['product', 'name']) &&
      hasSome(headings, 1, [
        ...['next due date', 'next best before date', 'due date', 'best before date'],
        ...['min. stock amount', 'min stock amount', 'qu stock', 'quantity unit stock'],
      ]),
    columnOf: columns.GROCY,
  },
  {
    name: 'shelf.nu',
    places: null,
    knows: (headings) =>
      hasAll('asset id', 'qr id')(headings) ||
      (hasAll('name', 'total value')(headings) &&
        hasSome(headings, 2, ['asset id', 'qr id', 'available to book', 'custody', 'kit'])),
    columnOf: findShelfColumn,
  },
  {
    name: 'shelf.nu (for its import)',
    places: null,
    knows: (headings) =>
      headings.has('title') &&
      (hasSome(headings, 2, ['bookable', 'custodian', 'unitofmeasure', 'consumptiontype']) ||
        [...headings].some((one) => one.startsWith('cf:'))),
    // Of the other export, people see another number.
    columnOf: (heading) =>
      heading.toLowerCase() === 'id' ? { use: 'reference', rank: 1 } : findShelfColumn(heading),
  },
];

/** `cf:Serial number, type:text` is a field of the team. */
function findShelfColumn(heading: string): ProgramColumn | null {
  return (
    columns.SHELF(heading) ??
    columns.SHELF(/^cf:\s*(serial[^,]*?)\s*(?:,|$)/i.exec(heading)?.[1] ?? '') ??
    toField(/^cf:\s*([^,]+)/i, heading)
  );
}

function hasAll(...needed: readonly string[]) {
  return (headings: ReadonlySet<string>): boolean => needed.every((one) => headings.has(one));
}

function hasSome(headings: ReadonlySet<string>, count: number, some: readonly string[]): boolean {
  return some.filter((one) => headings.has(one)).length >= count;
}

/** A column with a field of the team that has used the program. */
function toField(pattern: RegExp, heading: string): ProgramColumn | null {
  const label = pattern.exec(heading)?.[1]?.trim() ?? '';
  return label === '' ? null : { use: { label, kind: null }, rank: 0 };
}

/** `Part detail.Name` of some releases is `Part.Name` of others. */
function withoutDetail(heading: string): string {
  return heading.replace(/ detail\./i, '.');
}

/** By its name, which is stored with the import; null for none. */
export function programOf(name: string | null | undefined): Program | null {
  return PROGRAMS.find((one) => one.name === name) ?? null;
}

/** Null for a file of any other program. */
export function findProgram(header: readonly string[]): Program | null {
  const headings = new Set(header.map((one) => withoutDetail(bareText(one)).toLowerCase()));
  return PROGRAMS.find(({ knows }) => knows(headings)) ?? null;
}
