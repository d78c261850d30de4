/**
 * Loaded before the application: makes it another version of itself, in which the form of a new item has the field
 * `colour`, in the middle. Nothing else differs.
 */
import { registerHooks } from 'node:module';

const BEFORE = "  description: textField({ label: 'Description'";
const FIELD = "  colour: textField({ label: 'Colour', maxLength: 40 }),\n";

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/application/items/item-form.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(BEFORE)) throw new Error(`Cannot add a field: ${url} lacks ${BEFORE}`);
    return { ...loaded, source: source.replace(BEFORE, `${FIELD}${BEFORE}`) };
  },
});
