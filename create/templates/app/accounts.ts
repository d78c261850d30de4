/** Who may log in, and how. The pages of accounts are those of `seeother/accounts`. */
import { createAccounts } from 'seeother/accounts';
import type { Database } from 'seeother/database';
// passkeys: import { passkeys } from 'seeother/passkeys';
// codes: import { totp } from 'seeother/totp';
// company: import { openCompanies } from './company.ts';
// link: import type { MailOutbox } from './mail.ts';
// codes: import { readSetting } from './settings.ts';
import { layout } from './layout.ts';

/** From the least to the most: an administrator may do all that a member may. */
const ROLES = ['member', 'admin'] as const;

export type Role = (typeof ROLES)[number];
export type SiteAccounts = ReturnType<typeof openAccounts>;

interface Options {
  readonly publicOrigin?: string | null;
}

// link: export function openAccounts(
// link:   database: Database,
// link:   { publicOrigin }: Options,
// link:   { afterCommit }: MailOutbox,
// link: ) {
// unless link:
export function openAccounts(database: Database, { publicOrigin }: Options) {
  return createAccounts(database, {
    layout,
    publicOrigin,
    roles: ROLES,
    // Everybody may register, and the first one is an administrator. With 'first', all others need an invitation.
    registration: 'open',
    // link: // A link to log in, a forgotten password, and notices of what has changed.
    // link: mail: afterCommit.mail,
    // company: providers: openCompanies(),
    // passkeys: // Alone, or behind a password. Browsers have them at a name: use http://localhost:8000.
    // passkeys: passkeys: passkeys({ name: 'Items' }),
    // codes: // A second factor, for users who switch it on. With secondFactorFor: ['admin'], administrators have to.
    // codes: totp: totp(),
    // codes: secrets: readSetting('SECRETS', 'what openssl rand -base64 32 prints'),
  });
}
