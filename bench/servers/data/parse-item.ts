/** Validates the item form as the application does, with the same limits for all contenders. */

export interface ItemInput {
  readonly name: string;
  readonly description: string;
  readonly quantity: number;
  readonly location: string;
  readonly tags: readonly string[];
}

export type ParsedItem =
  | { readonly input: ItemInput; readonly errors: null }
  | { readonly input: null; readonly errors: readonly string[] };

/**
 * `fields` is what a form parser has made of the body: usually texts, something else for a field that
 * came twice.
 */
export function parseItem(fields: unknown): ParsedItem {
  const errors: string[] = [];
  const text = (name: string, label: string, longest: number) => {
    const plain = textOf(fields, name).replaceAll('\r\n', '\n').normalize().trim();
    if (plain.length > longest) errors.push(`${label} must be ${longest} characters or fewer`);
    if (plain.includes('\0')) errors.push(`${label} has a character that cannot be stored`);
    return plain;
  };
  const name = text('name', 'Name', 120);
  if (name === '') errors.push('Enter a name');
  const description = text('description', 'Description', 10_000);
  const quantity = text('quantity', 'Quantity', 20) || '1';
  if (!/^\d+$/.test(quantity) || Number(quantity) > 1_000_000) {
    errors.push('Quantity must be a whole number from 0 to 1,000,000');
  }
  const location = text('location', 'Location', 120);
  const tags = text('tags', 'Tags', 1_000)
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  if (tags.length > 20) errors.push('Enter 20 tags or fewer');
  if (tags.some((tag) => tag.length > 40)) errors.push('A tag must be 40 characters or fewer');
  if (errors.length > 0) return { input: null, errors };
  return { input: { name, description, quantity: Number(quantity), location, tags }, errors: null };
}

/** A field that is missing or came more than once counts as empty. */
export function textOf(fields: unknown, name: string): string {
  const value = (fields as Readonly<Record<string, unknown>> | undefined)?.[name];
  return typeof value === 'string' ? value : '';
}
