/** The user of a session, as the handlers of every page find them on the context. */
import type { Selectable } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Role } from './role.ts';

export interface SessionUser {
  readonly id: number;
  /** The username of the account. */
  readonly name: string;
  /** What pages call the user, if it is not the username. */
  readonly displayName?: string;
  /** As it is now, not as it was at the log-in. */
  readonly role: Role;
  /** How the user sees the list; see items/list/list-view.ts. Absent as long as nothing was chosen. */
  readonly listView?: string;
  /** The version of the account that the log-in has checked. */
  readonly version?: string;
  /** The notices that the page after this log-in shows. */
  readonly notices?: readonly Notice[];
  /** The password was reset, and can only be used to choose a new one. */
  readonly mustChangePassword?: boolean;
}

/** By its owner, with a link to reset it, or by an administrator. */
export type PasswordChange = 'changed' | 'link' | 'reset';

/** `detail` is a `PasswordChange` or the new role. */
export type Notice = Pick<Selectable<Schema['account_notices']>, 'kind' | 'at' | 'detail'>;
