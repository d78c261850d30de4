/**
 * Sends the mails about loans and about accounts, by the outbox: a mail that was not accepted is tried again, and a
 * crash loses none. A job has only the token of an address, so a mail tells what is stored when it is sent, and an
 * address that was removed meanwhile gets nothing.
 */
import type { AccountMail } from 'seeother/accounts';
import { type Attempt, createOutbox, type Outbox } from 'seeother/database';
import { every } from 'seeother/schedules';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import { mailHref } from '../links.ts';
import type { MailConfig } from '../settings/config.ts';
import type { ErrorEntry } from '../settings/error-line.ts';
import { toDay } from '../site/format.ts';
import { siteName } from '../site/site-name.ts';
import { findAddress, findWaiting, listDue, takeDay } from './due-mails.ts';
import { MAX_LISTED, type MailText, toProof, toReminder } from './mail-text.ts';

export interface Mailer {
  readonly database: Database;
  /** After the commit, sends the mail whose link turns the mails on. */
  readonly prove: (transaction: KyselyTransaction, token: string) => Promise<void>;
  /** Sends a mail of the accounts, after the commit. */
  readonly send: (transaction: KyselyTransaction, mail: AccountMail) => Promise<void>;
  /** Looks for due loans every ten minutes, and sends what waits. */
  readonly start: () => void;
  /** Waits for the mails that are being sent. */
  readonly stop: () => Promise<void>;
  /** Does once what `start` does: for tests. Tries again what is due again at that time. */
  readonly run: (at?: Date) => Promise<void>;
  readonly schedules: Outbox<never>['schedules'];
}

type Content = MailText & { readonly list?: { readonly unsubscribe: string } };

/** Milliseconds for one mail, and mails that one process sends at once. */
const LIMITS = { timeout: 15_000, concurrency: 2 };

/** Days begin by the clock, at midnight of the team. */
export async function openMailer(
  database: Database,
  mail: MailConfig,
  report: (entry: ErrorEntry) => void,
  now = () => new Date(),
): Promise<Mailer> {
  const { read, slowRead } = database;
  const transport = await openTransport(mail);

  async function send(to: string, content: Content, { key, signal }: Attempt): Promise<void> {
    await transport.sendMail({
      ...content,
      from: { name: siteName(), address: mail.from },
      // A text would be read as a list of addresses.
      to: { name: '', address: to },
      // The same in each attempt, so that a repeated mail can be known.
      messageId: `<${key}@${mail.from.replace(/^.*@/, '')}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      xMailer: false,
      signal,
    });
  }

  /** Unless the account has another address by now, or none. */
  async function tell(token: string, content: MailText, attempt: Attempt): Promise<void> {
    const address = await findAddress(read, { token });
    if (address === null) return;
    const list = { unsubscribe: mail.origin + mailHref(token) };
    await send(address.email, { ...content, list }, attempt);
  }

  const jobs = {
    proveAddress: ({ token }: { readonly token: string }, attempt: Attempt) =>
      tell(token, toProof(mail.origin, token), attempt),
    async remindOfLoans(
      { token, day }: { readonly token: string; readonly day: string },
      attempt: Attempt,
    ) {
      // The mail of a later day tells the same.
      if (day !== toDay(now())) return;
      const loans = await listDue(slowRead, token, day, MAX_LISTED + 1);
      if (loans.length > 0) await tell(token, toReminder(mail.origin, token, loans, day), attempt);
    },
    sendAccountMail: ({ to, ...content }: AccountMail, attempt: Attempt) =>
      send(to, content, attempt),
    lookForLoans: every('10 minutes', look),
  };
  const outbox = createOutbox(database.door, jobs, { ...LIMITS, report });

  async function look(): Promise<void> {
    const at = now();
    for (const token of await findWaiting(slowRead, at)) {
      await database.write(async (transaction) => {
        if (await takeDay(transaction, token, at))
          await outbox.afterCommit.remindOfLoans(transaction, { token, day: toDay(at) });
      });
    }
  }

  return {
    database,
    prove: (transaction, token) => outbox.afterCommit.proveAddress(transaction, { token }),
    send: (transaction, { to, subject, text }) =>
      outbox.afterCommit.sendAccountMail(transaction, { to, subject, text }),
    start: outbox.start,
    stop: outbox.stop,
    async run(at) {
      await look();
      await outbox.run(at);
    },
    schedules: outbox.schedules,
  };
}

/** Loaded when it is needed: most installations send no mails. */
export async function openTransport({ url }: MailConfig) {
  const { createTransport } = await import('nodemailer');
  // A server that hides its encryption from us must not get the password.
  const requireTLS = new URL(url).username !== '';
  return createTransport({ url, requireTLS, connectionTimeout: 10_000, greetingTimeout: 10_000 });
}
