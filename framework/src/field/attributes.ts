/** The attributes of a control as markup. */
import { escapeHtml, type Html, trustedHtml } from '../http/html.ts';

/** `false` omits the attribute; `true` writes it without a value. */
export type Attributes = Readonly<Record<string, string | boolean>>;

/** Markup for a template, with a space before each attribute: html`<input${writeAttributes({ name })}>`. */
export function writeAttributes(attributes: Attributes): Html {
  let markup = '';
  for (const name of Object.keys(attributes)) {
    const value = attributes[name] ?? false;
    if (value === true) markup += ` ${name}`;
    else if (value !== false) markup += ` ${name}="${escapeHtml(value)}"`;
  }
  return trustedHtml(markup);
}
