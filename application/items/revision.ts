/**
 * The revision of the items: it identifies the state of everything that their lists and pages show.
 * Every transaction that changes items, tags or usernames sets a new, unique one. Database triggers do
 * this (migrations/0001-first-release.ts), so no code can forget it.
 * The same read tells the definitions of the team's own fields which revision they have.
 */
import { type Awaitable, andThen } from 'seeother/middleware';
import type { Database } from '../database/kysely.ts';
import type { DefinitionsReader } from '../own-fields/definitions.ts';

/** Returns a function that reads the last committed revision, whichever process committed it. */
export function createRevisionReader(
  { statement }: Database,
  definitions: Pick<DefinitionsReader, 'saw'> | null = null,
): () => Awaitable<string> {
  const find = statement((read) =>
    read.selectFrom('revisions').select(['revision', 'fields']).where('name', '=', 'items'),
  );
  return () =>
    andThen(find.first({}), (row) => {
      // Without it, changes would go unnoticed: an error is better than an outdated page.
      if (row === null) throw new Error('Cannot read the revision of the items: its row is gone.');
      definitions?.saw(row.fields);
      return row.revision;
    });
}
