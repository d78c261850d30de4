/** How a page of accounts is drawn: in the layout of the site, or by its own function for this page. */
import type { Html } from '../http/html.ts';
import type { ErrorStatus } from '../http/http-error.ts';
import { page, type Response } from '../http/response.ts';
import type { AccountPage } from './account-options.ts';
import type { AccountParts, PageContext } from './account-parts.ts';

export interface Framed {
  readonly page: AccountPage;
  readonly title: string;
  readonly main: Html;
  readonly formHtml?: Html;
}

export function frame(
  { options }: Pick<AccountParts, 'options'>,
  context: PageContext,
  { page, title, main, formHtml }: Framed,
): Html {
  const own = options.pages?.[page];
  return own === undefined
    ? options.layout(title, main, context)
    : own({ ...context, title, main, formHtml: formHtml ?? null });
}

/** A page without a form that answers with an error, such as that of a link that has expired. */
export function framedAnswer<Status extends ErrorStatus | 200>(
  parts: Pick<AccountParts, 'options'>,
  context: PageContext,
  framed: Framed,
  status: Status,
): Response<Status> {
  return page(frame(parts, context, framed), status);
}
