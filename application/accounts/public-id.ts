/** Pages and forms name the row of a token by its public id, a hash that gives no access. */
import { createHash } from 'node:crypto';

/** The public id of the row with the key. The key cannot be derived from it. */
export function toPublicId(key: string): string {
  return createHash('sha256').update(`public id of ${key}`).digest('base64url').slice(0, 22);
}
