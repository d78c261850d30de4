/** Adds items. With `?like=7`, the form is filled with the fields of item 7. */
import { andThen } from 'seeother/middleware';
import { href, itemHref } from '../../links.ts';
import { formHandlers } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import type { Suggest } from '../facets/suggestions.ts';
import type { Items } from '../item.ts';
import { itemForm, toItemText } from '../item-form.ts';
import { parseNumber } from '../parse-number.ts';
import { itemFormPage } from './item-form-page.ts';

export function createAddController(items: Items, suggest: Suggest) {
  const add = formHandlers(itemForm, {
    name: 'createItem',
    page: '/items/new',
    fill({ request }) {
      const like = parseNumber(request.query.get('like') ?? '');
      if (like === null) return {};
      return items.find(like).then((item) => (item === null ? {} : toItemText(item)));
    },
    show: ({ form, errors, isDraft, ...context }) =>
      andThen(suggest(), (suggestions) =>
        itemFormPage({ viewer: toViewer(context), form, errors, isDraft, suggestions }),
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
