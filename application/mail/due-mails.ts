/**
 * Who gets mails about loans that are due, and about which: an account is told of what it has and of what it has lent
 * out. The row of an account has the day of its last mail, so two instances never make two for one day.
 */
import { type Kysely, sql } from 'kysely';
import { createToken, isToken } from 'seeother';
import type { KyselyTransaction } from '../database/kysely.ts';
import { lockRows } from '../database/locks.ts';
import type { Schema } from '../database/schema.ts';
import { toDay } from '../site/format.ts';

/** The address of an account. */
export interface MailAddress {
  readonly email: string;
  /** Whether a link in a mail to the address has turned the mails on. */
  readonly isOn: boolean;
}

export interface DueLoan {
  readonly number: number;
  readonly name: string;
  readonly to: string;
  readonly quantity: number;
  /** A day, as in `2026-11-20`: today or earlier. */
  readonly until: string;
}

/** By the id of the account, or by the token of a link, which an account has until it has another address. */
export async function findAddress(
  read: Kysely<Schema>,
  key: { readonly account_id: number } | { readonly token: string },
): Promise<MailAddress | null> {
  if ('token' in key && !isToken(key.token)) return null;
  const row = await read
    .selectFrom('due_mails')
    .select(['email', 'is_on'])
    .where(({ and }) => and(key))
    .executeTakeFirst();
  return row?.email == null ? null : { email: row.email, isOn: row.is_on === 1 };
}

/**
 * Gives the account another address, or with null none. Its mails are off until the link with the resolved token turns
 * them on. Null if there is no address, or the account was removed meanwhile.
 */
export async function setAddress(
  transaction: KyselyTransaction,
  accountId: number,
  email: string | null,
): Promise<string | null> {
  await lockRows(transaction, 'accounts', [accountId]);
  const account = await transaction
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (account === undefined) return null;
  const token = email === null ? null : createToken();
  const address = { email, token, is_on: 0 };
  await transaction
    .insertInto('due_mails')
    .values({ account_id: accountId, ...address })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(address))
    .execute();
  return token;
}

/** The account gets no mails any more. */
export async function forgetAddress(
  transaction: KyselyTransaction,
  accountId: number,
): Promise<void> {
  await transaction.deleteFrom('due_mails').where('account_id', '=', accountId).execute();
}

export async function turnMails(
  transaction: KyselyTransaction,
  token: string,
  isOn: boolean,
): Promise<void> {
  const change = transaction.updateTable('due_mails').set({ is_on: Number(isOn) });
  await change.where('token', '=', token).execute();
}

/** Due loans of the account with the token, the longest due first: none if its mails are off. */
export async function listDue(
  read: Kysely<Schema>,
  token: string,
  day: string,
  limit: number,
): Promise<readonly DueLoan[]> {
  const rows = await selectDue(read, day)
    .select(['number', 'name', 'borrower as to', 'until', 'loans.quantity'])
    .where('token', '=', token)
    .orderBy('until')
    .orderBy('number')
    .orderBy('at')
    .limit(limit)
    .execute();
  return rows.map(({ until, ...loan }) => ({ ...loan, until: until ?? '' }));
}

/** The tokens of accounts that have due loans, and have got no mail on the day. */
export async function findWaiting(read: Kysely<Schema>, now: Date): Promise<readonly string[]> {
  const rows = await selectDue(read, toDay(now))
    .select('token')
    .distinct()
    .where(isBefore(now))
    .execute();
  return rows.flatMap(({ token }) => token ?? []);
}

/** Notes that the account with the token gets the mail of the day. False if another process did so before. */
export async function takeDay(
  transaction: KyselyTransaction,
  token: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('due_mails')
    .set({ mailed_on: toDay(now) })
    .where('token', '=', token)
    .where(isBefore(now))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A row for each account whose mails are on, and each of its loans that are due on the day. */
function selectDue(read: Kysely<Schema>, day: string) {
  // An import and an undo may have lent it too: the last of the events with the loan names the account.
  const lender = sql<number>`(select account_id from item_events
    where item_number = item and kind = 'lent' and changes like '%"at":"' || loans.at || '"%'
    order by id desc limit 1)`;
  return read
    .selectFrom('due_mails')
    .innerJoin('accounts', 'accounts.id', 'due_mails.account_id')
    .innerJoin('loans', (join) => join.onTrue())
    .innerJoin('items', 'number', 'item')
    .where('is_on', '=', 1)
    .where('disabled_at', 'is', null)
    .where('until', '<=', day)
    .where(({ eb, or, ref }) =>
      or([
        sql<boolean>`lower(borrower) in (username_key, lower(display_name))`,
        eb(lender, '=', ref('due_mails.account_id')),
      ]),
    );
}

/** The last mail was on an earlier day, or on one that only a clock that was wrong has named. */
function isBefore(now: Date) {
  const latest = toDay(new Date(now.getTime() + 2 * 86_400_000));
  return sql<boolean>`(mailed_on < ${toDay(now)} or mailed_on > ${latest})`;
}
