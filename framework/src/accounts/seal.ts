/**
 * Encrypts secrets that the server must read again, such as those of one-time codes, so that a stolen copy of the
 * database does not contain them. A sealed text opens only with the account and the use it was sealed for: in the row
 * of another account it is worth nothing. Text that is stored as it is has no such protection, so it opens only where
 * the list of secrets contains null.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What a text is sealed for. */
export interface SealContext {
  /** The id of the account. */
  readonly account: string | number | bigint;
  /** Such as `totp`. */
  readonly use: string;
}

export interface Seal {
  readonly seal: (text: string, context: SealContext) => string;
  /** The text; null if it was changed, or sealed with another secret, for another account or for another use. */
  readonly open: (sealed: string, context: SealContext) => string | null;
  /** What to store instead: sealed with the first secret. Null if it is so already, or does not open. */
  readonly renew: (sealed: string, context: SealContext) => string | null;
}

/** A way to store a text. The mark stands before what is stored. */
interface Method {
  readonly mark: string;
  readonly write: (text: string, context: SealContext) => string;
  readonly read: (stored: string, context: SealContext) => string | null;
}

/** The version: a further cipher will have another. */
const SEALED = 'v1.';
const CIPHER = 'aes-256-gcm';
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
const MIN_LENGTH = 32;

const PLAIN: Method = { mark: 'plain.', write: (text) => text, read: (stored) => stored };

/**
 * The first secret seals, and all of them open: `[new, old]` replaces a secret, and `[secret, null]` opens what was
 * stored before there was one. With null, text is stored as it is, behind a mark. Throws a TypeError for a secret of
 * fewer than 32 characters.
 */
export function createSeal(secrets: string | null | readonly (string | null)[]): Seal {
  const list = Array.isArray(secrets) ? secrets : [secrets];
  const methods = list.map((secret) => (secret === null ? PLAIN : createCipher(secret)));
  const [first] = methods;
  if (first === undefined) throw new TypeError('Cannot seal without a secret: pass one, or null.');

  const seal: Seal['seal'] = (text, context) => first.mark + first.write(text, context);
  return {
    seal,
    open: (sealed, context) => read(sealed, context, methods)?.text ?? null,
    renew(sealed, context) {
      const found = read(sealed, context, methods);
      return found === null || found.method === first ? null : seal(found.text, context);
    },
  };
}

/** With the first method that can read it. */
function read(sealed: string, context: SealContext, methods: readonly Method[]) {
  for (const method of methods) {
    if (!sealed.startsWith(method.mark)) continue;
    const text = method.read(sealed.slice(method.mark.length), context);
    if (text !== null) return { text, method };
  }
  return null;
}

/** AES-256-GCM with a key of HKDF-SHA-256. */
function createCipher(secret: string): Method {
  if (typeof secret !== 'string' || secret.length < MIN_LENGTH) {
    throw new TypeError(
      `Cannot seal with a secret of ${secret?.length ?? 0} characters: pass at least ${MIN_LENGTH} random ones, such as those that openssl rand -base64 32 prints.`,
    );
  }
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'seeother accounts seal v1', 32));
  return {
    mark: SEALED,
    write(text, context) {
      const iv = randomBytes(IV_LENGTH);
      const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_LENGTH });
      cipher.setAAD(toData(context));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, encrypted, cipher.getAuthTag()]).toString('base64url');
    },
    read(stored, context) {
      const bytes = Buffer.from(stored, 'base64url');
      // Buffer ignores characters that are no base64url.
      if (bytes.length < IV_LENGTH + TAG_LENGTH || bytes.toString('base64url') !== stored)
        return null;
      const iv = bytes.subarray(0, IV_LENGTH);
      const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_LENGTH });
      decipher.setAAD(toData(context));
      decipher.setAuthTag(bytes.subarray(-TAG_LENGTH));
      try {
        const text = decipher.update(bytes.subarray(IV_LENGTH, -TAG_LENGTH));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}

/** The drivers differ in whether an id is a number. */
function toData({ account, use }: SealContext): Buffer {
  return Buffer.from(JSON.stringify([use, String(account)]));
}
