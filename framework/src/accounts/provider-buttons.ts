/** The buttons that begin a company's sign-in: forms, so that no other site can begin one. */
import { localPath, withQuery } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import type { AccountProvider } from './account-options.ts';
import type { AccountParts } from './account-parts.ts';
import { type Asked, withNext } from './log-in.ts';
import type { Say } from './say.ts';

/** A literal, so that the routes have a type; each provider has its own. */
export function pathOf({ id }: Pick<AccountProvider, 'id'>) {
  return `/login/with/${id}` as '/login/with/company';
}

/** The buttons of all providers. `query` is added to the address of each. */
export function drawProviderButtons(
  { options }: Pick<AccountParts, 'options'>,
  say: Say,
  asked: Asked,
  query: string | null,
): Html {
  const to = (provider: AccountProvider) => {
    const path = withNext(asked, pathOf(provider));
    return query === null ? path : localPath(withQuery(path, query));
  };
  return html`${options.providers.map((provider) => html`<form method="post" action="${to(provider)}"><button class="quiet">${say('Log in with {provider}', { provider: provider.name })}</button></form>\n`)}`;
}
