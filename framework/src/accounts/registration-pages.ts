/**
 * The pages to register. With usernames there is one form. With addresses the first form takes only the address, and
 * says the same whether it is known or not; the link in the mail leads to the second.
 */
import { hiddenField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath, withQuery } from '../http/href.ts';
import { html } from '../http/html.ts';
import type { Request } from '../http/request.ts';
import { type Response, seeOther } from '../http/response.ts';
import type { Router } from '../router/router.ts';
import { formPage } from '../site/form-page.ts';
import { toNameKey } from './account.ts';
import { addressField, newPasswordFields, newUsernameField } from './account-fields.ts';
import { mailLink } from './account-mail.ts';
import type { AccountParts, PageContext, UserContext } from './account-parts.ts';
import { withoutUsername } from './account-profile.ts';
import { frame, framedAnswer, nameAccount } from './frame.ts';
import { PASSWORD_TOKEN_PAGE, readToken, TOKEN_PAGE } from './link-gone.ts';
import { withNext } from './log-in.ts';
import { showOtherAccount } from './other-account.ts';
import { drawProviderButtons } from './provider-buttons.ts';
import { sayIn, text } from './say.ts';

const DAY = 86_400_000;

const TAKEN = {
  field: 'username',
  message: text('Username is taken; choose another one'),
} as const;

export function addRegistrationPages(
  router: Router<PageContext, never>,
  parts: AccountParts,
): void {
  const { options, logIn, registration, store, tokens } = parts;
  const byAddress = options.names === 'email';

  const closed = (context: PageContext, hasToken: boolean): Promise<Response<403>> => {
    const say = sayIn(context.request);
    const reason = hasToken
      ? say('This link was used already, has expired, or is incomplete. Ask for another one.')
      : say('You need an invitation to register here. Ask an administrator for one.');
    const main = html`<p>${reason}</p>\n<p><a href="/login">${say('Log in')}</a></p>\n`;
    const title = say('You cannot register here');
    return framedAnswer(parts, context, { page: 'registrationClosed', title, main }, 403);
  };
  /** For somebody who is logged in, and would be logged in as somebody else. */
  const leaveFirst = (context: UserContext) => {
    const say = sayIn(context.request);
    const why = say('To create another account, log out first.');
    const works = readToken(context.request) === '' ? '' : say('The link still works after that.');
    return showOtherAccount(parts, context, `${why} ${works}`.trim());
  };
  const findTicket = async (request: Request) => {
    const token = readToken(request);
    return token === '' ? null : registration.findTicket(token);
  };

  const addressPath = (request: Request) => {
    const token = readToken(request);
    const path = '/register/address';
    return withNext(request, token === '' ? path : withQuery(path, `token=${token}`));
  };
  /** The key of the invitation in the address of the page; a mail without one opens nothing on a closed site. */
  const findInvitation = async (request: Request) => {
    const { invitation = null } = (await findTicket(request)) ?? {};
    return {
      invitation,
      isOpen: invitation !== null || (await registration.openTo()) !== 'closed',
    };
  };

  const addressForm = defineForm({ email: addressField('Enter your email address') });
  const [password, passwordagain] = newPasswordFields(parts.newPasswords, 'Password');
  const username = byAddress ? hiddenField() : newUsernameField();
  const base = { username, password, passwordagain };
  // The fields of the profile are known at run time only.
  const accountForm = defineForm({
    username,
    ...options.profile?.form.fields,
    password,
    passwordagain,
  } as typeof base);

  formPage(router, '/register', accountForm, {
    button: text('Create account'),
    once: false,
    headers: PASSWORD_TOKEN_PAGE,
    async load({ request }) {
      return { ticket: await findTicket(request), state: await registration.openTo() };
    },
    fill: ({ ticket }) => (byAddress ? { username: ticket?.email ?? '' } : {}),
    async check({ errors, form, request, values }) {
      const slips = await parts.newPasswords.check(
        { form, values },
        {
          fields: ['password', 'passwordagain'],
          [byAddress ? 'email' : 'username']: values.username ?? null,
        },
      );
      // A form without other errors may be a repeat, which logs in to its account.
      const { username = '' } = values;
      if (byAddress || errors.length + slips.length === 0 || username === '') return slips;
      const isOpen =
        (await findTicket(request)) !== null || (await registration.openTo()) !== 'closed';
      if (!isOpen || (await store.find({ username })) === null) return slips;
      // It counts as a failed log-in: nobody looks for names faster than for passwords.
      await parts.checkPassword(request, username, '');
      return [TAKEN, ...slips];
    },
    show({ formHtml: drawn, ticket, state, ...context }) {
      const { request, session } = context;
      const say = sayIn(request);
      if (ticket === null && (state === 'closed' || readToken(request) !== ''))
        return closed(context, readToken(request) !== '');
      if (session !== null) return leaveFirst({ ...context, session });
      // The address is confirmed first, also that of an invitation that was handed over.
      if (byAddress && ticket?.email == null) return seeOther(addressPath(request));
      const intro =
        ticket?.email != null
          ? html`<p>${say('Your email address is {email}.', { email: ticket.email })}</p>\n`
          : state === 'first'
            ? html`<p>${say('There are no accounts yet. The first one becomes the administrator of this site.')}</p>\n`
            : ticket === null
              ? null
              : html`<p>${say('You are invited. Choose a username and a password of your own.')}</p>\n`;
      const formHtml = byAddress
        ? nameAccount(context.form, ticket?.email ?? '', say('Create account'))
        : drawn;
      const title = state === 'first' ? say('Create the first account') : say('Create an account');
      const invitation = ticket === null ? null : `token=${readToken(request)}`;
      const main = html`${intro}${formHtml}${drawProviderButtons(parts, say, request, invitation)}<p><a href="${withNext(request, '/login')}">${say('I already have an account')}</a></p>\n`;
      return frame(parts, context, { page: 'register', title, main, formHtml });
    },
    async act({ request, values, session, ...context }) {
      const { username: typed, password } = values;
      const token = readToken(request);
      const ticket = await findTicket(request);
      const username = byAddress ? (ticket?.email ?? typed) : typed;
      const isOpen = token === '' && (await registration.openTo()) !== 'closed';
      // The form of the account that is logged in was sent again.
      const isOwn = session !== null && toNameKey(session.user.name) === toNameKey(username);
      if (session !== null && !isOwn)
        return ticket === null && !isOpen
          ? closed({ request, session, ...context }, token !== '')
          : leaveFirst({ request, session, ...context });
      if (isOpen) await parts.countRegistration(request, username);
      const done =
        ticket === null && !isOpen
          ? 'closed'
          : await registration.register(request, {
              username,
              passwordHash: await parts.hash(password),
              token: token === '' ? null : token,
              profile: values,
            });
      if (Array.isArray(done))
        return { errors: (byAddress ? withoutUsername(done) : done) as never };
      if (typeof done === 'object' && 'id' in done)
        return logIn.start(request, done, false, 'registration');
      // The same form, sent again, logs in to the account of the first.
      const account = await parts.checkPassword(request, username, password);
      if (account !== null) return logIn.proved(request, account, { method: 'password' });
      if (done === 'closed') return closed({ request, session, ...context }, token !== '');
      return { errors: [TAKEN] };
    },
  });

  if (!byAddress) return;
  formPage(router, '/register/address', addressForm, {
    button: text('Continue'),
    headers: TOKEN_PAGE,
    check: parts.countMail,
    async show({ formHtml, ...context }) {
      const { request, session } = context;
      const { isOpen } = await findInvitation(request);
      if (!isOpen) return closed(context, readToken(request) !== '');
      if (session !== null) return leaveFirst({ ...context, session });
      const say = sayIn(request);
      const main = html`${formHtml}<p><a href="${withNext(request, '/login')}">${say('I already have an account')}</a></p>\n`;
      return frame(parts, context, {
        page: 'register',
        title: say('Create an account'),
        main,
        formHtml,
      });
    },
    async send({ request, transaction, values: { email } }) {
      const { invitation } = await findInvitation(request);
      const known = email === null ? null : await store.find({ email }, transaction);
      const token = await tokens.create(transaction, 'registration', {
        accountId: null,
        data: { email, role: null, invitation },
        // The same work for a known address; nobody gets this token.
        lifetime: known === null ? DAY : 1,
      });
      await mailLink(options, transaction, request, {
        to: email ?? '',
        subject: text('Your account at {site}'),
        text:
          known === null
            ? text('To create your account at {site}, open this link within 24 hours:')
            : text('You have an account at {site} already. To log in, open this link:'),
        path:
          known === null
            ? withNext(request, withQuery('/register', `token=${token}`))
            : withNext(request, '/login'),
      });
      return localPath('/mail-sent');
    },
  });
}
