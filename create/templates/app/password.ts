/** Password hashes: scrypt, which every runtime has, with a cost that OWASP recommends, 32 MiB and three passes. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const COST = { N: 2 ** 15, r: 8, p: 3 };
const LENGTH = 32;

/** The cost, the salt and the hash. The cost of new hashes can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await toHash(password, salt, COST);
  return [COST.N, COST.r, COST.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** With null instead of a hash it takes as long, and is false: nobody learns which names exist. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [N, r, p, salt = '', hash = ''] = (stored ?? NOBODY).split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await toHash(password, Buffer.from(salt, 'base64'), cost);
  return timingSafeEqual(derived, Buffer.from(hash, 'base64')) && stored !== null;
}

function toHash(typed: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  // Keyboards write the same letter and the same space in several forms (RFC 8265).
  const password = typed.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const maxmem = 256 * cost.N * cost.r;
  scrypt(password, salt, LENGTH, { ...cost, maxmem }, (error, hash) => {
    if (error) reject(error);
    else resolve(hash);
  });
  return promise;
}

const NOBODY = [COST.N, COST.r, COST.p, 'AAAA', randomBytes(LENGTH).toString('base64')].join('$');
