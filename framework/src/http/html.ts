/**
 * HTML that is safe by construction: the `html` tag escapes every value in a template, unless the tag
 * itself made the value. Attribute values must be in double quotes. Only `trustedHtml` turns text into
 * markup without escaping it.
 */

import type { Advice } from './advice.ts';

/** Values that a template accepts. Lists are joined; null, undefined and false render nothing. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** Markup that is already escaped. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }

  toString(): string {
    return this.markup;
  }
}

type MakeText = 'Make it text, a number, a list, or markup with the html tag';

/** Builds markup and escapes every value. */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (HtmlValue | Advice<MakeText>)[]
): Html {
  let markup = strings[0] ?? '';
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    // Handled in this loop, which V8 optimizes as one: nearly every value is text or markup.
    if (typeof value === 'string') markup += escapeHtml(value);
    else if (value instanceof Html) markup += value.markup;
    else markup += toMarkup(value);
    markup += strings[index + 1];
  }
  return new Html(markup);
}

/** Uses text as markup without escaping it. Never pass text that a user typed. */
export function trustedHtml(markup: string): Html {
  return new Html(markup);
}

function toMarkup(value: HtmlValue): string {
  if (typeof value === 'string') return escapeHtml(value);
  if (value instanceof Html) return value.markup;
  if (typeof value === 'number') return String(value);
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return joinMarkup(value);
  throw unknownValue(value);
}

function joinMarkup(values: readonly HtmlValue[]): string {
  let markup = '';
  for (let index = 0; index < values.length; index++) markup += toMarkup(values[index]);
  return markup;
}

function unknownValue(value: unknown): TypeError {
  const what = typeof value === 'object' ? 'an object' : `the ${typeof value} ${String(value)}`;
  return new TypeError(
    `Cannot put ${what} into HTML: pass text, a number, a list, or a value made by the html tag.`,
  );
}

const SPECIAL = /[&<>"']/;

/** Escapes the five characters with a meaning in HTML text and quoted attributes. */
export function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
