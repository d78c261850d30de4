/**
 * What the pages call a person, such as "Jörg Müller", instead of the username. It is never used to log in. Two people
 * never have names that read alike: see `toNameKey`.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { KyselyTransaction } from '../database/kysely.ts';
import { lockRows, takeLock } from '../database/locks.ts';
import type { Schema } from '../database/schema.ts';

export const MAX_DISPLAY_NAME = 60;

/**
 * A letter, and nothing invisible: a control, a direction or a filler (U+3164) could imitate another name. The joiners
 * U+200C and U+200D are in the spelling of names, such as Persian and Sinhala ones, and variation selectors in Japanese
 * ones: behind a letter or a mark of such a script.
 */
export const DISPLAY_NAME =
  /^(?=.*\p{L})(?:[[\p{L}\p{M}\p{N}\p{P}\p{Zs}+]--\p{Default_Ignorable_Code_Point}]|(?<=[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Inherited}]])(?:\u200c(?=\p{L})|[\u200d\p{Variation_Selector}]))+$/v;

const ALPHABETS = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u];

/** Whether letters of one alphabet could imitate those of another, as in a Latin name with a Cyrillic “а”. */
export function mixesAlphabets(name: string): boolean {
  return ALPHABETS.filter((alphabet) => alphabet.test(name)).length > 1;
}

/** Equal for names that read alike: without case, accents, spaces and punctuation. */
export function toNameKey(name: string): string {
  const letters = name.normalize('NFKD').toUpperCase().toLowerCase();
  return letters.replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The name that pages show, for a query that joins the accounts under this name. */
export function shownName(accounts: string): RawBuilder<string | null> {
  const column = (name: string) => sql.ref(`${accounts}.${name}`);
  return sql`coalesce(${column('display_name')}, ${column('username')})`;
}

/** Whether another account has a username or a display name that reads alike. Call it under the lock of accounts. */
export async function isNameTaken(
  source: Kysely<Schema>,
  name: string,
  exceptId: number | null = null,
): Promise<boolean> {
  const key = toNameKey(name);
  const others = await source
    .selectFrom('accounts')
    .select(['id', 'username', 'display_name as displayName'])
    .$if(exceptId !== null, (query) => query.where('id', '<>', exceptId))
    .execute();
  return others.some(({ username, displayName }) =>
    [username, displayName ?? ''].some((one) => toNameKey(one) === key),
  );
}

/** Whether another account has a display name that reads like the username. Call it under the lock of accounts. */
export async function isDisplayName(
  source: Kysely<Schema>,
  username: string,
  exceptId: number,
): Promise<boolean> {
  const key = toNameKey(username);
  const named = await source
    .selectFrom('accounts')
    .select('display_name as displayName')
    .where('display_name', 'is not', null)
    .where('id', '<>', exceptId)
    .execute();
  return named.some(({ displayName }) => toNameKey(displayName ?? '') === key);
}

/**
 * Changes the name, also in the open loans of the person; empty for the username. Resolves to false if it is taken.
 */
export async function changeDisplayName(
  transaction: KyselyTransaction,
  id: number,
  name: string,
): Promise<boolean> {
  await takeLock(transaction, 'accounts');
  if (name !== '' && (await isNameTaken(transaction, name, id))) return false;
  const account = await transaction
    .selectFrom('accounts')
    .select(['username', 'display_name as displayName'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { username } = account;
  const names = [username, account.displayName ?? username];
  const lent = await transaction
    .selectFrom('loans')
    .select('item')
    .distinct()
    .where('borrower', 'in', names)
    .execute();
  const numbers = lent.map(({ item }) => item);
  if (numbers.length > 0) {
    await lockRows(transaction, 'items', numbers);
    await transaction
      .updateTable('loans')
      .set({ borrower: name === '' ? username : name })
      .where('item', 'in', numbers)
      // Until the lock, one may have been returned, and lent to somebody else.
      .where('borrower', 'in', names)
      .execute();
  }
  await transaction
    .updateTable('accounts')
    // Setting the username makes the trigger change the revision of the items, whose pages show the name.
    .set({ display_name: name === '' ? null : name, username })
    .where('id', '=', id)
    .execute();
  return true;
}
