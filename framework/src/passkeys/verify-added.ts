/** Verifies the answer of an authenticator that has made a passkey (WebAuthn level 3, section 7.1). */
import { verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import type { Place } from './place.ts';
import { nameProvider } from './provider-names.ts';
import { type Answer, readAnswer } from './read-response.ts';

/** An answer to `toAdd`. */
export interface AddedAnswer {
  readonly origin: string;
  /** The one that `toAdd` gave to this browser. */
  readonly challenge: string;
  /** The text of the field `response`, whatever it is. */
  readonly response: unknown;
}

/** What to store with the account. */
export interface NewPasskey {
  /** In base64url. */
  readonly id: string;
  /** A COSE key. */
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  /** Whether it is on other devices too, or will be. */
  readonly isBackedUp: boolean;
  /** The program that stores it, such as `iCloud Keychain`, to name it in a list. Null if it is not known. */
  readonly provider: string | null;
}

/**
 * Ed25519, ES256 and RS256. Others depend on the runtime, and instances of a site on another one could not verify what
 * they have accepted.
 */
export const ALGORITHMS: readonly number[] = [-8, -7, -257];

/** Bytes of an id, as WebAuthn limits it. */
const MAX_ID = 1_023;

export async function verifyAdded(
  { id, origins }: Place,
  { challenge, response }: AddedAnswer,
): Promise<NewPasskey | null> {
  const answer = readAnswer(response);
  if (answer === null || answer.isFramed) return null;
  try {
    if (!isWithoutCertificates(answer)) return null;
    const { registrationInfo: added } = await verifyRegistrationResponse({
      response: {
        id: answer.id,
        rawId: answer.id,
        type: 'public-key',
        response: {
          clientDataJSON: answer.clientDataJSON,
          attestationObject: answer.attestationObject,
        },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (added === undefined || added.credential.id !== answer.id) return null;
    if (Buffer.byteLength(answer.id, 'base64url') > MAX_ID) return null;
    return {
      id: answer.id,
      publicKey: added.credential.publicKey,
      counter: added.credential.counter,
      transports: answer.transports,
      isBackedUp: added.credentialBackedUp,
      provider: nameProvider(added.aaguid),
    };
  } catch {
    // The package throws for each flaw.
    return null;
  }
}

/**
 * No attestation was asked for, so only that of the new key itself can come. The package would ask the servers that a
 * certificate names whether it was revoked.
 */
function isWithoutCertificates({ attestationObject }: Answer): boolean {
  const decoded = decodeAttestationObject(
    Uint8Array.from(Buffer.from(attestationObject, 'base64url')),
  );
  const format: string = decoded.get('fmt');
  return format === 'none' || (format === 'packed' && !decoded.get('attStmt').get('x5c'));
}
