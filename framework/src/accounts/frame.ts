/** How a page of accounts is drawn: in the layout of the site, or by its own function for this page. */
import type { Fields, FilledForm } from '../form/define-form.ts';
import { errorSummary, formField, formTag } from '../form/form-markup.ts';
import type { Awaitable } from '../http/awaitable.ts';
import { type Href, localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import type { ErrorStatus } from '../http/http-error.ts';
import { toLocalPath } from '../http/local-path.ts';
import type { Request } from '../http/request.ts';
import { page, type Response } from '../http/response.ts';
import type { ShownForm } from '../site/form-handlers.ts';
import { drawForm } from '../site/form-page.ts';
import type { AccountUser, Duty } from './account.ts';
import type { AccountPage, ShownPerson } from './account-options.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import { DUTIES } from './guards.ts';
import { sayIn } from './say.ts';

export interface Framed {
  readonly page: AccountPage;
  readonly title: string;
  readonly main: Html;
  readonly formHtml?: Html;
  readonly person?: ShownPerson;
}

export function frame(
  { options }: Pick<AccountParts, 'options'>,
  context: PageContext,
  { page, title, main, formHtml, person }: Framed,
): Awaitable<Html> {
  const own = options.pages?.[page];
  return own === undefined
    ? options.layout(title, main, context)
    : own({ ...context, title, main, formHtml: formHtml ?? null, person: person ?? null });
}

/** A page without a form that answers with an error, such as that of a link that has expired. */
export async function framedAnswer<Status extends ErrorStatus | 200>(
  parts: Pick<AccountParts, 'options'>,
  context: PageContext,
  framed: Framed,
  status: Status,
): Promise<Response<Status>> {
  return page(await frame(parts, context, framed), status);
}

/** Headers of a page with secrets or sessions: no cache keeps it. */
export const PRIVATE_PAGE = { 'Cache-Control': 'no-store' };

/** The end of each page below the account. */
export function linkToAccount(request: Request): Html {
  return html`<p class="back"><a href="/account">${sayIn(request)('Your account')}</a></p>\n`;
}

/** Why a user is led to the page of a duty; null for others, who are there by their own choice. */
export function drawDuty(request: Request, user: AccountUser, duty: Duty): Html | null {
  return user.must === duty ? html`<p>${sayIn(request)(DUTIES[duty].why)}</p>\n` : null;
}

/** Where the page of a duty leads, when it is done: `next` of the query, if it is a page of this site. */
export function pathAfterDuty({ query }: Pick<Request, 'query'>, otherwise: string): Href {
  return toLocalPath(query.get('next')) ?? localPath(otherwise);
}

/** The form with the cursor in a field, unless the page says something first. */
export function focusOn<F extends Fields>(
  { flash, form, isSent }: Pick<PageContext, 'flash'> & Pick<ShownForm<F>, 'form' | 'isSent'>,
  field: keyof F & string,
  button: string,
): Html {
  const shown = isSent || flash !== null ? form : { ...form, focus: field };
  return drawForm(shown, html`<button>${button}</button>\n`);
}

/** The form with the name of its account, for password managers: it is hidden, and not sent. */
export function nameAccount<F extends Fields>(
  form: FilledForm<F>,
  username: string,
  button: string,
): Html {
  const fields = Array.from(form, (part) => html`${formField(form, part)}\n`);
  return html`${errorSummary(form)}${formTag(form, html`<input type="text" value="${username}" autocomplete="username" hidden>\n${fields}<button>${button}</button>\n`)}`;
}

/** A form without fields whose button cannot be undone. */
export function drawDanger(form: FilledForm<Fields>, label: string): Html {
  return html`${errorSummary(form)}${formTag(form, html`<button class="danger">${label}</button>\n`)}`;
}
