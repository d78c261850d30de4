/**
 * Every address of the application, by the name of the route that serves it. A link to another one
 * does not compile, and links.types.test.ts holds the names against the routes of router.ts.
 */
import { createLinks } from 'seeother';

export type RouteName =
  | 'GET /'
  | 'GET /items'
  | 'GET /items/new'
  | 'POST /items'
  | 'GET /items/:number(\\d+)'
  | 'GET /register'
  | 'POST /register'
  | 'GET /login'
  | 'POST /login'
  | 'POST /logout'
  | 'GET /forget.css'
  | 'POST /draft/discard'
  | 'GET /account'
  | 'POST /account/password'
  | 'POST /account/sessions/end'
  | 'POST /account/sessions/end-others'
  | 'POST /account/invitations'
  | 'POST /account/invitations/withdraw'
  | 'GET /healthz'
  | 'GET /readyz';

export const { href, action } = createLinks<RouteName>();

/** The page of an item. */
export function itemHref(number: number) {
  return href('/items/:number(\\d+)', { number });
}

/** What the address of a list can say; an empty text says nothing. */
export interface ListAddress {
  readonly search?: string;
  readonly tag?: string;
  readonly location?: string;
  readonly order?: string;
}

/** The list of what is selected; its first page when none is named. Defaults are left out. */
export function listHref({ search, tag, location, order }: ListAddress, page?: number) {
  return href(
    '/items',
    {},
    {
      q: search || undefined,
      tag: tag || undefined,
      location: location || undefined,
      sort: order === 'newest' ? undefined : order,
      page,
    },
  );
}
