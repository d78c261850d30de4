/**
 * The edition of the items: a name for the state of all that their lists and pages show. Every change
 * of items, tags or usernames gives another one, in its own transaction, and none is given twice. The
 * database sees to it (migrations/0004-editions.ts), so that no code can forget it.
 */
import type { Database } from '../database/database.ts';

/** A reader of the edition as it was committed last, whoever has committed it. */
export function createEditionReader({ statement }: Database): () => Promise<string> {
  const find = statement((read) =>
    read.selectFrom('editions').select('edition').where('name', '=', 'items'),
  );
  return async () => {
    const row = await find.first({});
    // Without it nobody would notice a change: better no page than one of long ago.
    if (row === null) throw new Error('Cannot tell the edition of the items: its row is gone.');
    return row.edition;
  };
}
