/** All models of the application, on one database. */
import { type AccountParts, openAccounts } from './accounts/accounts.ts';
import { createPeople } from './accounts/people.ts';
import type { Database } from './database/kysely.ts';
import { createImports } from './imports/import-model.ts';
import { createCountRecords } from './items/count-records.ts';
import { createBatches } from './items/events/batches.ts';
import { createHistory } from './items/events/item-events.ts';
import { createItemExport } from './items/export/item-export.ts';
import { createFacetList } from './items/facets/facet-list.ts';
import { createMergeRest } from './items/fields/merge-values.ts';
import type { MakeLater } from './items/files/change-files.ts';
import { createTeamHistory } from './items/history/team-history.ts';
import { createUndoRest } from './items/history/undo-batch.ts';
import { createItems } from './items/item.ts';
import { createItemFiles } from './items/item-files.ts';
import { referencesOf } from './items/item-sources.ts';
import { createLabelChoices } from './items/labels/label-choices.ts';
import { findLabelledPlaces } from './items/labels/labelled-places.ts';
import { createBorrowers } from './items/lend/borrowers.ts';
import { createFindHeld } from './items/lend/held-items.ts';
import { createMoveRest } from './items/places/move-things.ts';
import { createPlaces } from './items/places/place-model.ts';
import { findByCode } from './items/scan/find-by-code.ts';
import { createDefinitionLog } from './own-fields/definition-log.ts';

/** With the stores of the site. */
export type Models = Readonly<ReturnType<typeof createModels>>;

/** The clock tells which loans are overdue. */
export function createModels(
  database: Database,
  {
    now,
    makeLater = () => null,
    ...parts
  }: Omit<AccountParts, 'findHeld' | 'people'> & { readonly makeLater?: () => MakeLater },
) {
  const items = createItems(database, now);
  const people = createPeople(database);
  const findHeld = createFindHeld(database);
  const accounts = openAccounts(database, { ...parts, now, findHeld, people });
  return {
    ...accounts.stores,
    accounts,
    batches: createBatches(database),
    borrowers: createBorrowers(database, people, items),
    definitionLog: createDefinitionLog(database),
    countRecords: createCountRecords(database),
    exportItems: createItemExport(database, now, items.definitions),
    findReferences: referencesOf.bind(null, database.read),
    facetList: createFacetList(database),
    imports: createImports(database, items, { files: accounts.stores.files, makeLater }),
    findByCode: findByCode.bind(null, database.read),
    findHeld,
    history: createHistory(database),
    items,
    itemFiles: createItemFiles(database),
    labelChoices: createLabelChoices(database),
    labelledPlaces: findLabelledPlaces.bind(null, database),
    moveRest: createMoveRest(database),
    mergeRest: createMergeRest(database),
    people,
    places: createPlaces(database),
    teamHistory: createTeamHistory(database),
    undoRest: createUndoRest(database),
  };
}
