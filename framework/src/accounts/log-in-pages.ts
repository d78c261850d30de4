/** The pages to log in with a name and a password, and to log out. */
import { defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { seeOther, withHeader, withSession } from '../http/response.ts';
import type { Router } from '../router/router.ts';
import { endSession } from '../session/session-change.ts';
import { formPage } from '../site/form-page.ts';
import { passwordNowField, rememberField, typedNameField } from './account-fields.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import { focusOn, frame } from './frame.ts';
import { drawOtherWays } from './other-ways.ts';
import { sayIn, text } from './say.ts';

export function addLogInPages(router: Router<PageContext, never>, parts: AccountParts): void {
  const { options, logIn } = parts;
  const form = defineForm({
    username: typedNameField(options.names, parts.hasPasskeys),
    password: passwordNowField('Password'),
    remember: rememberField(),
  });

  for (const path of ['/login', '/login/again'] as const) {
    const isAgain = path === '/login/again';
    formPage(router, path, form, {
      button: text('Log in'),
      once: false,
      fill: ({ session }) => ({ username: session?.user.name ?? '' }),
      async show(shown) {
        const { isSent, formHtml: _, ...context } = shown;
        const { request, session } = context;
        // A user who is logged in is led on, as after a log-in.
        if (!isSent && session !== null && !isAgain) return seeOther(logIn.pathAfter(request));
        const say = sayIn(request);
        const field = session === null ? 'username' : 'password';
        const formHtml = focusOn(shown, field, say('Log in'));
        const why = isAgain
          ? html`<p>${say('To do this, you must have logged in within the last {minutes} minutes.', { minutes: String(options.recent / 60_000) })}</p>`
          : null;
        const main = html`${why}${formHtml}${await drawOtherWays(parts, context)}`;
        const title = isAgain ? say('Log in again') : say('Log in');
        return frame(parts, context, { page: 'logIn', title, main, formHtml });
      },
      async act({ request, values: { username, password, remember: remembered } }) {
        const account = await parts.checkPassword(request, username, password);
        if (account !== null)
          return logIn.proved(request, account, { method: 'password', remembered });
        const message =
          options.names === 'email'
            ? text('Email address or password is incorrect')
            : text('Username or password is incorrect');
        return { errors: [{ field: 'username', message }], status: 401 };
      },
    });
  }
  router.post('/logout', async ({ request, session }) => {
    if (session !== null) {
      const { id } = session.user;
      // The form of the second factor, sent again, logs in no more.
      await parts.write((transaction) => parts.tokens.remove(transaction, id, ['repeat']));
      await parts.note({ accountId: id, kind: 'logged out', request });
    }
    // Pages of this user leave the browser's cache.
    const answer = withHeader(seeOther(localPath('/login')), 'Clear-Site-Data', '"cache"');
    return withSession(answer, endSession);
  });
}
