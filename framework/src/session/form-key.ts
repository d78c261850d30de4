/**
 * The idempotency key of a form, which also says whose form it is. A form belongs to the account that opened it: the
 * browser may send it from the session of another one, which has logged in meanwhile in another tab.
 *
 * A key has two parts, with a dot between. The first one identifies the form among those of one sender. It is short,
 * because a page writes it a second time (page-state.ts). The second one is a mark of the account, or random for a
 * visitor. The mark is no secret: a client that changes it sends its own form from its own session. A key without a
 * mark, of a visitor or of a program, belongs to whoever sends it.
 */

import { hash, randomUUID } from 'node:crypto';
import { Slot } from '../http/slot.ts';
import type { Session, SessionUser } from './session.ts';

/** Hexadecimal digits of the first part: 40 random bits. */
export const ID_LENGTH = 10;
/**
 * Hexadecimal digits of a mark that keep apart the marks of one account, so two of them do not tell that it is the
 * same.
 */
const SALT_LENGTH = 8;
const MARK = new RegExp(`^[\\da-f]{${ID_LENGTH}}\\.[\\da-f]{20}$`);
const OWN = new RegExp(`^[\\da-f]{${ID_LENGTH}}\\.(?:[\\da-f]{20}|[\\da-f-]{26})$`);

/** The key of the form that `readForm` has read. */
export const formKeySlot: Slot<string | null> = new Slot(null);
/** Of a form that another account has opened: the key with which the user may send it. */
export const ownKeySlot: Slot<string | null> = new Slot(null);

/** A new key. Node makes random bytes in advance, for many keys at once. `user` opens the form. */
export function newKey(user: Pick<SessionUser, 'id'> | null = null): string {
  const random = randomUUID();
  // A UUID ends in twelve random digits, and starts with eight.
  return toKey(random.slice(-ID_LENGTH), random.slice(0, -ID_LENGTH), user);
}

function toKey(id: string, random: string, user: Pick<SessionUser, 'id'> | null): string {
  if (user === null) return `${id}.${random}`;
  const salt = random.slice(0, SALT_LENGTH);
  return `${id}.${salt}${hash('sha256', `${salt}${user.id}`).slice(0, 20 - SALT_LENGTH)}`;
}

/** Whether the form was opened by another account than that of the session, or by one that is logged out now. */
export function isOfOtherAccount(key: string | null, session: Session | null): boolean {
  if (key === null || !MARK.test(key)) return false;
  return session === null || toOwnKey(key, session) !== key;
}

/** The key with which the form of another account is shown to that of the session. */
export function toOwnKey(key: string, session: Session | null): string {
  const id = withoutMark(key);
  if (session === null) return toKey(id, randomUUID().slice(0, -ID_LENGTH), null);
  return toKey(id, key.slice(ID_LENGTH + 1), session.user);
}

/** What is the same for one form, whichever account it is shown to. Of a program's key, all of it. */
export function withoutMark(key: string): string {
  return isOwnKey(key) ? key.slice(0, ID_LENGTH) : key;
}

/** Whether a page of the framework has made the key. */
export function isOwnKey(key: string): boolean {
  return OWN.test(key);
}
