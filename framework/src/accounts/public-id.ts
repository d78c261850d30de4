/**
 * Names a row in a page and its form: a session, a passkey, an invitation. The key of the row cannot be found from it,
 * and it is searched only among those that the user may change, so it is no secret.
 */
import { hash } from 'node:crypto';

export function toPublicId(key: string): string {
  return hash('sha256', key).slice(0, 16);
}
