/**
 * Sends the mails about loans, by the outbox: a mail that was not accepted is tried again, and a crash loses none. A
 * job has only the token of an address, so a mail tells what is stored when it is sent, and an address that was
 * removed meanwhile gets nothing.
 */
import { type Attempt, createOutbox, DatabaseUnavailable } from 'seeother/database';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import { mailHref } from '../links.ts';
import type { MailConfig } from '../settings/config.ts';
import type { ErrorEntry } from '../settings/error-line.ts';
import { toDay } from '../site/format.ts';
import type { DueMails } from './due-mails.ts';
import { MAX_LISTED, type MailText, toProof, toReminder } from './mail-text.ts';

export interface Mailer {
  /** After the commit, sends the mail whose link turns the mails on. */
  readonly prove: (transaction: KyselyTransaction, token: string) => Promise<void>;
  /** Looks for due loans now, and then every minute; sends what waits. */
  readonly start: () => void;
  /** Waits for the mails that are being sent. */
  readonly stop: () => Promise<void>;
  /** Does once what `start` does: for tests. Tries again what is due again at that time. */
  readonly run: (at?: Date) => Promise<void>;
}

export interface MailerParts {
  readonly database: Database;
  readonly dueMails: DueMails;
  readonly mail: MailConfig;
  /** Days begin by this clock, at midnight of the team. */
  readonly now: () => Date;
  readonly report: (entry: ErrorEntry) => void;
}

/** Milliseconds between two looks for due loans. */
const POLL = 60_000;
/** Milliseconds for one mail. It ends before a stopping process is killed. */
const TIMEOUT = 15_000;
/** Mails that one process sends at once. */
const CONCURRENCY = 2;

export async function openMailer(parts: MailerParts): Promise<Mailer> {
  const { database, dueMails, mail, now, report } = parts;
  const transport = await openTransport(mail);
  let looking: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  const send = (token: string, email: string, text: MailText, { key, signal }: Attempt) =>
    transport.sendMail({
      ...text,
      from: mail.from,
      // A text would be read as a list of addresses.
      to: { name: '', address: email },
      // The same in each attempt, so that a repeated mail can be known.
      messageId: `<${key}@${mail.from.replace(/^.*@/, '')}>`,
      list: { unsubscribe: mail.origin + mailHref(token) },
      headers: { 'Auto-Submitted': 'auto-generated' },
      xMailer: false,
      signal,
    });

  const outbox = createOutbox(
    database.door,
    {
      async proveAddress({ token }: Proof, attempt) {
        const found = await dueMails.findByToken(token);
        if (found !== null) await send(token, found.email, toProof(mail.origin, token), attempt);
      },
      async remindOfLoans({ token, day }: Reminder, attempt) {
        // The mail of a later day tells the same.
        if (day !== toDay(now())) return;
        const found = await dueMails.findByToken(token);
        const loans = await dueMails.listDue(token, day, MAX_LISTED + 1);
        if (found === null || loans.length === 0) return;
        await send(token, found.email, toReminder(mail.origin, token, loans, day), attempt);
      },
    },
    { timeout: TIMEOUT, concurrency: CONCURRENCY, report },
  );

  async function look(): Promise<void> {
    const at = now();
    for (const accountId of await dueMails.findWaiting(at)) {
      await database.write(async (transaction) => {
        const taken = await dueMails.takeDay(transaction, accountId, at);
        if (taken === null) return;
        await outbox.afterCommit.remindOfLoans(transaction, { ...taken, day: toDay(at) });
      });
    }
  }

  /** Never rejects. While the database is away, the outbox says so. */
  function lookAgain(): void {
    looking ??= look()
      .catch((error) => {
        if (!(error instanceof DatabaseUnavailable))
          report({ message: 'Cannot look for loans that are due.', error });
      })
      .finally(() => {
        looking = null;
      });
  }

  return {
    prove: (transaction, token) => outbox.afterCommit.proveAddress(transaction, { token }),
    start() {
      outbox.start();
      timer = setInterval(lookAgain, POLL).unref();
      lookAgain();
    },
    async stop() {
      clearInterval(timer);
      await looking;
      await outbox.stop();
    },
    async run(at) {
      await look();
      await outbox.run(at);
    },
  };
}

/** Loaded when it is needed: most installations send no mails. */
export async function openTransport({ url }: MailConfig) {
  const { createTransport } = await import('nodemailer');
  // A server that hides its encryption from us must not get the password.
  const requireTLS = new URL(url).username !== '';
  return createTransport({ url, requireTLS, connectionTimeout: 10_000, greetingTimeout: 10_000 });
}

interface Proof {
  readonly token: string;
}

interface Reminder extends Proof {
  readonly day: string;
}
