/** Who may log in, and how. The pages of accounts are those of `seeother/accounts`. */
import { createAccounts } from 'seeother/accounts';
import type { Database } from 'seeother/database';
import { layout } from './layout.ts';

/** From the least to the most: an administrator may do all that a member may. */
const ROLES = ['member', 'admin'] as const;

export type Role = (typeof ROLES)[number];
export type SiteAccounts = ReturnType<typeof openAccounts>;

interface Options {
  readonly publicOrigin?: string | null;
}

export function openAccounts(database: Database, { publicOrigin }: Options) {
  return createAccounts(database, {
    layout,
    publicOrigin,
    roles: ROLES,
    // Everybody may register, and the first one is an administrator. With 'first', all others need an invitation.
    registration: 'open',
  });
}
