/**
 * Passkeys (WebAuthn level 3) over `@simplewebauthn/server`: makes what browsers are asked, and verifies what they
 * answer. It stores nothing. Who calls it stores passkeys, and gives each challenge out once and takes it back once.
 *
 * A passkey always verifies its user, by a fingerprint or a PIN, and can be found without a name. So it is two factors,
 * and can be the only way to log in.
 *
 * The package takes longer to load than the rest of a site, so it is loaded when somebody first uses a passkey. A page
 * that only asks for one does without.
 */
import { randomBytes } from 'node:crypto';
import { checkPasskeysOptions, findPlace, isPossibleAt, type PasskeysOptions } from './place.ts';
import { readAnswer } from './read-response.ts';
import type { AddedAnswer, NewPasskey } from './verify-added.ts';
import type { SignInAnswer, VerifiedSignIn } from './verify-sign-in.ts';

/** A passkey that the account has, or that may answer. */
export interface KnownPasskey {
  /** In base64url. */
  readonly id: string;
  readonly transports: readonly string[];
}

/** A question for the browser: `passkeyForm` draws it. */
export interface PasskeyQuestion {
  /** JSON with the fields of `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`. */
  readonly options: string;
  /** 32 random bytes in base64url. It may be answered once, within some minutes, by the browser that was asked. */
  readonly challenge: string;
}

/** Who gets a passkey. */
export interface PasskeyUser {
  /**
   * The user handle: 1 to 64 bytes in base64url that stay the same, say nothing about the person, and are no other
   * account's, such as `randomBytes(32).toString('base64url')`. A program has one passkey for each handle.
   */
  readonly handle: string;
  /** What browsers list the passkey under, such as the username. */
  readonly name: string;
  /** The name of the person; that of the account by default. */
  readonly displayName?: string;
}

/** What an answer says of itself; nothing of it is proved. It serves to find the challenge and the passkey. */
export interface ClaimedPasskey {
  readonly id: string;
  readonly challenge: string;
  readonly userHandle: string | null;
}

/** The result of `passkeys`. */
export interface Passkeys {
  /**
   * False for http, except on this machine, for an IP address, and outside of the domain and the origins of these
   * passkeys: there, browsers have none.
   */
  readonly isPossibleAt: (origin: string) => boolean;
  /** Asks for a new passkey. The authenticators of `existing` passkeys refuse to make a second one. */
  readonly toAdd: (asked: {
    readonly origin: string;
    readonly user: PasskeyUser;
    readonly existing: readonly KnownPasskey[];
  }) => Promise<PasskeyQuestion>;
  /** Null unless the answer is a new passkey for this challenge. Its `id` must be new among those of all accounts. */
  readonly verifyAdded: (answer: AddedAnswer) => Promise<NewPasskey | null>;
  /**
   * Asks for a passkey: any of this site, or one of `allow`. Who has not proved yet who he is must not be told which
   * passkeys an account has, so `allow` is for a second factor and for a confirmation.
   */
  readonly toSignIn: (asked: {
    readonly origin: string;
    readonly allow?: readonly KnownPasskey[];
  }) => Promise<PasskeyQuestion>;
  /** Null unless the text is an answer at all. */
  readonly readClaim: (response: unknown) => ClaimedPasskey | null;
  /** Null unless the answer proves the stored passkey, for this challenge, and names the account that it belongs to. */
  readonly verifySignIn: (answer: SignInAnswer) => Promise<VerifiedSignIn | null>;
  /** The JSON of `/.well-known/webauthn` at the RP ID; null if the site has no related origins. */
  readonly relatedOrigins: () => { readonly origins: readonly string[] } | null;
}

/** Milliseconds: the time that WebAuthn recommends where the user is verified. */
const TIMEOUT = 300_000;

/** Throws a TypeError for a domain or an origin that browsers would not accept. */
export function passkeys(options: PasskeysOptions): Passkeys {
  checkPasskeysOptions(options);
  const placeOf = (origin: string) => findPlace(options, origin);
  return {
    isPossibleAt: (origin) => isPossibleAt(options, origin),
    async toAdd({ origin, user, existing }) {
      const place = placeOf(origin);
      const { generateRegistrationOptions } = await import('@simplewebauthn/server');
      const { ALGORITHMS } = await import('./verify-added.ts');
      const made = await generateRegistrationOptions({
        rpName: options.name,
        rpID: place.id,
        userID: toHandleBytes(user.handle),
        userName: user.name,
        userDisplayName: user.displayName ?? user.name,
        attestationType: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: existing.map(toDescriptor),
        supportedAlgorithmIDs: [...ALGORITHMS],
        timeout: TIMEOUT,
      });
      return { options: JSON.stringify(made), challenge: made.challenge };
    },
    async verifyAdded(answer) {
      const { verifyAdded } = await import('./verify-added.ts');
      return verifyAdded(placeOf(answer.origin), answer);
    },
    async toSignIn({ origin, allow }) {
      const challenge = randomBytes(32).toString('base64url');
      const question = {
        rpId: placeOf(origin).id,
        challenge,
        ...(allow === undefined ? {} : { allowCredentials: allow.map(toDescriptor) }),
        timeout: TIMEOUT,
        userVerification: 'required',
      };
      return { options: JSON.stringify(question), challenge };
    },
    readClaim(response) {
      const answer = readAnswer(response);
      if (answer === null) return null;
      const { id, challenge, userHandle } = answer;
      return { id, challenge, userHandle };
    },
    async verifySignIn(answer) {
      const { verifySignIn } = await import('./verify-sign-in.ts');
      return verifySignIn(placeOf(answer.origin), answer);
    },
    relatedOrigins() {
      const { origins = [] } = options;
      return origins.length === 0 ? null : { origins };
    },
  };
}

function toDescriptor({ id, transports }: KnownPasskey) {
  return { id, type: 'public-key' as const, transports: transports as Transport[] };
}

type Transport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb';

function toHandleBytes(handle: string): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(Buffer.from(handle, 'base64url'));
  if (bytes.length >= 1 && bytes.length <= 64 && /^[\w-]+$/.test(handle)) return bytes;
  throw new TypeError(
    "Cannot ask for a passkey: the handle of its user is not 1 to 64 bytes in base64url. Store one with the account, randomBytes(32).toString('base64url').",
  );
}
