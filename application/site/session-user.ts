/** The user of a session, as the handlers of every page find them on the context. */
import type { AccountUser } from 'seeother/accounts';
import type { Role } from '../settings/role.ts';

/** What an account has chosen, besides what every account has. */
export interface Chosen {
  /** What pages call the user, if it is not the username. */
  readonly displayName?: string;
  /** How the user sees the list; see items/list/list-view.ts. Absent as long as nothing was chosen. */
  readonly listView?: string;
}

/** `name` is the username. The role is as it is now, not as it was at the log-in. */
export type SessionUser = AccountUser<Role> & Chosen;
