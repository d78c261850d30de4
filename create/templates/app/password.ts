/** Password hashes: Argon2id with the least cost that OWASP recommends, 19 MiB and two passes. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const COST = { memory: 19_456, passes: 2 };

/** The cost, the salt and the hash. The cost of new hashes can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await toHash(password, salt, COST);
  return [COST.memory, COST.passes, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** With null instead of a hash it takes as long, and is false: nobody learns which names exist. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [memory, passes, salt = '', hash = ''] = (stored ?? NOBODY).split('$');
  const cost = { memory: Number(memory), passes: Number(passes) };
  const derived = await toHash(password, Buffer.from(salt, 'base64'), cost);
  return timingSafeEqual(derived, Buffer.from(hash, 'base64')) && stored !== null;
}

function toHash(message: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
  const derive = promisify(argon2);
  return derive('argon2id', { message, nonce, ...cost, parallelism: 1, tagLength: 32 });
}

const NOBODY = await hashPassword(randomBytes(16).toString('base64'));
