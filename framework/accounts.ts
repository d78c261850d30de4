/**
 * Accounts: who may log in, with which passwords and roles, and their pages. `createAccounts` is made of the other
 * values, which are for pages of your own.
 */
export type { AccountContext, AccountUser } from './src/accounts/account.ts';
export type { AccountEvent } from './src/accounts/account-events.ts';
export {
  type AccountMail,
  type AccountOptions,
  type AccountProvider,
  accountUser,
  type ShownAccountPage,
  type UserColumns,
} from './src/accounts/account-options.ts';
export { type AccountProfile, accountProfile } from './src/accounts/account-profile.ts';
export type { AccountRoutes } from './src/accounts/account-routes.ts';
export { accountStatements } from './src/accounts/account-tables.ts';
export { type Accounts, createAccounts } from './src/accounts/accounts.ts';
export { createAttempts } from './src/accounts/attempts.ts';
export { describeAgent } from './src/accounts/describe-agent.ts';
export { readDevice, withDevice } from './src/accounts/device-cookie.ts';
export { createDevices, DEVICE_LIFE, type Devices } from './src/accounts/devices.ts';
export { createHashQueue, type QueueHash } from './src/accounts/hash-queue.ts';
export { createNewPasswords, passwordAgainField } from './src/accounts/new-password.ts';
export {
  createPassword,
  createPasswords,
  type PasswordOptions,
  type Passwords,
} from './src/accounts/passwords.ts';
export { createThrottle, type Throttle } from './src/accounts/throttle.ts';
