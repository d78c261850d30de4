/**
 * Links that reset a password. An administrator makes one and hands it over; the database holds its
 * SHA-256. It works once, for a day, and a newer one of the same person replaces it. Nothing changes
 * until it is used: then every session of the account ends (`resetByLink` of account.ts).
 */

import { createToken, isToken, toTokenKey } from 'seeother';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import { type Actor, mayManage } from './administrators.ts';
import { findPerson, type Person } from './people.ts';

export type ResetLink =
  | {
      readonly kind: 'made';
      readonly token: string;
      readonly endsAt: Date;
      readonly person: Person;
    }
  | { readonly kind: 'not allowed' }
  /** No such person, or a removed one. */
  | { readonly kind: 'unknown' };

export interface ResetLinks {
  readonly create: (transaction: KyselyTransaction, actor: Actor, id: number) => Promise<ResetLink>;
  /** The username of the account whose password the link resets; null if the link is not valid. */
  readonly find: (token: string) => Promise<string | null>;
}

/** Milliseconds until a link expires. */
const LIFE = 86_400_000;

export function createResetLinks(
  database: Database,
  now: () => Date = () => new Date(),
): ResetLinks {
  return {
    async create(transaction, actor, id) {
      if (!(await mayManage(transaction, actor))) return { kind: 'not allowed' };
      const person = await findPerson(transaction, id);
      if (person === null || person.removedAt !== null) return { kind: 'unknown' };
      const token = createToken();
      const endsAt = new Date(now().getTime() + LIFE);
      await transaction
        .updateTable('accounts')
        .set({
          reset_key: toTokenKey(token),
          reset_ends_at: endsAt.toISOString(),
          reset_by: actor?.id ?? null,
        })
        .where('id', '=', id)
        .execute();
      return { kind: 'made', token, endsAt, person };
    },
    async find(token) {
      if (!isToken(token)) return null;
      const row = await database.read
        .selectFrom('accounts')
        .select('username')
        .where('reset_key', '=', toTokenKey(token))
        .where('reset_ends_at', '>', now().toISOString())
        .where('disabled_at', 'is', null)
        .executeTakeFirst();
      return row?.username ?? null;
    },
  };
}
