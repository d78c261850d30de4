/**
 * What somebody who is logged in gets in place of a form that logs in another account. Nothing is used up: a link that
 * has led here works after the log-out, which comes back.
 */
import { withPair } from '../http/href.ts';
import { html } from '../http/html.ts';
import { type Response, withHeader } from '../http/response.ts';
import type { AccountParts, PageContext, UserContext } from './account-parts.ts';
import { framedAnswer, PRIVATE_PAGE } from './frame.ts';
import { sayIn } from './say.ts';

/** `why` says what the log-out is for. */
export async function showOtherAccount(
  parts: Pick<AccountParts, 'options'>,
  context: PageContext & Pick<UserContext, 'session'>,
  why: string,
): Promise<Response<409>> {
  const { request, session } = context;
  const say = sayIn(request);
  const { name } = session.user;
  const main = html`<p>${say('You are logged in as {name}.', { name })} ${why}</p>
<form method="post" action="${withPair('/logout', 'next', request.target)}"><button>${say('Log out and continue')}</button></form>
<p><a href="${parts.options.home}">${say('Stay logged in as {name}', { name })}</a></p>
`;
  const title = say('You are already logged in');
  const answer = await framedAnswer(parts, context, { page: 'otherAccount', title, main }, 409);
  return withHeader(answer, 'Cache-Control', PRIVATE_PAGE['Cache-Control']);
}
