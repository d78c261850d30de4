/**
 * Recovery codes: ten passwords that each replace the second factor once, for a lost phone. A database has only their
 * SHA-256. No slow hash and no salt is needed, because a code has 121 random bits: ASVS 5.0 asks for 112 (6.5.2).
 */
import { hash, randomInt } from 'node:crypto';

/**
 * Consonants in upper case: no two of them look alike, none looks like a digit, and they make no words (RFC 8628,
 * section 6.1).
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const COUNT = 10;
const GROUPS = 7;
const CODE = new RegExp(`^[${LETTERS}]{4}(?:-[${LETTERS}]{4}){${GROUPS - 1}}$`);

/** Ten new codes, such as `WDJB-MJHT-KLRQ-BCVF-XZPN-TSRQ-GHJK`. Show them once, and store their `toRecoveryKey`. */
export function createRecoveryCodes(): readonly string[] {
  return Array.from({ length: COUNT }, () =>
    Array.from({ length: GROUPS }, () => createLetters(4)).join('-'),
  );
}

/** Whether they look as `createRecoveryCodes` makes them. */
export function areRecoveryCodes(codes: readonly string[]): boolean {
  return new Set(codes).size === COUNT && codes.every((code) => CODE.test(code));
}

function createLetters(count: number): string {
  return Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** The key of the row of a code, in hexadecimal. Case, spaces and hyphens of what was typed do not matter. */
export function toRecoveryKey(code: string): string {
  return hash('sha256', code.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase(), 'hex');
}

/** The plain text of the file that the user downloads: the title, a code in each line, and the advice. */
export function toRecoveryText({
  title,
  codes,
  advice,
}: {
  readonly title: string;
  readonly codes: readonly string[];
  readonly advice: string;
}): string {
  return `${title}\n\n${codes.join('\n')}\n\n${advice}\n`;
}
