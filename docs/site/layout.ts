/** The frame of every page: search, sections, the pages of the section, headings, and the way on. */
import { type Html, html, trustedHtml } from 'seeother';
import type { Heading } from './markdown.ts';
import { type Page, parentOf, SECTIONS, sectionTitle } from './page.ts';

export interface Frame {
  /** In the order of the navigation. */
  readonly pages: readonly Page[];
  readonly base: string;
  /** False for static files, which no server searches. */
  readonly hasSearch: boolean;
}

interface Content {
  readonly title: string;
  readonly body: Html;
  readonly headings?: readonly Heading[];
  /** Of one of the pages; any other is in no section. */
  readonly path?: string;
  /** What was searched for. */
  readonly query?: string;
}

const CURRENT = trustedHtml(' aria-current="page"');

export function layout(frame: Frame, content: Content): Html {
  const { pages, base, hasSearch } = frame;
  const { title, body, headings = [], path = '/', query = '' } = content;
  const section = `/${path.split('/')[1]}/`;
  const inSection = pages.filter((page) => page.path.startsWith(section));
  const sections = SECTIONS.filter((name) => pages.some((page) => page.path === `/${name}/`));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === 'Seeother' ? title : `${title} – Seeother`}</title>
<link rel="stylesheet" href="${base}/styles.css">
</head>
<body>
<a class="skip-link" href="#main">Skip to the content</a>
<header>
<a class="site-name" href="${base}/">Seeother</a>
${hasSearch ? searchForm(base, query) : null}
<nav aria-label="Sections">
<ul>
${sections.map((name) => html`<li><a href="${base}/${name}/"${section === `/${name}/` ? trustedHtml(' aria-current="true"') : null}>${sectionTitle(name)}</a></li>\n`)}</ul>
</nav>
</header>
<div class="columns">
${inSection.length < 2 ? null : sectionPages(inSection, section, path, base)}
${headings.length < 2 ? null : onThisPage(headings)}
<main id="main" tabindex="-1">
<h1>${title}</h1>
${body}
${wayOn(inSection, path, base)}
</main>
</div>
</body>
</html>
`;
}

function searchForm(base: string, query: string): Html {
  return html`<form class="search" role="search" action="${base}/search">
<input name="q" type="search" value="${query}" aria-label="Words to search for" autocomplete="off">
<button>Search</button>
</form>`;
}

/** The pages right below the section, and those below the current one. */
function sectionPages(pages: readonly Page[], section: string, path: string, base: string): Html {
  const listBelow = (parent: string): Html | null => {
    const below = pages.filter((page) => page.path !== parent && parentOf(page.path) === parent);
    if (below.length === 0) return null;
    return html`<ul>
${below.map((page) => html`<li><a href="${base}${page.path}"${page.path === path ? CURRENT : null}>${page.title}</a>${path.startsWith(page.path) ? listBelow(page.path) : null}</li>\n`)}</ul>`;
  };
  return html`<nav class="pages" aria-label="Pages of this section">
<details>
<summary>${pages[0]?.title}</summary>
${listBelow(section)}
</details>
</nav>`;
}

function onThisPage(headings: readonly Heading[]): Html {
  return html`<nav class="headings" aria-label="On this page">
<details>
<summary>On this page</summary>
<ul>
${headings.map(({ level, id, text }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>\n`)}</ul>
</details>
</nav>`;
}

function wayOn(pages: readonly Page[], path: string, base: string): Html | null {
  const at = pages.findIndex((page) => page.path === path);
  const previous = pages[at - 1];
  const next = at === -1 ? undefined : pages[at + 1];
  if (previous === undefined && next === undefined) return null;
  return html`<nav class="way-on" aria-label="Previous and next page">
${previous && html`<a rel="prev" href="${base}${previous.path}">${previous.title}</a>`}
${next && html`<a rel="next" href="${base}${next.path}">${next.title}</a>`}
</nav>`;
}
