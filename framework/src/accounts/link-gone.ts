/** Pages behind a link of a mail: its token is in the address, which nothing else may get. */
import { html } from '../http/html.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import { framedAnswer } from './frame.ts';
import { sayIn } from './say.ts';

/** Headers of such a page with a password, which is in no cache by itself: other sites do not get its address. */
export const PASSWORD_TOKEN_PAGE = { 'Referrer-Policy': 'strict-origin' };
/** The same for others. */
export const TOKEN_PAGE = { 'Referrer-Policy': 'strict-origin', 'Cache-Control': 'no-store' };

/** The token in the query, without the punctuation that was copied with it. Empty without one. */
export function readToken({ query }: Pick<Request, 'query'>): string {
  return (query.get('token') ?? '').replace(/[^\w-]+$/, '');
}

/** The same for each link that does not work: it does not say which ones were once valid. */
export function showLinkGone(parts: AccountParts, context: PageContext): Promise<Response<404>> {
  const say = sayIn(context.request);
  const main = html`<p>${say('Nothing was changed. The link was used already, has expired, was replaced by a newer one, or is incomplete.')}</p>
<p><a href="/login">${say('Log in')}</a></p>
`;
  const title = say('This link does not work');
  return framedAnswer(parts, context, { page: 'linkGone', title, main }, 404);
}
