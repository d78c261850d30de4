/** Every address of the application, by the route that serves it: a link to nothing does not compile. */
import { createLinks } from 'seeother';
import type { Selection } from './models/item-list.ts';
import type { createApplication } from './router.ts';

export const { href, action } = createLinks<ReturnType<typeof createApplication>>();

/** The page of an item. */
export function itemHref(number: number) {
  return href('/items/:number(\\d+)', { number });
}

/** The list of what is selected; its first page when none is named. What goes without saying is left out. */
export function listHref({ search, tag, location, order }: Partial<Selection>, page?: number) {
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
