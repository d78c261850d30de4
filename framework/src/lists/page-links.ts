/**
 * The links between the pages of a list, as data and as a `<nav>`. A link that leads to the same page as the one beside
 * it is left out of the `<nav>`: on the second page, *Previous* is the first.
 */
import {
  checkOptions,
  FLAG,
  FUNCTION,
  needed,
  OBJECT,
  type OptionKinds,
  or,
  WHOLE_NUMBER,
} from '../http/check-options.ts';
import type { Href } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import type { Words } from '../language/words.ts';

/** Texts of your own for the links, such as `{ nextPage: 'Older' }`. */
export type PageWords = Partial<
  Pick<Words, 'pages' | 'firstPage' | 'previousPage' | 'nextPage' | 'lastPage' | 'pageOf'>
>;

export interface PageLinks {
  /** Null on the first page, as is `prev`. */
  readonly first: Href | null;
  readonly prev: Href | null;
  /** Null on the last page, as is `last`. */
  readonly next: Href | null;
  /** Also null if it is not known which page is the last. */
  readonly last: Href | null;
  /** Null if there is no other page. */
  readonly nav: Html | null;
}

interface PageLinksOptions {
  /** From 1. */
  readonly page: number;
  /** Null if it is not known. */
  readonly pageCount: number | null;
  /** Whether there is a further page, if `pageCount` is not known. */
  readonly hasNext?: boolean;
  readonly href: (page: number) => Href;
  /** English by default. */
  readonly language?: Language;
  readonly words?: PageWords;
}

const LINKS_KINDS = {
  page: needed(WHOLE_NUMBER, '1'),
  pageCount: or(WHOLE_NUMBER, null),
  hasNext: FLAG,
  href: needed(FUNCTION),
  language: OBJECT,
  words: OBJECT,
} satisfies OptionKinds<PageLinksOptions>;

/** The links of a list that is read elsewhere. `paginate` reads the list too. */
export function pageLinks(options: PageLinksOptions): PageLinks {
  checkOptions('pageLinks', options, LINKS_KINDS);
  const { page, pageCount, href, language = english, words } = options;
  const { hasNext = pageCount !== null && page < pageCount } = options;
  const links = {
    first: page > 1 ? href(1) : null,
    prev: page > 1 ? href(page - 1) : null,
    next: hasNext ? href(page + 1) : null,
    last: hasNext && pageCount !== null ? href(pageCount) : null,
  };
  return { ...links, nav: drawLinks(links, { page, pageCount }, language, words) };
}

/** `current` is null for a page without a number. */
export function drawLinks(
  { first, prev, next, last }: Omit<PageLinks, 'nav'>,
  current: Pick<PageLinksOptions, 'page' | 'pageCount'> | null,
  language: Language,
  own: PageWords = {},
): Html | null {
  if (prev === null && next === null) return null;
  const say = <Name extends keyof PageWords>(name: Name): Words[Name] =>
    own[name] ?? language.words[name];
  const item = (content: Html) => html`<li>${content}</li>\n`;
  const link = (href: Href | null, rel: Html | null, text: string) =>
    href === null ? null : item(html`<a${rel} href="${href}">${text}</a>`);
  return html`<nav class="pages" aria-label="${say('pages')}">
<ul>
${first === prev ? null : link(first, null, say('firstPage'))}${link(prev, html` rel="prev"`, say('previousPage'))}${
  current === null
    ? null
    : item(html`<span aria-current="page">${say('pageOf')(current.page, current.pageCount)}</span>`)
}${link(next, html` rel="next"`, say('nextPage'))}${last === next ? null : link(last, null, say('lastPage'))}</ul>
</nav>`;
}
