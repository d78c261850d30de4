/** All models of the application, on one database. */
import type { FileStore } from 'seeother/files';
import { type Accounts, createAccounts } from './accounts/account.ts';
import { createDevices, type Devices } from './accounts/device.ts';
import { createEndSessions, type EndSessions } from './accounts/end-sessions.ts';
import { createInvitations, type Invitations } from './accounts/invitation.ts';
import { createLogInThrottle, type LogInThrottle } from './accounts/log-in-throttle.ts';
import type { PasswordCost } from './accounts/password.ts';
import { createPeople, type People } from './accounts/people.ts';
import { createResetLinks, type ResetLinks } from './accounts/reset-link.ts';
import { openStores, type StoreReport, type Stores } from './accounts/stores.ts';
import type { Database } from './database/kysely.ts';
import { createImports, type Imports } from './imports/import-model.ts';
import { type Batches, createBatches } from './items/events/batches.ts';
import { createHistory, type History } from './items/events/item-events.ts';
import type { FindReferences } from './items/export/export-controller.ts';
import { createItemExport, type ExportItems } from './items/export/item-export.ts';
import { createFacetList, type FacetList } from './items/facets/facet-list.ts';
import { createTeamHistory, type TeamHistory } from './items/history/team-history.ts';
import { createUndoRest, type UndoRest } from './items/history/undo-batch.ts';
import { createItems, type Items } from './items/item.ts';
import { referencesOf } from './items/item-sources.ts';
import { createFindHeld, type FindHeld } from './items/lend/held-items.ts';
import { removeExpired } from './maintenance/remove-expired.ts';

export interface Models extends Stores {
  readonly accounts: Accounts;
  readonly batches: Batches;
  readonly devices: Devices;
  readonly endSessions: EndSessions;
  readonly exportItems: ExportItems;
  readonly findReferences: FindReferences;
  readonly facetList: FacetList;
  readonly imports: Imports;
  readonly invitations: Invitations;
  readonly findHeld: FindHeld;
  readonly history: History;
  readonly items: Items;
  readonly people: People;
  readonly resetLinks: ResetLinks;
  readonly teamHistory: TeamHistory;
  readonly throttle: LogInThrottle;
  readonly undoRest: UndoRest;
}

/** The clock tells which loans are overdue. */
export function createModels(
  database: Database,
  passwordCost?: PasswordCost,
  now?: () => Date,
  fileStore?: FileStore,
  report?: StoreReport,
): Models {
  const items = createItems(database, now);
  return {
    ...openStores(database, removeExpired, fileStore, report),
    accounts: createAccounts(database, { passwordCost }),
    batches: createBatches(database),
    devices: createDevices(database),
    endSessions: createEndSessions(database),
    exportItems: createItemExport(database, now),
    findReferences: (found) => referencesOf(database.read, found),
    facetList: createFacetList(database),
    imports: createImports(database, items),
    invitations: createInvitations(database),
    findHeld: createFindHeld(database),
    history: createHistory(database),
    items,
    people: createPeople(database),
    resetLinks: createResetLinks(database),
    teamHistory: createTeamHistory(database),
    throttle: createLogInThrottle(database),
    undoRest: createUndoRest(database),
  };
}
