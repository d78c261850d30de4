/**
 * The routes of accounts, for typed links. Which of them a site has depends on its options. Those of a provider are not
 * here, because its id is in their path: buttons lead to them.
 */
export const FORM_PAGES = [
  '/login',
  '/login/again',
  '/login/second-factor',
  '/login/recovery-code',
  '/login/passkey',
  '/login/second-factor/passkey',
  '/login/link',
  '/login/link/open',
  '/register',
  '/register/address',
  '/password/forgot',
  '/password/new',
  '/account/password',
  '/account/profile',
  '/account/email',
  '/account/email/confirm',
  '/account/devices',
  '/account/second-factor',
  '/account/second-factor/off',
  '/account/recovery-codes',
  '/account/passkeys',
  '/account/passkeys/one',
  '/account/passkeys/after-password',
  '/account/providers',
  '/account/providers/confirm',
  '/account/delete',
  '/people',
  '/people/:id<int>',
] as const;

export const OTHER_ROUTES = [
  'GET /login/forget.css',
  'POST /logout',
  'GET /account',
  'GET /mail-sent',
  'POST /people/invitations',
  'GET /.well-known/webauthn',
] as const;

/** The names of the routes, such as `GET /login`, for `createLinks`. */
export type AccountRoutes =
  | `${'GET' | 'POST'} ${(typeof FORM_PAGES)[number]}`
  | (typeof OTHER_ROUTES)[number];
