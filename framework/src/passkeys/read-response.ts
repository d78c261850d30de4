/**
 * Reads the answer of an authenticator, which is JSON in a field of a form. Nothing in it is proved: whoever sends the
 * form writes it. Only what is needed is taken over, so the verification meets no other shape.
 */

/** The answer, with texts in base64url. */
export interface Answer {
  readonly id: string;
  readonly challenge: string;
  /** Whether the page was in a frame of another site. */
  readonly isFramed: boolean;
  readonly clientDataJSON: string;
  /** Those of an answer are either of `create` or of `get`; empty for the other. */
  readonly attestationObject: string;
  readonly authenticatorData: string;
  readonly signature: string;
  /** Null if the authenticator has left it out. */
  readonly userHandle: string | null;
  readonly transports: readonly string[];
}

/** Characters. The answer to `create` without an attestation has less than 2,000. */
const MAX_LENGTH = 16_384;
const BASE64URL = /^[\w-]*$/;
const TRANSPORT = /^[a-z-]{1,20}$/;
const MAX_TRANSPORTS = 8;

/** Null unless it is such an answer. */
export function readAnswer(text: unknown): Answer | null {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return null;
  const { id, type, response } = toRecord(parse(text));
  const parts = toRecord(response);
  const texts = [
    id,
    parts['clientDataJSON'],
    parts['attestationObject'] ?? '',
    parts['authenticatorData'] ?? '',
    parts['signature'] ?? '',
    parts['userHandle'] ?? '',
  ];
  if (type !== 'public-key' || !texts.every(isBase64url)) return null;
  const [own = '', clientDataJSON = '', attestationObject = '', authenticatorData = ''] = texts;
  const [signature = '', userHandle = ''] = texts.slice(4);
  const data = toRecord(parse(Buffer.from(clientDataJSON, 'base64url').toString()));
  if (own === '' || typeof data['challenge'] !== 'string') return null;
  return {
    id: own,
    challenge: data['challenge'],
    isFramed: (data['crossOrigin'] ?? false) !== false || data['topOrigin'] !== undefined,
    clientDataJSON,
    attestationObject,
    authenticatorData,
    signature,
    userHandle: userHandle === '' ? null : userHandle,
    transports: toTransports(parts['transports']),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isBase64url(value: unknown): value is string {
  return typeof value === 'string' && BASE64URL.test(value);
}

/** Browsers ignore those that they do not know. */
function toTransports(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const known = value.filter((one) => typeof one === 'string' && TRANSPORT.test(one));
  return [...new Set(known)].slice(0, MAX_TRANSPORTS);
}
