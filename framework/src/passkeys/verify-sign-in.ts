/** Verifies the answer of an authenticator that has a passkey (WebAuthn level 3, section 7.2). */
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { Place } from './place.ts';
import { readAnswer } from './read-response.ts';

/** An answer to `toSignIn`, and the passkey that it names. */
export interface SignInAnswer {
  readonly origin: string;
  /** The one that `toSignIn` gave to this browser. */
  readonly challenge: string;
  /** The text of the field `response`, whatever it is. */
  readonly response: unknown;
  /** The passkey with the id of the answer. */
  readonly stored: {
    readonly id: string;
    readonly publicKey: Uint8Array;
    readonly counter: number;
  };
  /** The handle of the account that the passkey belongs to. */
  readonly userHandle: string;
  /**
   * Whether the account was known when the question was asked, as for a second factor: `allow` named its passkeys. Then
   * authenticators may leave the handle out. False by default.
   */
  readonly isUserKnown?: boolean;
}

/** What to store with the passkey. */
export interface VerifiedSignIn {
  /** Always 0 for passkeys that are on several devices. */
  readonly counter: number;
  readonly isBackedUp: boolean;
}

export async function verifySignIn(
  { id, origins }: Place,
  { challenge, response, stored, userHandle, isUserKnown = false }: SignInAnswer,
): Promise<VerifiedSignIn | null> {
  const answer = readAnswer(response);
  if (answer === null || answer.isFramed || answer.id !== stored.id) return null;
  const isAccount = answer.userHandle === null ? isUserKnown : answer.userHandle === userHandle;
  if (!isAccount) return null;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: answer.id,
        rawId: answer.id,
        type: 'public-key',
        response: {
          clientDataJSON: answer.clientDataJSON,
          authenticatorData: answer.authenticatorData,
          signature: answer.signature,
        },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: stored.id,
        publicKey: Uint8Array.from(stored.publicKey),
        counter: stored.counter,
      },
    });
    if (!verified) return null;
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return { counter: newCounter, isBackedUp: credentialBackedUp };
  } catch {
    // The package throws for each flaw.
    return null;
  }
}
