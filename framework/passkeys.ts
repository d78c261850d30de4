/**
 * Passkeys: what browsers are asked, and the check of their answers. It needs the package `@simplewebauthn/server`, and
 * loads it when a passkey is first added or used.
 */
export { type PasskeyFormOptions, passkeyForm } from './src/passkeys/passkey-form.ts';
export { passkeyScript } from './src/passkeys/passkey-script.ts';
export {
  type ClaimedPasskey,
  type KnownPasskey,
  type PasskeyQuestion,
  type Passkeys,
  type PasskeyUser,
  passkeys,
} from './src/passkeys/passkeys.ts';
export type { PasskeysOptions } from './src/passkeys/place.ts';
export type { AddedAnswer, NewPasskey } from './src/passkeys/verify-added.ts';
export type { SignInAnswer, VerifiedSignIn } from './src/passkeys/verify-sign-in.ts';
