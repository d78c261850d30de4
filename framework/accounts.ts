/** Accounts: who may log in, with which passwords and roles, and their pages. */
export type { AccountUser } from './src/accounts/account.ts';
export type {
  AccountContext,
  AccountMail,
  AccountOptions,
  ShownAccountPage,
} from './src/accounts/account-options.ts';
export { type Accounts, createAccounts } from './src/accounts/accounts.ts';
