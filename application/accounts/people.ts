/**
 * The people of the team by their names, for pages about items. A removed person keeps the row, so that what they did
 * has their name, and nobody else can register it.
 */
import type { Kysely } from 'kysely';
import type { Database } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { type Role, toRole } from '../settings/role.ts';
import { compareNames } from '../site/fold-text.ts';
import { shownName } from './display-name.ts';
import { toUsernameKey } from './username-key.ts';

export interface Person {
  readonly id: number;
  readonly username: string;
  /** What pages call the person: the display name, or without one the username. */
  readonly name: string;
  readonly role: Role;
  /** When an administrator disabled the account; null while it is in use. */
  readonly removedAt: Date | null;
}

export interface People {
  readonly isEmpty: () => Promise<boolean>;
  /** By the name that pages show; removed people last. */
  readonly list: () => Promise<readonly Person[]>;
  readonly findByName: (username: string) => Promise<Person | null>;
  /** The names of those who can log in, for advice to others. */
  readonly administrators: () => Promise<readonly string[]>;
}

export function createPeople({ read }: Pick<Database, 'read'>): People {
  return {
    async isEmpty() {
      return (await selectPeople(read).limit(1).execute()).length === 0;
    },
    async list() {
      const people = (await selectPeople(read).execute()).map(toPerson);
      return people.toSorted(
        (one, other) =>
          Number(one.removedAt !== null) - Number(other.removedAt !== null) ||
          compareNames(one.name, other.name),
      );
    },
    async findByName(username) {
      const row = await selectPeople(read)
        .where('username_key', '=', toUsernameKey(username))
        .executeTakeFirst();
      return row === undefined ? null : toPerson(row);
    },
    async administrators() {
      const rows = await selectPeople(read)
        .where('role', '=', 'administrator')
        .where('disabled_at', 'is', null)
        .execute();
      return rows.flatMap(({ name }) => name ?? []).sort(compareNames);
    },
  };
}

function selectPeople(database: Kysely<Schema>) {
  return database
    .selectFrom('accounts')
    .select(['id', 'username', shownName('accounts').as('name'), 'role', 'disabled_at']);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectPeople>['executeTakeFirstOrThrow']>>;

function toPerson({ id, username, name, role, disabled_at }: Row): Person {
  const removedAt = disabled_at === null ? null : new Date(disabled_at);
  return { id, username, name: name ?? username, role: toRole(role), removedAt };
}
