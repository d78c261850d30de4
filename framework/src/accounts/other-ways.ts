/** What stands below the form of the log-in: the other ways, each with the path that follows. */
import { type Awaitable, andThen } from '../http/awaitable.ts';
import { type Html, html } from '../http/html.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import { type Asked, withNext } from './log-in.ts';
import { drawProviderButtons } from './provider-buttons.ts';
import { sayIn } from './say.ts';

/** `asked` has the path that follows. */
export function drawOtherWays(
  parts: AccountParts,
  context: PageContext,
  asked: Asked,
): Awaitable<Html> {
  const { options, registration } = parts;
  const { request } = context;
  const say = sayIn(request);
  const hasMail = options.mail !== undefined;
  const to = (path: string) => withNext(asked, path);
  const isAgain = request.path === '/login/again';
  return andThen(
    registration.openTo(),
    (
      state,
    ) => html`${drawProviderButtons(parts, say, asked, isAgain ? 'again=1' : null)}<ul class="ways">
${hasMail && !options.without.includes('logInByMail') ? html`<li><a href="${to('/login/link')}">${say('Log in with a link by email')}</a></li>\n` : null}${hasMail ? html`<li><a href="${to('/password/forgot')}">${say('I forgot my password')}</a></li>\n` : html`<li>${say('If you forgot your password, an administrator can make a link for you to choose a new one.')}</li>\n`}${state === 'closed' ? null : html`<li><a href="${to('/register')}">${state === 'first' ? say('Create the first account') : say('Create an account')}</a></li>\n`}</ul>
`,
  );
}
