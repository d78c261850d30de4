/**
 * The revision of the items: it identifies the state of everything that their lists and pages show.
 * Every transaction that changes items, tags or usernames sets a new, unique one. Database triggers do
 * this (migrations/0001-first-release.ts), so no code can forget it.
 */
import { type Awaitable, andThen } from 'seeother/middleware';
import type { Database } from '../database/kysely.ts';

/** Returns a function that reads the last committed revision, whichever process committed it. */
export function createRevisionReader({ statement }: Database): () => Awaitable<string> {
  const find = statement((read) =>
    read.selectFrom('revisions').select('revision').where('name', '=', 'items'),
  );
  return () =>
    andThen(find.first({}), (row) => {
      // Without it, changes would go unnoticed: an error is better than an outdated page.
      if (row === null) throw new Error('Cannot read the revision of the items: its row is gone.');
      return row.revision;
    });
}
