/** The places that labels are for. */
import type { Database } from '../../database/kysely.ts';
import type { LabelledPlace } from './label-texts.ts';

/** One that is part of another one since has that one's label. */
export async function findLabelledPlaces(
  { read }: Pick<Database, 'read'>,
  ids: readonly number[],
): Promise<readonly LabelledPlace[]> {
  if (ids.length === 0) return [];
  return read
    .selectFrom('places')
    .leftJoin('places as whole', 'whole.id', 'places.merged_into')
    .select(({ fn }) => [
      fn.coalesce('whole.id', 'places.id').as('id'),
      fn.coalesce('whole.name', 'places.name').as('name'),
      fn.coalesce('whole.path', 'places.path').as('path'),
    ])
    .where('places.id', 'in', ids)
    .orderBy('places.name_key')
    .orderBy('places.id')
    .execute();
}
