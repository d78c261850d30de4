/** Who has how many of the lent items. A borrower is a text: the name of somebody here, or of anybody else. */
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database/kysely.ts';
import type { Schema } from '../../database/schema.ts';
import { compareNames } from '../../site/fold-text.ts';
import { isOverdue, type Loan } from '../loan.ts';

export interface HeldItem {
  readonly number: number;
  readonly name: string;
  readonly loan: Loan;
}

export interface Holder {
  readonly name: string;
  /** Those that are due first stand first. */
  readonly items: readonly HeldItem[];
}

export interface HeldItems {
  readonly items: readonly HeldItem[];
  /** Whether more items are lent than these, which are due first. */
  readonly isTruncated: boolean;
}

export const MAX_HELD = 500;

/** The lent items, or those that somebody with one of these names has; case is ignored. */
export type FindHeld = (names?: readonly string[]) => Promise<HeldItems>;

export function createFindHeld({ slowRead }: Pick<Database, 'slowRead'>): FindHeld {
  return async (names) => {
    const spellings = names && (await findSpellings(slowRead, names));
    // PostgreSQL accepts no empty list.
    const rows = spellings?.length === 0 ? [] : await selectHeld(slowRead, spellings).execute();
    const items = rows
      .slice(0, MAX_HELD)
      .map(({ number, name, ...loan }) => ({ number, name, loan }));
    return { items, isTruncated: rows.length > MAX_HELD };
  };
}

/** The names as the loans have them. SQLite ignores the case of ASCII letters only. */
async function findSpellings(
  read: Kysely<Schema>,
  names: readonly string[],
): Promise<readonly string[]> {
  const sought = new Set(names.map((name) => name.toLowerCase()));
  const rows = await read.selectFrom('loans').select('borrower').distinct().execute();
  return rows.flatMap(({ borrower }) => (sought.has(borrower.toLowerCase()) ? [borrower] : []));
}

function selectHeld(read: Kysely<Schema>, names?: readonly string[]) {
  return read
    .selectFrom('loans')
    .innerJoin('items', 'number', 'item')
    .select(['number', 'name', 'borrower as to', 'until', 'at', 'loans.quantity'])
    .$if(names !== undefined, (query) => query.where('borrower', 'in', names ?? []))
    .orderBy(sql`until nulls last`)
    .orderBy('number')
    .orderBy('at')
    .limit(MAX_HELD + 1);
}

/** Those who have something that is overdue first, then by name. */
export function groupByHolder(items: readonly HeldItem[], now: Date): readonly Holder[] {
  const groups = [...Map.groupBy(items, ({ loan }) => loan.to.toLowerCase()).values()];
  const holders = groups.map((own) => ({ name: own[0]?.loan.to ?? '', items: own }));
  const isLate = (holder: Holder) => holder.items.some(({ loan }) => isOverdue(loan, now));
  return holders.sort(
    (one, other) =>
      Number(isLate(other)) - Number(isLate(one)) || compareNames(one.name, other.name),
  );
}
