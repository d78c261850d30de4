/** Adds items. `?like=7` fills the form with the fields of item 7, `?saved=7` with its place and tags. */
import { andThen } from 'seeother/middleware';
import { href, itemHref } from '../../links.ts';
import { formHandlers } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import type { Suggest } from '../facets/suggestions.ts';
import type { Items } from '../item.ts';
import { fillLike, itemForm } from '../item-form.ts';
import { itemFormPage } from './item-form-page.ts';

export function createAddController(items: Items, suggest: Suggest) {
  const add = formHandlers(itemForm, {
    name: 'createItem',
    page: '/items/new',
    fill: ({ request: { query } }) =>
      fillLike(items, query, 'like') ?? fillLike(items, query, 'saved') ?? {},
    show: ({ form, isDraft, ...context }) =>
      andThen(suggest(), (suggestions) =>
        itemFormPage({ viewer: toViewer(context), context, form, isDraft, suggestions }),
      ),
    async send({ session, transaction, values: { button, ...input } }) {
      const number = await items.add(transaction, input, session.user.id);
      if (button === 'save') return { path: itemHref(number), message: 'The item was saved.' };
      // With the address of the sent form, the empty form would replace it in the browser's cache, which Back needs.
      const path = href('/items/new', {}, { saved: number });
      return { path, message: `“${input.name}” was saved as No. ${number}. Add another.` };
    },
  });
  return { add };
}
