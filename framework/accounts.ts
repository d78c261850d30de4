/** Accounts: who may log in, with which passwords and roles, and their pages. */
export type { AccountContext, AccountUser } from './src/accounts/account.ts';
export {
  type AccountMail,
  type AccountOptions,
  type AccountProvider,
  accountUser,
  type ShownAccountPage,
  type UserColumns,
} from './src/accounts/account-options.ts';
export { type AccountProfile, accountProfile } from './src/accounts/account-profile.ts';
export { type Accounts, createAccounts } from './src/accounts/accounts.ts';
