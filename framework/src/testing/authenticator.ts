/**
 * An authenticator with passkeys, for tests: it answers what `seeother/passkeys` asks, as a browser with a
 * fingerprint reader does, or in a wrong way on purpose. It asks nobody, and knows every site.
 */
import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign as signBytes,
} from 'node:crypto';
import { type CborValue, encodeCbor } from './encode-cbor.ts';

/** What an authenticator is like. */
export interface AuthenticatorOptions {
  /** ES256 by default. */
  readonly algorithm?: 'ES256' | 'EdDSA' | 'RS256';
  /** Whether it counts its signatures, as security keys do. Without, its counter is always 0. */
  readonly counts?: boolean;
  /** Whether its passkeys are on other devices too. */
  readonly isBackedUp?: boolean;
  /** Which program it is; 16 zeros by default. */
  readonly aaguid?: string;
}

/** How an answer differs from the right one. */
export interface WrongAnswer {
  readonly challenge?: string;
  readonly type?: string;
  readonly origin?: string;
  /** The site of the page around a frame. */
  readonly topOrigin?: string;
  readonly isCrossOrigin?: boolean;
  readonly rpId?: string;
  readonly isUserPresent?: boolean;
  readonly isUserVerified?: boolean;
  readonly counter?: number;
  /** Null leaves it out. */
  readonly userHandle?: string | null;
  /** Changes the bytes that are signed. */
  readonly signs?: (data: Uint8Array) => Uint8Array;
  /** Instead of none. */
  readonly attest?: (made: {
    readonly authData: Uint8Array;
    readonly clientDataHash: Uint8Array;
    readonly id: Uint8Array;
    readonly sign: (data: Uint8Array) => Uint8Array;
  }) => ReadonlyMap<string, CborValue>;
  /** Bytes of the id of a new passkey. */
  readonly idLength?: number;
}

/** The result of `createAuthenticator`. */
export interface Authenticator {
  /** Answers with a new passkey if the question asks for one, and otherwise with the newest that fits. */
  readonly answer: (
    question: { readonly options: string },
    origin: string,
    wrong?: WrongAnswer,
  ) => string;
}

interface Passkey {
  readonly id: Buffer;
  readonly rpId: string;
  readonly userHandle: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  counter: number;
}

const PRESENT = 1;
const VERIFIED = 4;
const CAN_BACK_UP = 8;
const BACKED_UP = 16;
const HAS_KEY = 64;

/** An authenticator without passkeys. Its answers are texts for the field `response` of `passkeyForm`. */
export function createAuthenticator(options: AuthenticatorOptions = {}): Authenticator {
  const { algorithm = 'ES256', counts = false, isBackedUp = false } = options;
  const aaguid = Buffer.from((options.aaguid ?? '').replaceAll('-', '').padEnd(32, '0'), 'hex');
  const passkeys: Passkey[] = [];

  function create(asked: Question, origin: string, wrong: WrongAnswer) {
    const passkey: Passkey = {
      id: randomBytes(wrong.idLength ?? 32),
      rpId: asked.rp?.id ?? '',
      userHandle: asked.user?.id ?? '',
      ...generateKeys(algorithm),
      counter: 0,
    };
    if (asked.excludeCredentials?.some(({ id }) => passkeys.some((one) => toText(one.id) === id)))
      throw new DOMException('This authenticator has a passkey already.', 'InvalidStateError');
    passkeys.push(passkey);
    const clientData = writeClientData('webauthn.create', asked, origin, wrong);
    const length = Buffer.from([passkey.id.length >> 8, passkey.id.length & 0xff]);
    const key = encodeCbor(toCose(passkey.publicKey));
    const head = writeHead(passkey, HAS_KEY, wrong);
    const authData = Buffer.concat([head, aaguid, length, passkey.id, key]);
    const made = {
      authData,
      clientDataHash: digest(clientData),
      id: passkey.id,
      sign: (data: Uint8Array) => sign(passkey, data),
    };
    const attestation = wrong.attest?.(made) ?? [
      ['fmt', 'none'],
      ['attStmt', new Map()],
    ];
    return toJson(passkey, {
      clientDataJSON: toText(clientData),
      attestationObject: toText(encodeCbor(new Map([...attestation, ['authData', authData]]))),
      transports: counts ? ['usb', 'nfc'] : ['internal', 'hybrid'],
    });
  }

  function get(asked: Question, origin: string, wrong: WrongAnswer) {
    const passkey = passkeys.findLast(
      ({ id, rpId }) =>
        rpId === asked.rpId &&
        (asked.allowCredentials?.some((one) => one.id === toText(id)) ?? true),
    );
    if (passkey === undefined)
      throw new DOMException('This authenticator has no passkey that fits.', 'NotAllowedError');
    if (counts) passkey.counter++;
    const clientData = writeClientData('webauthn.get', asked, origin, wrong);
    const authData = writeHead(passkey, 0, wrong);
    const signed = Buffer.concat([authData, digest(clientData)]);
    const userHandle = wrong.userHandle === undefined ? passkey.userHandle : wrong.userHandle;
    return toJson(passkey, {
      clientDataJSON: toText(clientData),
      authenticatorData: toText(authData),
      signature: toText(sign(passkey, wrong.signs?.(signed) ?? signed)),
      ...(userHandle === null ? {} : { userHandle }),
    });
  }

  /** The RP ID, flags and counter. */
  function writeHead({ rpId, counter }: Passkey, more: number, wrong: WrongAnswer): Buffer {
    const flags =
      ((wrong.isUserPresent ?? true) ? PRESENT : 0) |
      ((wrong.isUserVerified ?? true) ? VERIFIED : 0) |
      (isBackedUp ? CAN_BACK_UP | BACKED_UP : 0) |
      more;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(wrong.counter ?? counter);
    return Buffer.concat([digest(wrong.rpId ?? rpId), Buffer.from([flags]), count]);
  }

  return {
    answer(question, origin, wrong = {}) {
      const asked: Question = JSON.parse(question.options);
      return JSON.stringify((asked.rp === undefined ? get : create)(asked, origin, wrong));
    },
  };
}

/** What a question has of what is read here. */
interface Question {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
  readonly excludeCredentials?: readonly { readonly id: string }[];
  readonly allowCredentials?: readonly { readonly id: string }[];
}

function writeClientData(
  type: string,
  { challenge }: Question,
  origin: string,
  wrong: WrongAnswer,
): Buffer {
  const { topOrigin, isCrossOrigin = false } = wrong;
  const data = {
    type: wrong.type ?? type,
    challenge: wrong.challenge ?? challenge,
    origin: wrong.origin ?? origin,
    crossOrigin: isCrossOrigin,
    topOrigin,
  };
  return Buffer.from(JSON.stringify(data));
}

function generateKeys(algorithm: 'ES256' | 'EdDSA' | 'RS256') {
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519');
  if (algorithm === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** A COSE key (RFC 9053), such as `{ 1: 2, 3: -7, -1: 1, -2: x, -3: y }`. */
function toCose(key: KeyObject): ReadonlyMap<number, CborValue> {
  const { kty, x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' });
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  if (kty === 'OKP')
    return new Map<number, CborValue>([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(x)],
    ]);
  if (kty === 'RSA')
    return new Map<number, CborValue>([
      [1, 3],
      [3, -257],
      [-1, bytes(n)],
      [-2, bytes(e)],
    ]);
  return new Map<number, CborValue>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ]);
}

function sign({ privateKey }: Passkey, data: Uint8Array): Buffer {
  return signBytes(privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256', data, privateKey);
}

function toJson({ id }: Passkey, response: object) {
  return { id: toText(id), rawId: toText(id), type: 'public-key', response };
}

function digest(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
