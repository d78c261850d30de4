/** The pages to log in with a name and a password, and to log out. */
import { type Awaitable, andThen } from '../http/awaitable.ts';
import { localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { toLocalPath } from '../http/local-path.ts';
import { type Response, seeOther, withHeader, withSession } from '../http/response.ts';
import type { AnyFormHandler } from '../router/chain-types.ts';
import type { AnyRouter, Router } from '../router/router.ts';
import { endSession } from '../session/session-change.ts';
import { createFormHandlers } from '../site/form-handlers.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import { focusOn, frame } from './frame.ts';
import type { Asked } from './log-in.ts';
import { type Carried, defineLogInForm, drawKept, isParked, readCarried } from './log-in-form.ts';
import { drawOtherWays } from './other-ways.ts';
import { sayIn, text } from './say.ts';

/** Bytes of a log-in with a draft, whose 65,536 characters may take nine bytes each. */
const DRAFT_LIMIT = 1_048_576;

const CLEARED = ['Clear-Site-Data', '"cache"'] as const;
const EMPTY: Response = {
  status: 200,
  headers: { 'Content-Type': 'text/css; charset=utf-8' },
  body: '',
};
/** An empty style sheet: with it, the browser's cache of the pages of the user before is cleared. */
const FORGET_PAGES = html`<link rel="stylesheet" href="/login/forget.css">\n`;

export function addLogInPages(router: Router<PageContext, never>, parts: AccountParts): void {
  const { options, logIn, passkeys } = parts;
  const form = defineLogInForm(parts);
  const routes: AnyRouter = router;

  for (const path of ['/login', '/login/again'] as const) {
    const isAgain = path === '/login/again';
    const middleware = passkeys === null ? [] : [passkeys.nameBrowser];
    // Not `formPage`, which would draw the form once more, without the cursor.
    const [read, send, shown] = createFormHandlers<PageContext>()(form, {
      name: path,
      once: false,
      limit: DRAFT_LIMIT,
      fill: ({ session }) => ({ username: session?.user.name ?? '' }),
      show(context) {
        const { form: sent, isSent, request, session } = context;
        // A user who is logged in is led on, as after a log-in.
        if (!isSent && session !== null && !isAgain) return seeOther(logIn.pathAfter(request));
        const field = session === null ? 'username' : 'password';
        const formHtml = focusOn(context, field, sayIn(request)('Log in'));
        return drawLogInPage(parts, context, {
          formHtml,
          isAgain,
          carried: readCarried(request, sent.text),
        });
      },
      async act({ request, values }) {
        const { username, password, remember: remembered } = values;
        const account = await parts.checkPassword(request, username, password);
        if (account !== null) {
          const carried = readCarried(request, values);
          return logIn.proved(request, account, { method: 'password', remembered, ...carried });
        }
        const message =
          options.names === 'email'
            ? text('Email address or password is incorrect')
            : text('Username or password is incorrect');
        return { errors: [{ field: 'username', message }], status: 401 };
      },
    }).post;
    routes.register('GET', path, middleware, shown);
    routes.register('POST', path, [...middleware, read, send], shown as AnyFormHandler);
  }
  // The browser stores the page that its user has left by logging out only when the next page is there: so the log-out
  // cannot clear it, and the log-in page does. Another site must not clear the cache.
  router.get('/login/forget.css', ({ request }) =>
    request.headers['sec-fetch-site'] === 'cross-site' ? EMPTY : withHeader(EMPTY, ...CLEARED),
  );
  router.post('/logout', async ({ request, session }) => {
    if (session !== null) {
      const { id, name: username } = session.user;
      // The form of the second factor, sent again, logs in no more.
      await parts.write((transaction) => parts.tokens.remove(transaction, id, ['repeat']));
      await parts.note({ account: { id, username }, kind: 'logged out', request });
    }
    // Pages of this user leave the browser's cache.
    const next = toLocalPath(request.query.get('next')) ?? localPath('/login');
    const answer = withHeader(seeOther(next), ...CLEARED);
    return withSession(answer, endSession);
  });
}

/** `isAgain`: somebody who is logged in does so once more. */
export function drawLogInPage(
  parts: AccountParts,
  context: PageContext,
  {
    formHtml,
    isAgain,
    errors = null,
    carried: { asked, draft } = { asked: context.request, draft: null },
  }: {
    readonly formHtml: Html;
    readonly isAgain: boolean;
    readonly errors?: Html | null;
    readonly carried?: Carried;
  },
): Awaitable<Html> {
  const say = sayIn(context.request);
  const minutes = String(parts.options.recent / 60_000);
  const why = isAgain
    ? html`<p>${say('To do this, you must have logged in within the last {minutes} minutes.', { minutes })}</p>`
    : draft === null && (asked.query.get('next') ?? '') !== ''
      ? html`<p>${say('Log in to continue.')}</p>`
      : null;
  // A draft that is in this page alone is lost on another one.
  const isHere = draft !== null && !isParked(asked);
  const ways = isHere ? null : drawWays(parts, context, asked);
  return andThen(ways, (below) => {
    const main = html`${context.session === null ? FORGET_PAGES : null}${errors}${why}${draft === null ? null : drawKept(say)}${formHtml}${below}`;
    const title = isAgain ? say('Log in again') : say('Log in');
    return frame(parts, context, { page: 'logIn', title, main, formHtml });
  });
}

function drawWays(parts: AccountParts, context: PageContext, asked: Asked): Awaitable<Html> {
  return andThen(parts.passkeys?.drawLogIn(context, asked) ?? null, (passkey) =>
    andThen(drawOtherWays(parts, context, asked), (others) => html`${passkey}${others}`),
  );
}
