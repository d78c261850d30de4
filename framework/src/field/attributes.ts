/** The attributes of a control as markup. */
import { escapeHtml, type Html, trustedHtml } from '../http/html.ts';

/** `false` omits the attribute; `true` writes it without a value. */
export type Attributes = Readonly<Record<string, string | boolean>>;

/** Markup for a template, with a space before each attribute: html`<input${writeAttributes({ name })}>`. */
export function writeAttributes(attributes: Attributes): Html {
  let markup = '';
  const names = Object.keys(attributes);
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string;
    const value = attributes[name];
    if (value === true) markup += ` ${name}`;
    else if (typeof value === 'string') markup += `${openAttribute(name)}${escapeHtml(value)}"`;
  }
  return trustedHtml(markup);
}

/** The names of attributes come again on each page: what stands before their values is joined once. */
const opened = new Map<string, string>();
const MAX_OPENED = 1_000;

function openAttribute(name: string): string {
  const known = opened.get(name);
  if (known !== undefined) return known;
  const markup = ` ${name}="`;
  // Attributes with the names of something else, such as an item, are not kept without an end.
  if (opened.size < MAX_OPENED) opened.set(name, markup);
  return markup;
}
