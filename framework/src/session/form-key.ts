/**
 * The idempotency key of a form, which also says whose form it is. A form belongs to the account that opened it: the
 * browser may send it from the session of another one, which has logged in meanwhile in another tab.
 *
 * The key of a visitor is a random UUID. That of an account is a UUID of version 8 (RFC 9562), which ends in a mark of
 * the account. The mark is no secret: a client that changes it sends its own form from its own session. A key without a
 * mark, of a visitor or of a program, belongs to whoever sends it.
 */
import { hash, randomUUID } from 'node:crypto';
import type { Session, SessionUser } from './session.ts';

/** A new key, with at least 74 random bits. Node makes them in advance, for many keys at once. `user` opens the form. */
export function newKey(user: Pick<SessionUser, 'id'> | null = null): string {
  const key = randomUUID();
  return user === null ? key : withMark(`${key.slice(0, 14)}8${key.slice(15, RANDOM)}`, user.id);
}

/** Whether the form was opened by another account than that of the session, or by one that is logged out now. */
export function isOfOtherAccount(key: string | null, session: Session | null): boolean {
  if (key === null || !MARKED.test(key)) return false;
  return session === null || withMark(key.slice(0, RANDOM), session.user.id) !== key;
}

/** The key with which the form of another account is shown to that of the session. It is always the same one. */
export function toOwnKey(key: string, session: Session | null): string {
  const random = withoutMark(key);
  if (session !== null) return withMark(random, session.user.id);
  return withMark(`${random.slice(0, 14)}4${random.slice(15)}`, '');
}

/** What is the same for one form, whichever account it is shown to. */
export function withoutMark(key: string): string {
  return MARKED.test(key) ? key.slice(0, RANDOM) : key;
}

const MARKED = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/;
/** The characters before the mark. */
const RANDOM = 24;

/** The random part keeps apart the marks of one account, so two of them do not tell that it is the same. */
function withMark(random: string, id: SessionUser['id']): string {
  return random + hash('sha256', `${random}${id}`).slice(0, 36 - RANDOM);
}
