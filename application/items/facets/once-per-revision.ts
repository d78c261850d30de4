/**
 * Reads names once for each revision of the items. The form or the list that shows them is more important: while the
 * database is busy with searches, it shows those of an earlier revision, or none.
 */
import { DatabaseUnavailable } from 'seeother/database';
import type { Items } from '../item.ts';

export function oncePerRevision<T>(
  items: Pick<Items, 'revision'>,
  none: T,
  read: () => Promise<T>,
): () => Promise<T> {
  let known = { revision: '', value: none };
  return async () => {
    const revision = await items.revision();
    if (revision === known.revision) return known.value;
    try {
      const value = await read();
      known = { revision, value };
      return value;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      return known.value;
    }
  };
}
