/** The pages to log in with a name and a password, and to log out. */
import { blankForm, defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { languageOf } from '../http/request-language.ts';
import { seeOther, withHeader, withSession } from '../http/response.ts';
import type { Router } from '../router/router.ts';
import { endSession } from '../session/session-change.ts';
import { drawForm, formPage } from '../site/form-page.ts';
import { passwordNowField, rememberField, typedNameField } from './account-fields.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import { focusOn, frame } from './frame.ts';
import { withNext } from './log-in.ts';
import { drawOtherWays } from './other-ways.ts';
import { sayIn, text } from './say.ts';

export function addLogInPages(router: Router<PageContext, never>, parts: AccountParts): void {
  const { options, logIn, passkeys } = parts;
  const form = defineLogInForm(parts);

  for (const path of ['/login', '/login/again'] as const) {
    const isAgain = path === '/login/again';
    formPage(router, path, form, {
      button: text('Log in'),
      once: false,
      ...(passkeys === null ? {} : { middleware: [passkeys.nameBrowser] }),
      fill: ({ session }) => ({ username: session?.user.name ?? '' }),
      async show(shown) {
        const { isSent, formHtml: _, ...context } = shown;
        const { request, session } = context;
        // A user who is logged in is led on, as after a log-in.
        if (!isSent && session !== null && !isAgain) return seeOther(logIn.pathAfter(request));
        const field = session === null ? 'username' : 'password';
        const formHtml = focusOn(shown, field, sayIn(request)('Log in'));
        return drawLogInPage(parts, context, { formHtml, isAgain });
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
      const { id, name: username } = session.user;
      // The form of the second factor, sent again, logs in no more.
      await parts.write((transaction) => parts.tokens.remove(transaction, id, ['repeat']));
      await parts.note({ account: { id, username }, kind: 'logged out', request });
    }
    // Pages of this user leave the browser's cache.
    const answer = withHeader(seeOther(localPath('/login')), 'Clear-Site-Data', '"cache"');
    return withSession(answer, endSession);
  });
}

function defineLogInForm({ options, passkeys }: AccountParts) {
  return defineForm({
    username: typedNameField(options.names, passkeys !== null),
    password: passwordNowField('Password'),
    remember: rememberField(),
  });
}

/** The form on the page of another one, which was refused: its own page answers it. */
export function drawLogInForm(parts: AccountParts, { request, session }: PageContext): Html {
  const language = languageOf(request);
  const user = session?.user ?? null;
  const blank = blankForm(defineLogInForm(parts), { username: user?.name ?? '' }, language, user);
  const action = withNext(request, user === null ? '/login' : '/login/again');
  return drawForm({ ...blank, action }, html`<button>${sayIn(request)('Log in')}</button>\n`);
}

/** `isAgain`: somebody who is logged in does so once more. */
export async function drawLogInPage(
  parts: AccountParts,
  context: PageContext,
  {
    formHtml,
    isAgain,
    errors = null,
  }: { readonly formHtml: Html; readonly isAgain: boolean; readonly errors?: Html | null },
): Promise<Html> {
  const say = sayIn(context.request);
  const minutes = String(parts.options.recent / 60_000);
  const why = isAgain
    ? html`<p>${say('To do this, you must have logged in within the last {minutes} minutes.', { minutes })}</p>`
    : null;
  const main = html`${errors}${why}${formHtml}${await drawOtherWays(parts, context)}`;
  const title = isAgain ? say('Log in again') : say('Log in');
  return frame(parts, context, { page: 'logIn', title, main, formHtml });
}
