/** The text of an item in the fields of a form. */
import type { ItemInput } from './item-rows.ts';

export function toItemText(item: ItemInput) {
  const { name, description, location } = item;
  const quantity = String(item.quantity);
  const minimum = String(item.minimum ?? '');
  return { name, description, quantity, minimum, location, tags: item.tags.join(', ') };
}
