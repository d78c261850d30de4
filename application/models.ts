/** All models of the application, on one database. */
import { createHashQueue, type Passwords } from 'seeother/accounts';
import type { FileStore } from 'seeother/files';
import { createAccounts } from './accounts/account.ts';
import { createEndSessions } from './accounts/end-sessions.ts';
import { createInvitations } from './accounts/invitation.ts';
import { createLogInLimits } from './accounts/log-in-limits.ts';
import { createPeople } from './accounts/people.ts';
import { createResetLinks } from './accounts/reset-link.ts';
import { openStores, type StoreReport } from './accounts/stores.ts';
import type { Database } from './database/kysely.ts';
import { createImports } from './imports/import-model.ts';
import { createCountRecords } from './items/count-records.ts';
import { createBatches } from './items/events/batches.ts';
import { createHistory } from './items/events/item-events.ts';
import { createItemExport } from './items/export/item-export.ts';
import { createFacetList } from './items/facets/facet-list.ts';
import { createTeamHistory } from './items/history/team-history.ts';
import { createUndoRest } from './items/history/undo-batch.ts';
import { createItems } from './items/item.ts';
import { referencesOf } from './items/item-sources.ts';
import { createBorrowers } from './items/lend/borrowers.ts';
import { createFindHeld } from './items/lend/held-items.ts';

export type Models = Readonly<ReturnType<typeof createModels>>;

/** The clock tells which loans are overdue. */
export function createModels(
  database: Database,
  passwords?: Passwords,
  now?: () => Date,
  fileStore?: FileStore,
  report?: StoreReport,
) {
  const items = createItems(database, now);
  const people = createPeople(database);
  const { devices, throttle } = createLogInLimits(database);
  return {
    ...openStores(database, fileStore, report),
    accounts: createAccounts(database, passwords === undefined ? {} : { passwords }),
    batches: createBatches(database),
    borrowers: createBorrowers(database, people, items),
    countRecords: createCountRecords(database),
    devices,
    endSessions: createEndSessions(database),
    exportItems: createItemExport(database, now),
    findReferences: referencesOf.bind(null, database.read),
    facetList: createFacetList(database),
    imports: createImports(database, items),
    invitations: createInvitations(database),
    findHeld: createFindHeld(database),
    history: createHistory(database),
    items,
    people,
    queueHash: createHashQueue(),
    resetLinks: createResetLinks(database),
    teamHistory: createTeamHistory(database),
    throttle,
    undoRest: createUndoRest(database),
  };
}
