/** Every model of the application, over one database. */
import type { Database } from '../database/database.ts';
import { type Accounts, createAccounts } from './account.ts';
import { createDevices, type Devices } from './device.ts';
import { createInvitations, type Invitations } from './invitation.ts';
import { createItems, type Items } from './item.ts';
import { createLogInThrottle, type LogInThrottle } from './log-in-throttle.ts';
import type { PasswordCost } from './password.ts';
import { createReceipts, type Receipts } from './receipt.ts';
import { createSessions, type Sessions } from './session.ts';

export interface Models {
  readonly accounts: Accounts;
  readonly devices: Devices;
  readonly invitations: Invitations;
  readonly items: Items;
  readonly receipts: Receipts;
  readonly sessions: Sessions;
  readonly throttle: LogInThrottle;
}

export function createModels(database: Database, passwordCost?: PasswordCost): Models {
  return {
    accounts: createAccounts(database, { passwordCost }),
    devices: createDevices(database),
    invitations: createInvitations(database),
    items: createItems(database),
    receipts: createReceipts(database),
    sessions: createSessions(database),
    throttle: createLogInThrottle(database),
  };
}
