/** Adds items. The empty form may be filled like the item of the query. */
import { href, itemHref } from '../../links.ts';
import { formHandlers } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import type { Suggestions } from '../facets/suggestions.ts';
import { toItemText } from '../fill-item-form.ts';
import type { Items } from '../item.ts';
import { itemForm } from '../item-form.ts';
import { parseNumber } from '../parse-number.ts';
import { itemFormPage } from './item-form-page.ts';

export function createAddController(items: Items, suggest: () => Promise<Suggestions>) {
  const add = formHandlers(itemForm, {
    name: 'createItem',
    async fill({ request }) {
      const like = parseNumber(request.query.get('like') ?? '');
      const item = like === null ? null : await items.find(like);
      return item === null ? {} : toItemText(item);
    },
    async show({ form, errors, isDraft, ...context }) {
      const suggestions = await suggest();
      return itemFormPage({ viewer: toViewer(context), form, errors, isDraft, suggestions });
    },
    async send({ session, transaction, values: { button, ...input } }) {
      const number = await items.create(transaction, input, session.user.id);
      if (button === 'save') return { path: itemHref(number), message: 'The item was saved.' };
      // The query makes it another page than that of the form which was sent, for Back.
      const path = href('/items/new', {}, { saved: number });
      return { path, message: `“${input.name}” was saved as No. ${number}. Add another.` };
    },
  });
  return { add };
}
