/** The mails, as plain text. What people have typed is in the body alone, each name on one line. */
import { type Href, normalizeText } from 'seeother';
import { heldHref, href, itemHref, mailHref } from '../links.ts';
import { formatCount, formatDate, formatNumber, fromDay } from '../site/format.ts';
import type { DueLoan } from './due-mails.ts';

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** Loans in one mail. */
export const MAX_LISTED = 100;

/** The only mail to an address before its link was used. It repeats nothing that was typed. */
export function toProof(origin: string, token: string): MailText {
  return {
    subject: 'Turn on mails about loans?',
    text: `Someone with an account at ${origin} has asked for mails to this address: at most one a day, when something that is lent is due.

To turn them on, open this page and press its button:
${origin}${mailHref(token)}

If that was not you, do nothing. Without the button, you get no such mails.
`,
  };
}

/** With more than MAX_LISTED loans, the rest is behind a link. */
export function toReminder(
  origin: string,
  token: string,
  loans: readonly DueLoan[],
  day: string,
): MailText {
  const listed = loans.slice(0, MAX_LISTED);
  const isTruncated = loans.length > MAX_LISTED;
  const count = isTruncated
    ? `More than ${formatNumber(MAX_LISTED)} items are`
    : `${formatCount(loans.length, 'item is', 'items are')}`;
  const link = (path: Href) => `${origin}${path}`;
  return {
    subject: `${count} due`,
    text: `${count} due:

${listed.map((loan) => `${describeLoan(loan, day)}\n${link(itemHref(loan.number))}\n`).join('\n')}
Everything that is lent: ${link(heldHref())}
${isTruncated ? `This mail names the ${formatNumber(MAX_LISTED)} that were due first.\n` : ''}
You get this mail at most once a day, because your account at ${link(href('/account'))} asks for it.
To stop these mails: ${link(mailHref(token))}
`,
  };
}

/** Without line breaks: one could add a line that looks as if the site had written it. */
function describeLoan({ number, name, to, quantity, until }: DueLoan, day: string): string {
  const due =
    until === day
      ? 'It is due today.'
      : `It was due on ${formatDate(fromDay(until), fromDay(day))}.`;
  return `${normalizeText(name)} (No. ${number})\n${normalizeText(to)} has ${quantity === 1 ? 'it' : `${formatNumber(quantity)} of them`}. ${due}`;
}
