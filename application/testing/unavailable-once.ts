/** A database whose next write fails as if the server were away, and whose later ones succeed. */
import { DatabaseUnavailable } from 'seeother/database';
import type { Database } from '../database/kysely.ts';

export function unavailableOnce({ write }: Pick<Database, 'write'>): Pick<Database, 'write'> {
  let isAway = true;
  return {
    write(work) {
      if (!isAway) return write(work);
      isAway = false;
      return Promise.reject(new DatabaseUnavailable('away'));
    },
  };
}
