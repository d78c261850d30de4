/** The pages of passwords: to change one's own, and to choose a new one with the link of a mail or an administrator. */
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { hiddenField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath, withQuery } from '../http/href.ts';
import { html } from '../http/html.ts';
import { seeOther, withSession } from '../http/response.ts';
import type { Router } from '../router/router.ts';
import { requireSession } from '../session/require-session.ts';
import { endSession, renewSession, withFlash } from '../session/session-change.ts';
import { formPage } from '../site/form-page.ts';
import { addressField, newPasswordFields, passwordNowField } from './account-fields.ts';
import { mailLink } from './account-mail.ts';
import type { AccountParts, PageContext, UserContext } from './account-parts.ts';
import { endAccess } from './end-access.ts';
import { drawDuty, frame, linkToAccount, nameAccount, pathAfterDuty } from './frame.ts';
import type { Guard } from './guards.ts';
import { type Leave, unlessLeft } from './leave-transaction.ts';
import { PASSWORD_TOKEN_PAGE, readToken, showLinkGone } from './link-gone.ts';
import { withNext } from './log-in.ts';
import { showOtherAccount } from './other-account.ts';
import { sayIn, text } from './say.ts';

const HOUR = 3_600_000;
const ENDS_DEVICES = 'This logs you out on all other devices.';
const ENDS_LINKS =
  'This logs you out on all other devices, and withdraws the open links that you made.';

export function addPasswordPages(router: Router<PageContext, never>, parts: AccountParts): void {
  const { options, logIn, store, tokens, write } = parts;

  // The current password alone is asked for on the page.
  const requireFactors: Guard = describeMiddleware(
    function requireFactors(context, next) {
      return context.session?.user.hasSecondFactor
        ? parts.requireRecent(context, next)
        : requireSession(context, next as never);
    },
    { needs: ['session'], adds: ['session'] },
  );
  const [newpassword, newpasswordagain] = newPasswordFields(parts.newPasswords, 'New password');
  const changeForm = defineForm({
    currentpassword: passwordNowField('Current password'),
    newpassword,
    newpasswordagain,
  });
  formPage(router, '/account/password', changeForm, {
    button: text('Save password'),
    middleware: [requireSession, requireFactors],
    check: ({ form, session: { user }, values }) =>
      parts.newPasswords.check(
        { form, values },
        { fields: ['newpassword', 'newpasswordagain'], username: user.name, email: user.email },
      ),
    show({ formHtml: _, ...context }) {
      const { form, session } = context;
      const say = sayIn(context.request);
      const formHtml = nameAccount(form, session.user.name, say('Save password'));
      const duty = drawDuty(context.request, session.user, 'choose a password');
      const what = session.user.role === options.roles.at(-1) ? ENDS_LINKS : ENDS_DEVICES;
      const main = html`${duty}<p>${say(what)}</p>\n${formHtml}${linkToAccount(context.request)}`;
      const title = say('Change your password');
      return frame(parts, context as PageContext, {
        page: 'changePassword',
        title,
        main,
        formHtml,
      });
    },
    async act({
      once,
      repeated,
      request,
      session,
      values: { currentpassword: current, newpassword: password },
    }) {
      if (current === password)
        return {
          errors: [
            {
              field: 'newpassword',
              message: text('New password must be different from the current one'),
            },
          ],
        };
      const wrong = {
        errors: [{ field: 'currentpassword', message: text('Current password is incorrect') }],
      } as const;
      const done = withSession(
        withFlash(
          seeOther(pathAfterDuty(request, '/account')),
          sayIn(request)('Your password was changed. You are now logged out on all other devices.'),
        ),
        renewSession,
      );
      // Only one password is checked. In a repeat, the new password is already the current one.
      const account = await parts.checkPassword(
        request,
        session.user.name,
        repeated ? password : current,
      );
      if (repeated) return account === null ? wrong : done;
      const hash = account === null ? null : await parts.hash(password);
      // A repeat at the same moment may have changed the password before this one checked it, so `once` runs even if
      // the check has failed.
      const answer = await unlessLeft((leave: Leave<'not changed'>) =>
        once(async (transaction) => {
          const now = account && (await store.lock(transaction, account.id));
          const isMine =
            now !== null &&
            hash !== null &&
            now.version === account?.version &&
            (await store.isOpen(transaction, now.id, session.key));
          if (!isMine) throw leave('not changed');
          await store.change(
            transaction,
            now.id,
            { password_hash: hash, password_expires_at: null },
            true,
          );
          await endAccess(parts, transaction, now.id, session.key);
          await parts.tell(transaction, request, now, { kind: 'password changed' });
          return localPath('/account');
        }),
      );
      if (answer !== 'not changed') return done;
      return account === null ? wrong : withSession(seeOther(localPath('/login')), endSession);
    },
  });

  const leaveFirst = (context: UserContext, name: string) => {
    const say = sayIn(context.request);
    const why = say('This link is for another account: {name}. To use it, log out first.', {
      name,
    });
    const works = say('The link still works after that.');
    return showOtherAccount(parts, context, `${why} ${works}`);
  };
  const [password, passwordagain] = newPasswordFields(parts.newPasswords, 'New password');
  const resetForm = defineForm({ username: hiddenField(), password, passwordagain });
  formPage(router, '/password/new', resetForm, {
    button: text('Save password'),
    once: false,
    headers: PASSWORD_TOKEN_PAGE,
    async load({ request }) {
      const found = await tokens.find('new password', readToken(request));
      return {
        account: found?.accountId == null ? null : await store.find({ id: found.accountId }),
      };
    },
    fill: ({ account }) => ({ username: account?.username ?? '' }),
    check: ({ form, values }) =>
      parts.newPasswords.check(
        { form, values },
        { fields: ['password', 'passwordagain'], username: values.username ?? null },
      ),
    show({ formHtml: _, account, ...context }) {
      const { session } = context;
      if (account === null) return showLinkGone(parts, context);
      if (session !== null && session.user.id !== account.id)
        return leaveFirst({ ...context, session }, account.username);
      const say = sayIn(context.request);
      const formHtml = nameAccount(context.form, account.username, say('Save password'));
      const main = html`<p>${say('This logs you in as {name}, and out on all other devices.', { name: account.username })}</p>\n${formHtml}`;
      return frame(parts, context, {
        page: 'newPassword',
        title: say('Choose a new password'),
        main,
        formHtml,
      });
    },
    async act({ form, request, session, values: { username, password }, ...context }) {
      const token = readToken(request);
      const isOther = (id: number | null) => session !== null && session.user.id !== id;
      const found = await tokens.find('new password', token);
      if (found !== null) {
        if (session !== null && isOther(found.accountId))
          return leaveFirst({ ...context, request, session }, username);
        const hash = await parts.hash(password);
        const account = await write(async (transaction) => {
          const taken = await tokens.take(transaction, 'new password', token);
          const now =
            taken?.accountId == null ? null : await store.lock(transaction, taken.accountId);
          if (now === null || now.disabledAt !== null) return null;
          await store.change(
            transaction,
            now.id,
            { password_hash: hash, password_expires_at: null },
            true,
          );
          await endAccess(parts, transaction, now.id);
          await parts.forgetAttempts(transaction, now);
          await parts.tell(transaction, request, now, { kind: 'password reset' });
          return store.lock(transaction, now.id);
        });
        if (account !== null) return logIn.proved(request, account, { method: 'link' });
      }
      // It was used before, perhaps by this form: who knows the new password may log in with it.
      const account =
        username === '' ? null : await parts.checkPassword(request, username, password);
      return account === null || isOther(account.id)
        ? showLinkGone(parts, { request, session, ...context })
        : logIn.proved(request, account, { method: 'password' });
    },
  });

  if (options.mail === undefined) return;
  formPage(
    router,
    '/password/forgot',
    defineForm({ email: addressField('Enter your email address') }),
    {
      button: text('Send a link'),
      check: parts.countMail,
      show({ formHtml, ...context }) {
        const say = sayIn(context.request);
        const main = html`<p>${say('We will send you a link to choose a new password.')}</p>\n${formHtml}`;
        return frame(parts, context, {
          page: 'forgotPassword',
          title: say('I forgot my password'),
          main,
          formHtml,
        });
      },
      async send({ request, transaction, values: { email } }) {
        const found = await store.find({ email: email ?? '' }, transaction);
        const account = found?.disabledAt === null ? found : null;
        // No account has the id 0: the same statements for an unknown address. Of two requests at once, one waits.
        await store.lock(transaction, account?.id ?? 0);
        await tokens.remove(transaction, account?.id ?? 0, ['new password']);
        const token = await tokens.create(transaction, 'new password', {
          accountId: account?.id ?? null,
          // The same work for an unknown address; nobody gets this token.
          lifetime: account === null ? 1 : HOUR,
        });
        await mailLink(options, transaction, request, {
          to: account?.email ?? email ?? '',
          subject: text('A new password for {site}'),
          text:
            account === null
              ? text(
                  'Somebody asked for a new password for {site} with this address, but no account has it. Perhaps you registered with another address.',
                )
              : text('To choose a new password for {site}, open this link within an hour:'),
          path:
            account === null
              ? null
              : withNext(request, withQuery('/password/new', `token=${token}`)),
        });
        return localPath('/mail-sent');
      },
    },
  );
}
