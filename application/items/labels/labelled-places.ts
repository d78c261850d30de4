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
    .innerJoin('places as whole', (join) =>
      join.on('whole.id', '=', ({ fn }) => fn.coalesce('places.merged_into', 'places.id')),
    )
    .leftJoin('item_files as photo', 'photo.id', 'whole.picture')
    .select(['whole.id', 'whole.name', 'whole.path', 'whole.picture', 'photo.list_hash as hash'])
    .where('places.id', 'in', ids)
    .orderBy('places.name_key')
    .orderBy('places.id')
    .execute();
}
