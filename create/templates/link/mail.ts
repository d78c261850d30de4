/**
 * Sends the mails of accounts after the commit, and tries again until the mail server accepts them. Without a mail
 * server they are printed, with their links.
 */
import { createTransport } from 'nodemailer';
import type { AccountMail } from 'seeother/accounts';
import { createOutbox, type Database } from 'seeother/database';
import { readSetting } from './settings.ts';

export type MailOutbox = ReturnType<typeof openOutbox>;

export function openOutbox(database: Database) {
  const url = readSetting('MAIL_URL', 'smtps://user:password@mail.example');
  const from = readSetting('MAIL_FROM', 'items@mail.example');
  // A server that hides its encryption from us must not get the password.
  const transport = url && createTransport({ url, requireTLS: new URL(url).username !== '' });
  return createOutbox(database, {
    async mail({ to, subject, text }: AccountMail, { key, signal }) {
      if (!transport) {
        console.log(`Mail to ${to}: ${subject}\n\n${text}`);
        return;
      }
      await transport.sendMail({
        from,
        // A text would be read as a list of addresses.
        to: { name: '', address: to },
        subject,
        text,
        // The same in each attempt, so that a repeated mail can be known.
        messageId: `<${key}@${from?.replace(/^.*@/, '')}>`,
        signal,
      });
    },
  });
}
