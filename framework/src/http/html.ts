/**
 * HTML that is safe by construction: a value is text and is escaped, unless the tag itself made it. Only
 * `trustedHtml` turns text into markup without escaping it.
 */

import type { Advice } from './advice.ts';
import { findPlaces, type ValuePlace } from './html-places.ts';
import { refuseOpenEnd, refuseValue } from './html-refusals.ts';

/** Values that a template accepts. Lists are joined; null, undefined and false render nothing. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** Only this file can read the template of a value, so that no value can claim to be trusted. */
let templateOf: (value: Html) => readonly string[] | null;

/** Markup that is already escaped. */
export class Html {
  readonly markup: string;
  /** The static text of its template; null for trusted markup. */
  readonly #template: readonly string[] | null;

  constructor(markup: string, template: readonly string[] | null) {
    this.markup = markup;
    this.#template = template;
  }

  toString(): string {
    return this.markup;
  }

  static {
    templateOf = (value) => value.#template;
  }
}

type MakeText = 'Make it text, a number, a list, or markup with the html tag';

/**
 * Builds markup and escapes every value. Throws a TypeError where escaping does not protect: in an attribute without
 * quotes, between attributes, and in names, comments, scripts, style sheets and event attributes. These take only
 * `trustedHtml`; between attributes, also markup such as html` class="${name}"`.
 */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (HtmlValue | Advice<MakeText>)[]
): Html {
  const template = templates.get(strings) ?? scan(strings);
  const parts = template.markup;
  let markup = parts[0] ?? '';
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    // Handled in this loop, which V8 optimizes as one: nearly every value is text or markup.
    if (typeof value === 'string' && !template.checksText) markup += escapeHtml(value);
    else if (value instanceof Html && !template.checksMarkup) markup += value.markup;
    else markup += toCheckedMarkup(template, index, value);
    markup += parts[index + 1];
  }
  return new Html(markup, strings);
}

/** Uses text as markup without escaping it. Never pass text that a user typed. */
export function trustedHtml(markup: string): Html {
  return new Html(markup, null);
}

interface Template {
  readonly strings: readonly string[];
  /** The same markup, in Latin-1 as far as possible. */
  readonly markup: readonly string[];
  readonly places: readonly ValuePlace[];
  /** Whether a value stands where text must be refused. */
  readonly checksText: boolean;
  /** Whether a value stands where some markup must be refused. */
  readonly checksMarkup: boolean;
}

/** Each is scanned once, when it is first used. */
const templates = new WeakMap<readonly string[], Template>();

function scan(strings: readonly string[]): Template {
  const { places, end, markup } = findPlaces(strings, 'text', (text) =>
    text.replace(BEYOND_LATIN, (character) => `&#${character.codePointAt(0)};`),
  );
  if (end !== 'text') throw refuseOpenEnd(strings);
  const checksText = places.some(({ kind }) => kind !== 'text' && kind !== 'quoted');
  const checksMarkup = places.some(({ kind }) => kind !== 'text');
  const template = { strings, markup: markup.map(toLatin), places, checksText, checksMarkup };
  templates.set(strings, template);
  return template;
}

function toCheckedMarkup({ strings, places }: Template, index: number, value: HtmlValue): string {
  const place = places[index];
  if (place === undefined || fits(place, value)) return toMarkup(value);
  throw refuseValue(place, strings, index);
}

function fits(place: ValuePlace, value: HtmlValue): boolean {
  const { kind } = place;
  if (kind === 'text') return true;
  if (Array.isArray(value)) return allFit(place, value);
  if (value instanceof Html) {
    const template = templateOf(value);
    if (template === null) return true;
    if (kind === 'quoted') return !value.markup.includes(place.quote);
    if (kind === 'betweenAttributes') return areAttributes(value.markup, template);
    if (kind !== 'tagName' && kind !== 'behindName') return false;
    return /^([\t\n\f\r ]|$)/.test(value.markup) && areAttributes(value.markup, template);
  }
  const isNothing = value === null || value === undefined || value === false;
  return kind === 'quoted' || (isNothing && kind !== 'unquoted' && kind !== 'attributeName');
}

/** A function within `fits` would be made for each value of each template. */
function allFit(place: ValuePlace, values: readonly HtmlValue[]): boolean {
  for (let index = 0; index < values.length; index++) if (!fits(place, values[index])) return false;
  return true;
}

/** The number of quotes in a template of attributes with their values in quotes; null for any other template. */
const attributes = new WeakMap<readonly string[], number | null>();

/**
 * Whether the markup of a template is attributes with their values in quotes. A quote that is not of the template came
 * with markup in one of its values, and ends the attribute.
 */
function areAttributes(markup: string, strings: readonly string[]): boolean {
  let quotes = attributes.get(strings);
  if (quotes === undefined) {
    const { places, end } = findPlaces(strings, 'betweenAttributes');
    const isTagOpen = end === 'betweenAttributes' || end === 'attributeName' || end === 'afterName';
    const are = isTagOpen && places.every(({ kind }) => kind === 'quoted');
    quotes = are ? countQuotes(strings.join('')) : null;
    attributes.set(strings, quotes);
  }
  return quotes === countQuotes(markup);
}

function countQuotes(markup: string): number {
  let count = 0;
  for (let at = 0; at < markup.length; at++) {
    const code = markup.charCodeAt(at);
    if (code === 0x22 || code === 0x27) count++;
  }
  return count;
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

/**
 * One character beyond Latin-1 makes V8 keep, join and encode a whole page with two bytes a character, which is a third
 * of what a page allocates. Those of typography are often the only ones, so they are written as references.
 */
const SPECIAL = /[&<>"'\u2010-\u2bff]/;
const TYPOGRAPHIC = /[\u2010-\u2bff]/;
const BEYOND_LATIN = /[^\0-\xff]/gu;

/**
 * Escapes the five characters with a meaning in HTML text and quoted attributes, and writes typographic characters
 * (U+2010 to U+2BFF: dashes, curly quotes, arrows) as references.
 */
export function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return TYPOGRAPHIC.test(text) ? escapeTypographic(text) : replaceSpecial(text);
}

/** The words of a site come again on each page, and these take a hundred times as long as others. */
const typographic = new Map<string, string>();
const MAX_TYPOGRAPHIC = 1_000;
/** Characters of a text that is kept. */
const MAX_KEPT = 300;

function escapeTypographic(text: string): string {
  const known = typographic.get(text);
  if (known !== undefined) return known;
  const escaped = toLatin(replaceSpecial(text));
  if (text.length > MAX_KEPT) return escaped;
  if (typographic.size === MAX_TYPOGRAPHIC) typographic.clear();
  typographic.set(text, escaped);
  return escaped;
}

function replaceSpecial(text: string): string {
  let escaped = '';
  let done = 0;
  for (let at = 0; at < text.length; at++) {
    const entity = toEntity(text.charCodeAt(at));
    if (entity === null) continue;
    escaped += text.slice(done, at) + entity;
    done = at + 1;
  }
  return escaped + text.slice(done);
}

/** The same text with one byte a character: parts of a text with two keep two. */
function toLatin(text: string): string {
  return text.search(BEYOND_LATIN) === -1 ? Buffer.from(text, 'latin1').toString('latin1') : text;
}

function toEntity(code: number): string | null {
  switch (code) {
    case 0x26:
      return '&amp;';
    case 0x3c:
      return '&lt;';
    case 0x3e:
      return '&gt;';
    case 0x22:
      return '&quot;';
    case 0x27:
      return '&#39;';
    default:
      return code >= 0x2010 && code <= 0x2bff ? `&#${code};` : null;
  }
}
