/**
 * People as administrators manage them: their roles, and whether they can log in. A removed person keeps
 * the row, so that what they did has their name, and nobody else can register it.
 */
import type { Kysely } from 'kysely';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { compareNames } from '../site/fold-text.ts';
import { type Role, toRole } from '../site/role.ts';
import { addNotice } from './account-notice.ts';
import {
  type Actor,
  isOnlyAdministrator,
  mayManage,
  selectAdministrators,
} from './administrators.ts';
import { shownName } from './display-name.ts';
import { withdrawLinksOf } from './invitation.ts';
import { createLogInLimits } from './log-in-limits.ts';
import { deleteSessionsOf } from './stores.ts';
import { toUsernameKey } from './username-key.ts';

export interface Person {
  readonly id: number;
  readonly username: string;
  /** What pages call the person: the display name, or without one the username. */
  readonly name: string;
  readonly role: Role;
  readonly createdAt: Date;
  /** When an administrator removed or disabled the account; null while it is in use. */
  readonly removedAt: Date | null;
}

export type PeopleChange =
  | { readonly kind: 'changed' | 'unchanged'; readonly person: Person }
  | { readonly kind: 'last administrator'; readonly person: Person }
  | { readonly kind: 'unknown' }
  /** The session of the actor has ended, or the actor is no administrator any more. */
  | { readonly kind: 'not allowed' };

export interface People {
  /** By the name that pages show; removed people last. */
  readonly list: () => Promise<readonly Person[]>;
  readonly find: (id: number) => Promise<Person | null>;
  readonly findByName: (username: string) => Promise<Person | null>;
  /** The names of those who can log in, for advice to others. */
  readonly administrators: () => Promise<readonly string[]>;
  /** A person who is no administrator any more loses the links that they made. */
  readonly setRole: (actor: Actor, id: number, role: Role) => Promise<PeopleChange>;
  /**
   * Removing a person also ends their sessions, withdraws the links that they made, and deletes their devices and
   * their mail address.
   */
  readonly setRemoved: (actor: Actor, id: number, isRemoved: boolean) => Promise<PeopleChange>;
}

export function createPeople(database: Database, now: () => Date = () => new Date()): People {
  const limits = createLogInLimits(database);
  const change = (
    actor: Actor,
    id: number,
    apply: (
      transaction: KyselyTransaction,
      person: Person,
    ) => Promise<'changed' | 'unchanged' | 'last'>,
  ) =>
    database.write(async (transaction): Promise<PeopleChange> => {
      if (!(await mayManage(transaction, actor))) return { kind: 'not allowed' };
      const person = await findPerson(transaction, id);
      if (person === null) return { kind: 'unknown' };
      const done = await apply(transaction, person);
      if (done === 'last') return { kind: 'last administrator', person };
      return { kind: done, person: (await findPerson(transaction, id)) ?? person };
    });

  return {
    async list() {
      const people = (await selectPeople(database.read).orderBy('username_key').execute()).map(
        toPerson,
      );
      return people.toSorted(
        (one, other) =>
          Number(isRemoved(one)) - Number(isRemoved(other)) || compareNames(one.name, other.name),
      );
    },
    find: (id) => findPerson(database.read, id),
    async findByName(username) {
      const row = await selectPeople(database.read)
        .where('username_key', '=', toUsernameKey(username))
        .executeTakeFirst();
      return row === undefined ? null : toPerson(row);
    },
    async administrators() {
      const rows = await selectAdministrators(database.read)
        .select(shownName('accounts').as('name'))
        .execute();
      return rows.flatMap(({ name }) => name ?? []).sort(compareNames);
    },
    setRole: (actor, id, role) =>
      change(actor, id, async (transaction, person) => {
        if (person.role === role) return 'unchanged';
        if (await isLastAdministrator(transaction, person)) return 'last';
        await transaction.updateTable('accounts').set({ role }).where('id', '=', id).execute();
        if (role !== 'administrator') await withdrawLinksOf(transaction, id);
        const notice = { kind: 'role', at: now().toISOString(), detail: role } as const;
        if (actor?.id !== id) await addNotice(transaction, id, notice);
        return 'changed';
      }),
    setRemoved: (actor, id, isToBeRemoved) =>
      change(actor, id, async (transaction, person) => {
        if (isRemoved(person) === isToBeRemoved) return 'unchanged';
        if (isToBeRemoved && (await isLastAdministrator(transaction, person))) return 'last';
        await transaction
          .updateTable('accounts')
          .set({
            disabled_at: isToBeRemoved ? now().toISOString() : null,
            reset_key: null,
            reset_ends_at: null,
          })
          .where('id', '=', id)
          .execute();
        if (!isToBeRemoved) return 'changed';
        await deleteSessionsOf(transaction, id, null);
        await withdrawLinksOf(transaction, id);
        await limits.forget(transaction, { id });
        await transaction.deleteFrom('due_mails').where('account_id', '=', id).execute();
        return 'changed';
      }),
  };
}

export async function findPerson(database: Kysely<Schema>, id: number): Promise<Person | null> {
  const row = await selectPeople(database).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toPerson(row);
}

function isRemoved({ removedAt }: Person): boolean {
  return removedAt !== null;
}

async function isLastAdministrator(
  transaction: KyselyTransaction,
  person: Person,
): Promise<boolean> {
  if (person.role !== 'administrator' || isRemoved(person)) return false;
  return isOnlyAdministrator(transaction, person.id);
}

function selectPeople(database: Kysely<Schema>) {
  return database
    .selectFrom('accounts')
    .select(['id', 'username', 'display_name', 'role', 'created_at', 'disabled_at']);
}

type PersonRow = Awaited<ReturnType<ReturnType<typeof selectPeople>['execute']>>[number];

function toPerson({
  id,
  username,
  display_name,
  role,
  created_at,
  disabled_at,
}: PersonRow): Person {
  return {
    id,
    username,
    name: display_name ?? username,
    role: toRole(role),
    createdAt: new Date(created_at),
    removedAt: disabled_at === null ? null : new Date(disabled_at),
  };
}
