/**
 * What administrators do to accounts, on the pages and in a program: roles, links for a new password, second factors,
 * and whether somebody may log in. Each change takes the lock of all accounts first, so of two at once the second sees
 * what the first has left, and one administrator always remains.
 */
import type { WriteTransaction } from '../database/database.ts';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import type { Account } from './account.ts';
import { type EventKind, TERMINAL } from './account-events.ts';
import type { AccountParts } from './account-parts.ts';
import { endAccess } from './end-access.ts';
import { changeRole } from './needed-factor.ts';
import { sayWith } from './say.ts';

/** Who changes something: null for a program. */
export interface Actor {
  readonly session: {
    readonly user: { readonly id: number; readonly name: string };
    readonly key: string;
  };
  readonly request: Request;
}

/** `refused`: the session of the actor has ended, or its role was taken away. */
export type PeopleChange<Extra = unknown> =
  | ({ readonly kind: 'done'; readonly account: Account } & Extra)
  | { readonly kind: 'unknown' | 'last' | 'refused' };

type ChangeParts = Pick<
  AccountParts,
  'options' | 'store' | 'tokens' | 'events' | 'tell' | 'removeFactors' | 'forgetAttempts'
>;

const DAY = 86_400_000;

export function setRole(
  parts: ChangeParts,
  transaction: WriteTransaction,
  actor: Actor | null,
  id: number,
  role: string,
): Promise<PeopleChange> {
  return change(parts, transaction, actor, id, async (account) => {
    if (role === account.role) return {};
    if (await isLast(parts, transaction, account, role)) return 'last';
    await changeRole(parts, transaction, account, role);
    await tell(parts, transaction, actor, account, 'role changed', role);
    return {};
  });
}

/** `token` is that of a link for a new password, which works once, for a day. */
export function makePasswordLink(
  parts: ChangeParts,
  transaction: WriteTransaction,
  actor: Actor | null,
  id: number,
): Promise<PeopleChange<{ readonly token: string }>> {
  return change(parts, transaction, actor, id, async (account) => {
    const { tokens } = parts;
    await tokens.remove(transaction, id, ['new password']);
    const token = await tokens.create(transaction, 'new password', {
      accountId: id,
      madeBy: actor?.session.user.id ?? null,
      lifetime: DAY,
    });
    await tell(parts, transaction, actor, account, 'link made');
    return { token };
  });
}

/** For somebody who has lost it. It ends the sessions, because a thief may have one. `had`: whether there was one. */
export function takeSecondFactor(
  parts: ChangeParts,
  transaction: WriteTransaction,
  actor: Actor | null,
  id: number,
): Promise<PeopleChange<{ readonly had: boolean }>> {
  return change(parts, transaction, actor, id, async (account) => {
    if (!(await parts.removeFactors(transaction, account))) return { had: false };
    await parts.store.endSessions(transaction, id);
    await tell(parts, transaction, actor, account, 'second factor removed');
    return { had: true };
  });
}

export function setDisabled(
  parts: ChangeParts,
  transaction: WriteTransaction,
  actor: Actor | null,
  id: number,
  isToBeDisabled: boolean,
): Promise<PeopleChange> {
  return change(parts, transaction, actor, id, async (account) => {
    const { options, store } = parts;
    if (isToBeDisabled === (account.disabledAt !== null)) return {};
    if (isToBeDisabled && (await isLast(parts, transaction, account, null))) return 'last';
    const disabled_at = isToBeDisabled ? options.now().toISOString() : null;
    await store.change(transaction, id, { disabled_at }, true);
    await endAccess(parts, transaction, id);
    await parts.forgetAttempts(transaction, account);
    if (isToBeDisabled) await options.onDisable?.(transaction, id);
    await tell(parts, transaction, actor, account, isToBeDisabled ? 'disabled' : 'enabled');
    return {};
  });
}

/** What `mayManage` has refused. */
export function refuseActor(): never {
  throw new HttpError(403, (language) => sayWith(language)('Your account may no longer do this.'));
}

/** Whether the actor may still do this. Call it after `lockAll`. */
export async function mayManage(
  { options, store }: Pick<AccountParts, 'options' | 'store'>,
  transaction: WriteTransaction,
  actor: Actor | null,
): Promise<boolean> {
  if (actor === null) return true;
  const { user, key } = actor.session;
  const account = await store.lock(transaction, user.id);
  const isHighest =
    account !== null && account.role === options.roles.at(-1) && account.disabledAt === null;
  return isHighest && (await store.isOpen(transaction, user.id, key));
}

async function change<Extra>(
  parts: ChangeParts,
  transaction: WriteTransaction,
  actor: Actor | null,
  id: number,
  apply: (account: Account) => Promise<Extra | 'last'>,
): Promise<PeopleChange<Extra>> {
  await parts.store.lockAll(transaction);
  if (!(await mayManage(parts, transaction, actor))) return { kind: 'refused' };
  const account = await parts.store.lock(transaction, id);
  if (account === null) return { kind: 'unknown' };
  const done = await apply(account);
  return done === 'last' ? { kind: 'last' } : { kind: 'done', account, ...done };
}

/** Whether nobody could manage people any more. */
async function isLast(
  { options, store }: ChangeParts,
  transaction: WriteTransaction,
  account: Account,
  newRole: string | null,
): Promise<boolean> {
  const highest = options.roles.at(-1) ?? '';
  if (account.role !== highest || account.disabledAt !== null || newRole === highest) return false;
  return (await store.countRole(transaction, highest)) < 2;
}

/** The event names who did it. Without a request, there is no mail: a program has no language. */
async function tell(
  { events, tell: tellUser }: ChangeParts,
  transaction: WriteTransaction,
  actor: Actor | null,
  account: Account,
  kind: EventKind,
  detail?: string,
): Promise<void> {
  const whole = {
    ...{ kind, by: actor?.session.user.name ?? TERMINAL },
    ...(detail === undefined ? {} : { detail }),
  };
  if (actor !== null) await tellUser(transaction, actor.request, account, whole);
  else await events.add(transaction, { ...whole, account, request: null });
}
