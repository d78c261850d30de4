/** Password hashes: Argon2id with the least cost that OWASP recommends, 19 MiB and two passes. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** The salt and the hash, with the cost before them: it can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const cost = { memory: 19_456, passes: 2 };
  const salt = randomBytes(16);
  const hash = await toHash(password, salt, cost);
  return [cost.memory, cost.passes, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** With null instead of a hash it takes as long, and is false: nobody learns which names exist. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [memory, passes, salt = '', hash = ''] = (stored ?? NOBODY).split('$');
  const cost = { memory: Number(memory), passes: Number(passes) };
  const derived = await toHash(password, Buffer.from(salt, 'base64'), cost);
  return timingSafeEqual(derived, Buffer.from(hash, 'base64')) && stored !== null;
}

const NOBODY = await hashPassword(randomBytes(16).toString('base64'));

function toHash(
  password: string,
  nonce: Buffer,
  cost: { readonly memory: number; readonly passes: number },
): Promise<Buffer> {
  return derive('argon2id', { message: password, nonce, ...cost, parallelism: 1, tagLength: 32 });
}
