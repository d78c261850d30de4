/**
 * The names that a form to lend suggests: those of past loans, the last first, and those of the people who can log in.
 * Whoever was removed from the team is not suggested.
 */
import { type Kysely, sql } from 'kysely';
import type { People } from '../../accounts/people.ts';
import { toUsernameKey } from '../../accounts/username-key.ts';
import type { Database } from '../../database/kysely.ts';
import type { Schema } from '../../database/schema.ts';
import { parseChanges } from '../events/item-changes.ts';
import { oncePerRevision } from '../facets/once-per-revision.ts';
import type { Items } from '../item.ts';

export interface Borrowers {
  readonly suggest: () => Promise<readonly string[]>;
  /** A name of somebody in the team as it is written there, another as it was at first; or as it was typed. */
  readonly spell: (typed: string) => Promise<string>;
}

/** Loans and batches of loans that are looked at. */
const MAX_LOANS = 200;
/** A history has many other batches, and no index of those that lend. */
const MAX_BATCHES = 1_000;
const MAX_NAMES = 100;

export function createBorrowers(
  { slowRead }: Pick<Database, 'slowRead'>,
  people: Pick<People, 'list'>,
  items: Pick<Items, 'revision'>,
): Borrowers {
  const past = oncePerRevision<readonly string[]>(items, [], () => findPast(slowRead));
  return {
    async suggest() {
      const everybody = await people.list();
      const isHere = ({ removedAt }: { readonly removedAt: Date | null }) => removedAt === null;
      const here = everybody.filter(isHere).map(({ name }) => name);
      const known = new Set(
        everybody
          .filter((one) => !isHere(one))
          .flatMap(({ name, username }) => [name, username].map(toUsernameKey)),
      );
      return [...(await past()), ...here]
        .filter((name) => {
          const key = toUsernameKey(name);
          return !known.has(key) && known.add(key);
        })
        .slice(0, MAX_NAMES);
    },
    async spell(typed) {
      const key = toUsernameKey(typed);
      const person = (await people.list()).find(
        ({ username, name, removedAt }) =>
          removedAt === null && [username, name].some((one) => toUsernameKey(one) === key),
      );
      if (person !== undefined) return person.name;
      return (await past()).findLast((name) => toUsernameKey(name) === key) ?? typed;
    },
  };
}

/** The last first, without those that were undone or removed for ever. */
async function findPast(read: Kysely<Schema>): Promise<readonly string[]> {
  const single = await read
    .selectFrom('item_events')
    .leftJoin('item_events as undo', 'undo.undoes', 'item_events.id')
    .select(['item_events.at', 'item_events.changes'])
    .where('item_events.batch', 'is', null)
    .where('item_events.kind', '=', 'lent')
    // The condition of the index by kind.
    .where('item_events.kind', '<>', sql.lit('added'))
    .where('item_events.undoes', 'is', null)
    .where('undo.id', 'is', null)
    .orderBy('item_events.at', 'desc')
    .limit(MAX_LOANS)
    .execute();
  const batches = await read
    .selectFrom(
      read
        .selectFrom('batches')
        .select(['at', 'kind', 'about', 'events', 'undone'])
        .orderBy('at', 'desc')
        .limit(MAX_BATCHES)
        .as('last'),
    )
    .select(['at', 'about'])
    .where('kind', '=', 'lent')
    .whereRef('undone', '<', 'events')
    .orderBy('at', 'desc')
    .limit(MAX_LOANS)
    .execute();
  // An import that adds an item has no event of its loan.
  const current = await read
    .selectFrom('loans')
    .select(['at', 'borrower as to'])
    .orderBy('at', 'desc')
    .limit(MAX_LOANS)
    .execute();
  return [
    ...current,
    ...single.map(({ at, changes }) => ({
      at,
      to: parseChanges(changes).loans?.[1].at(-1)?.to,
    })),
    ...batches.map(({ at, about }) => ({ at, to: (JSON.parse(about) as { to?: string }).to })),
  ]
    .sort((one, other) => (one.at < other.at ? 1 : -1))
    .flatMap(({ to }) => to || []);
}
