/**
 * Adds the locations and tags with the numbers of their items, for filters and suggestions. Triggers count,
 * so items that an older release writes during a rolling update count too; it does not write the keys of
 * names with other letters than ASCII, which the next write of such a name does.
 */
import type { Kysely } from 'kysely';
import { countAllFacets, FACET_SOURCES } from '../../items/facets.ts';
import { engineOf } from '../kysely.ts';
import type { Schema } from '../schema.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const engine = engineOf(database);
  const text = engine.textType;
  await database.schema
    .createTable('item_facets')
    .addColumn('field', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('items', engine.integerType, (column) => column.notNull())
    .addPrimaryKeyConstraint('item_facets_key', ['field', 'name'])
    .execute();
  await database.schema
    .createIndex('item_facets_by_key')
    .on('item_facets')
    .columns(['field', 'key', 'name'])
    .execute();
  for (const { field, table, column } of FACET_SOURCES)
    await engine.countFacets(database, field, table, column);
  // The keys must be those of the current code. So this uses that code, not a copy of it.
  await countAllFacets(database as Kysely<Schema>);
}
