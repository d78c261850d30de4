/**
 * Loaded before the application: makes it another version of itself, in which the form of a new item has the field
 * `colour`, before its buttons. Nothing else differs.
 */
import { registerHooks } from 'node:module';

const CHANGES = [
  ['import { buttonField }', 'import { buttonField, textField }'],
  ['  button: ', "  colour: textField({ label: 'Colour', maxLength: 40 }),\n  button: "],
] as const;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/application/items/item-form.ts')) return loaded;
    const source = CHANGES.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`Cannot add a field: ${url} lacks ${from}`);
      return text.replace(from, to);
    }, String(loaded.source));
    return { ...loaded, source };
  },
});
