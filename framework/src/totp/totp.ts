/**
 * One-time codes of an authenticator app (RFC 6238), with what all apps can read: SHA-1, six digits, 30 seconds. A
 * code is valid until the end of the step after its own, because it takes time to type, and the clock of a phone may
 * be slow. It is not valid before its step: only a thief who has seen a phone for a moment has use for that. Only the
 * time step of the last accepted code, which the caller stores and passes as `after`, makes it count once.
 */
import { timingSafeEqual } from 'node:crypto';
import { HOTP, Secret, TOTP } from 'otpauth';
import { checkOptions, type OptionKinds } from '../http/check-options.ts';
import type { Html } from '../http/html.ts';
import { drawQrCode } from './draw-qr-code.ts';

/** Options of `totp`. */
export interface TotpOptions {
  /** The name of the site in the app, instead of the one that `address` is given. */
  readonly issuer?: string;
}

/** What `totp` returns: the second factor by one-time codes. It stores nothing. */
export interface Totp {
  /** A new secret: 160 random bits in base32, as RFC 4226 (section 4) recommends. */
  createSecret(): string;
  /**
   * The `otpauth:` address from which an app reads the secret. It contains the secret: never log it, and never put it
   * into a link. A colon in a name becomes a space, because apps split the label there, and a long name is cut off.
   */
  address(entry: {
    readonly secret: string;
    readonly account: string;
    readonly issuer: string;
  }): string;
  /** The address as a QR code: an SVG element with a title, black on white, also on a dark page. */
  draw(address: string, title?: string): Html;
  /**
   * The time step of the code if it is that of this step or of the one before; otherwise null. `after` is the step of
   * the last accepted code, and null before the first: no code of that step or an earlier one is accepted. If a clock
   * is set back, codes are refused until it has caught up. Store the step in the transaction that accepts the code, and
   * only where the stored one is lower: two requests at once may bring the same code. Spaces in the code are ignored.
   * Throws a TypeError for a secret that is not base32 of at least 128 bits.
   */
  check(attempt: {
    readonly secret: string;
    readonly code: string;
    readonly now: Date;
    readonly after: number | null;
  }): number | null;
}

const KINDS: OptionKinds<TotpOptions> = {
  issuer: {
    noun: 'the name of the site, a text that is not empty',
    example: "'Example'",
    accepts: (value) => typeof value === 'string' && value.trim() !== '',
  },
};

/** Milliseconds. */
const STEP = 30_000;
/** In characters of the address, where one of another script has nine. A phone could not read a finer QR code. */
const LIMITS = { account: 180, issuer: 90 } as const;

/** Makes the second factor by one-time codes, for the option `totp` of `createAccounts`. */
export function totp(options: TotpOptions = {}): Totp {
  checkOptions('totp', options, KINDS);
  return {
    createSecret: () => new Secret({ size: 20 }).base32,
    address: ({ secret, account, issuer }) =>
      new TOTP({
        secret: readSecret(secret),
        label: toName(account, LIMITS.account),
        issuer: toName(options.issuer ?? issuer, LIMITS.issuer),
      }).toString(),
    draw: drawQrCode,
    check({ secret, code, now, after }) {
      const key = readSecret(secret);
      const typed = code.replaceAll(/\s/g, '');
      if (!/^[0-9]{6}$/.test(typed)) return null;
      const current = Math.floor(now.getTime() / STEP);
      let found: number | null = null;
      // Both are compared, so that the time tells nothing. Neighbours may have the same code: the later step is
      // returned, and the code does not count again in that one.
      for (const step of [current - 1, current]) {
        const expected = HOTP.generate({ secret: key, counter: step });
        const isSame = timingSafeEqual(Buffer.from(expected), Buffer.from(typed));
        if (isSame && step > (after === null ? -1 : after)) found = step;
      }
      return found;
    },
  };
}

/** The package would accept the codes of an empty secret, which everybody can compute. */
function readSecret(secret: string): Secret {
  if (!/^[A-Z2-7]{26,}$/.test(secret)) {
    throw new TypeError(
      `Cannot read a secret of ${secret.length} characters: it must be base32 of at least 26, as createSecret makes them.`,
    );
  }
  return Secret.fromBase32(secret);
}

function toName(text: string, limit: number): string {
  const name = text
    .toWellFormed()
    .replaceAll(/[:\s]+/g, ' ')
    .trim();
  if (encodeURIComponent(name).length <= limit) return name === '' ? '?' : name;
  const characters = [...name].slice(0, limit);
  while (encodeURIComponent(`${characters.join('')}…`).length > limit) characters.pop();
  return `${characters.join('')}…`;
}
