/** Where an account says to which address its mails about loans go, and the page behind the link in each mail. */
import { createFormHandlers, HttpError, type Middleware, page, seeOther } from 'seeother';
import { href, mailHref } from '../links.ts';
import { openFormHandlers, type UserContext } from '../site/contexts.ts';
import { toViewer } from '../site/layout.ts';
import { type DueMails, findAddress, setAddress } from './due-mails.ts';
import { addressForm, switchForm } from './mail-forms.ts';
import { addressPage, mailClosedPage, mailPage } from './mail-pages.ts';
import type { Mailer } from './mailer.ts';

export interface MailerContext {
  readonly mailer: Mailer;
}

/** Without a mailer, nothing of the mails is there. */
export function createMailController(dueMails: DueMails, mailer: Mailer | undefined) {
  const requireMailer: Middleware<unknown, MailerContext> = function requireMailer(context, next) {
    if (mailer === undefined) throw new HttpError(404, 'This site sends no mails.');
    return next({ ...context, mailer });
  };

  const address = createFormHandlers<UserContext & MailerContext>()(addressForm, {
    name: 'setMailAddress',
    async load({ session }) {
      return { stored: await dueMails.find(session.user.id) };
    },
    fill: ({ stored }) => ({ email: stored?.email ?? '' }),
    show: ({ form, stored, ...context }) =>
      addressPage({ viewer: toViewer(context), form, stored }),
    async send({ session, transaction, values: { email }, mailer }) {
      const path = href('/account');
      const stored = await findAddress(transaction, session.user.id);
      if (email !== null && email === stored?.email && stored.isOn)
        return { path, message: `Mails still go to ${email}.` };
      const token = await setAddress(transaction, session.user.id, email);
      if (token === null) return { path, message: 'You get no mails about loans.' };
      await mailer.prove(transaction, token);
      return { path, message: `We are sending a mail to ${email}. Its link turns the mails on.` };
    },
  });

  const switchMails = openFormHandlers(switchForm, {
    name: 'switchMails',
    once: false,
    // The address has the token. The Referer of the page's requests must not.
    headers: { 'Referrer-Policy': 'strict-origin' },
    async load({ request, form }) {
      const link = form?.text.link ?? request.query.get('link') ?? '';
      return { link, stored: await dueMails.findByToken(link) };
    },
    fill: ({ link, stored }) => ({ link, mails: stored?.isOn === true ? 'off' : 'on' }),
    show({ form, stored, ...context }) {
      const viewer = toViewer(context);
      if (stored === null) return page(mailClosedPage(viewer), 403);
      return mailPage({ viewer, form, stored });
    },
    async act({ values: { link, mails } }) {
      await dueMails.turn(link, mails === 'on');
      return seeOther(mailHref(link));
    },
  });

  return { requireMailer, address, switchMails };
}
