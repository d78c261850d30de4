/** Every address of the application, by the route that serves it: a link to nothing does not compile. */
import { createLinks } from 'seeother';
import type { createApplication } from './router.ts';

export const { href, action } = createLinks<ReturnType<typeof createApplication>>();

/** The page of an item. */
export function itemHref(number: number) {
  return href('/items/:number(\\d+)', { number });
}
