/**
 * Reads names once for each revision of the items. The form or the list that shows them is more important: while the
 * database is busy with searches, it shows those of an earlier revision, or none.
 */
import { DatabaseUnavailable } from 'seeother/database';
import { type Awaitable, andThen } from 'seeother/middleware';
import type { Items } from '../item.ts';

export function oncePerRevision<T>(
  items: Pick<Items, 'revision'>,
  none: T,
  read: () => Promise<T>,
): () => Awaitable<T> {
  let known = { revision: '', value: none };
  const readAnew = async (revision: string): Promise<T> => {
    try {
      const value = await read();
      known = { revision, value };
      return value;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      return known.value;
    }
  };
  return () =>
    andThen(items.revision(), (revision) =>
      revision === known.revision ? known.value : readAnew(revision),
    );
}
