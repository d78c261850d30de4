/** Where an account says to which address its mails about loans go, and the page behind the link in each mail. */
import { createFormHandlers, HttpError, type Middleware, page, seeOther } from 'seeother';
import { href, mailHref } from '../links.ts';
import { readToken } from '../site/account-link.ts';
import type { PageContext, UserContext } from '../site/contexts.ts';
import { toViewer } from '../site/layout.ts';
import { findAddress, setAddress, turnMails } from './due-mails.ts';
import { addressForm, addressPage, mailClosedPage, mailPage, switchForm } from './mail-pages.ts';
import type { Mailer } from './mailer.ts';

interface MailerContext {
  readonly mailer: Mailer;
}

/** Without a mailer, nothing of the mails is there. */
export function createMailController(mailer: Mailer | undefined) {
  const requireMailer: Middleware<unknown, MailerContext> = function requireMailer(context, next) {
    if (mailer === undefined) throw new HttpError(404, 'This site sends no mails.');
    return next({ ...context, mailer });
  };

  const address = createFormHandlers<UserContext & MailerContext>()(addressForm, {
    name: 'setMailAddress',
    async load({ mailer, session }) {
      return { stored: await findAddress(mailer.database.read, { account_id: session.user.id }) };
    },
    fill: ({ stored }) => ({ email: stored?.email ?? '' }),
    show: ({ form, stored, ...context }) =>
      addressPage({ viewer: toViewer(context), form, stored }),
    async send({ mailer, session, transaction, values: { email } }) {
      const { id } = session.user;
      const path = href('/account');
      const stored = await findAddress(transaction, { account_id: id });
      if (email !== null && email === stored?.email && stored.isOn)
        return { path, message: `Mails still go to ${email}.` };
      const token = await setAddress(transaction, id, email);
      if (token === null) return { path, message: 'You get no mails about loans.' };
      await mailer.prove(transaction, token);
      return { path, message: `We are sending a mail to ${email}. Its link turns the mails on.` };
    },
  });

  const switchMails = createFormHandlers<PageContext & MailerContext>()(switchForm, {
    name: 'switchMails',
    once: false,
    // The address has the token. The Referer of the page's requests must not.
    headers: { 'Referrer-Policy': 'strict-origin' },
    async load({ mailer, request, form }) {
      const token = form?.text.link ?? readToken(request, 'link');
      return { token, stored: await findAddress(mailer.database.read, { token }) };
    },
    fill: ({ token, stored }) => ({ link: token, mails: stored?.isOn === true ? 'off' : 'on' }),
    show({ form, stored, ...context }) {
      const viewer = toViewer(context);
      if (stored === null) return page(mailClosedPage(viewer), 403);
      return mailPage({ viewer, form, stored });
    },
    async act({ mailer, values: { link, mails } }) {
      await mailer.database.write((transaction) => turnMails(transaction, link, mails === 'on'));
      return seeOther(mailHref(link));
    },
  });

  return { requireMailer, address, switchMails };
}
