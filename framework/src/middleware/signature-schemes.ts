/**
 * How three kinds of senders sign a post: an HMAC with SHA-256 over the bytes of the body as they arrived, with its
 * time if the scheme has one. A header that is not exactly as its scheme writes it proves nothing. Signatures are
 * compared in a time that tells nothing of them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RequestHeaders } from '../http/request.ts';

/** Who signs: any sender of Standard Webhooks, such as Svix; Stripe; GitHub. */
export type SchemeName = 'standard-webhooks' | 'stripe' | 'github';

/** What a signature says of itself, before it is compared. */
export interface Claim {
  /** What was signed, in this order. */
  readonly signed: readonly (string | Uint8Array)[];
  readonly signatures: readonly Uint8Array[];
  /** When it was signed, in seconds since 1970; null in a scheme without a time. */
  readonly time: number | null;
  /** The id of the message, if it is signed; null if it stands in the body. */
  readonly id: string | null;
}

interface Scheme {
  /** Null if the headers are not as the scheme writes them. */
  readonly read: (headers: RequestHeaders, body: Uint8Array) => Claim | null;
  readonly toKey: (secret: string) => Uint8Array;
  /** The headers that it reads, for the log. */
  readonly headers: string;
  /** The id of a message that is proved, where its body has it. */
  readonly idOf?: (value: unknown) => unknown;
}

const utf8 = (secret: string): Uint8Array => Buffer.from(secret, 'utf8');

export const SCHEMES: Readonly<Record<SchemeName, Scheme>> = {
  'standard-webhooks': {
    headers: 'webhook-id, webhook-timestamp and webhook-signature',
    toKey: toStandardKey,
    read(headers, body) {
      // Svix, who wrote the standard, names the same headers after itself.
      const sender = headers['webhook-id'] === undefined ? 'svix' : 'webhook';
      const id = headers[`${sender}-id`] ?? '';
      const time = headers[`${sender}-timestamp`] ?? '';
      const list = headers[`${sender}-signature`] ?? '';
      if (id === '' || !TIME.test(time) || !STANDARD_LIST.test(list)) return null;
      const own = list.split(' ').filter((one) => one.startsWith('v1,'));
      return {
        signed: [`${id}.${time}.`, body],
        signatures: own.map((one) => Buffer.from(one.slice(3), 'base64')),
        time: Number(time),
        id,
      };
    },
  },
  stripe: {
    headers: 'Stripe-Signature',
    toKey: utf8,
    read(headers, body) {
      const pairs = (headers['stripe-signature'] ?? '').split(',').map((one) => one.split('='));
      const valuesOf = (name: string) =>
        pairs.filter(([own]) => own === name).map(([, ...value]) => value.join('='));
      const [time = '', ...others] = valuesOf('t');
      if (!TIME.test(time) || others.length > 0) return null;
      const signatures = valuesOf('v1').flatMap(fromHex);
      return { signed: [`${time}.`, body], signatures, time: Number(time), id: null };
    },
    // Stripe signs each attempt anew, and the event keeps its id.
    idOf: (value) => (value as { readonly id?: unknown } | null)?.id,
  },
  github: {
    headers: 'X-Hub-Signature-256',
    toKey: utf8,
    read(headers, body) {
      const [, hex = ''] = /^sha256=(.*)$/.exec(headers['x-hub-signature-256'] ?? '') ?? [];
      // X-GitHub-Delivery is not signed: a replay could bring another one. So the body is its own id.
      return { signed: [body], signatures: fromHex(hex), time: null, id: null };
    },
  },
};

const TIME = /^\d{1,12}$/;
/** Signatures of other versions may stand beside. Two headers are joined by a comma and a space, and refused. */
const STANDARD_LIST = /^[a-z0-9]+,[A-Za-z0-9+/=]+(?: [a-z0-9]+,[A-Za-z0-9+/=]+)*$/;

function fromHex(text: string): readonly Uint8Array[] {
  return /^[\da-f]{64}$/.test(text) ? [Buffer.from(text, 'hex')] : [];
}

/** Whether one of the keys has made one of the signatures. */
export function isSigned({ signed, signatures }: Claim, keys: readonly Uint8Array[]): boolean {
  return keys.some((key) => {
    const hmac = createHmac('sha256', key);
    for (const part of signed) hmac.update(part);
    const own = hmac.digest();
    return signatures.some((one) => one.length === own.length && timingSafeEqual(one, own));
  });
}

/** The key of a secret. Throws a TypeError, which does not repeat it, if it is none. */
export function toKey(scheme: SchemeName, secret: unknown): Uint8Array {
  if (typeof secret === 'string' && secret.trim() !== '') return SCHEMES[scheme].toKey(secret);
  throw new TypeError(
    `Cannot read posts that are signed with ${secret === undefined ? 'undefined' : 'an empty text'} as the secret: everybody could sign. Set the secret that the sender shows in the environment of this process, and stop the start where it lacks.`,
  );
}

function toStandardKey(secret: string): Uint8Array {
  const text = secret.replace(/^whsec_/, '');
  const key = Buffer.from(text, 'base64');
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(text) && key.length >= 24 && key.length <= 64) return key;
  throw new TypeError(
    'Cannot read posts that are signed with this secret: one of Standard Webhooks is "whsec_" and 24 to 64 bytes in base64. Copy it whole from the page of the sender; a sender with another kind of secret has another scheme.',
  );
}
