/** The text of an item in the fields of a form. */
import type { ItemInput } from './item-rows.ts';

export function toItemText({ name, description, quantity, location, tags }: ItemInput) {
  return { name, description, quantity: String(quantity), location, tags: tags.join(', ') };
}
