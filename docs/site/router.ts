/** The site of the documents: a route for each page, and the search. */
import { join } from 'node:path';
import {
  createMemoryStores,
  createSite,
  cutText,
  type Html,
  html,
  loadFiles,
  type Response,
  page as toResponse,
} from 'seeother';
import { type Frame, layout } from './layout.ts';
import { type Page, parentOf } from './page.ts';
import type { Match, Search } from './search.ts';

interface Documents {
  readonly pages: readonly Page[];
  /** The path that the site is served under; empty for none. */
  readonly base?: string;
  readonly search?: Search;
  /** Plain texts by path; see `readTexts`. */
  readonly texts?: ReadonlyMap<string, string>;
}

/** Without a search, no page offers it. */
export function createDocuments({ pages, base = '', search, texts = new Map() }: Documents) {
  const frame: Frame = { pages, base, hasSearch: search !== undefined };
  const files = loadFiles(join(import.meta.dirname, 'public'), base);
  const site = createSite(createMemoryStores(), {
    base,
    files,
    log: false,
    session: false,
    async notFound({ request }) {
      const name = request.path.replace(/(?:\.\w+|\/+)$/, '').replace(/^.*\//, '');
      const matches = (await search?.find(name)) ?? [];
      const body = html`<p>There is no page at this address.</p>
${matches.length === 0 ? null : html`<p>Did you look for one of these?</p>\n${listMatches(frame, matches)}`}
<p>The <a href="${base}/">start page</a> lists all documents.</p>`;
      return toResponse(layout(frame, { title: 'Page not found', body }), 404);
    },
  });
  for (const page of pages) {
    site.get(page.path, () => toResponse(layout(frame, page)));
    // As static hosts do.
    if (page.path !== '/') site.get(page.path.slice(0, -1), () => redirect(base + page.path));
  }
  for (const [path, text] of texts) site.get(path, () => toText(text));
  if (search === undefined) return site;
  return site.get('/search', async ({ request }) => {
    const query = cutText(request.query.get('q') ?? '', 200).replaceAll(/\p{Cc}/gu, ' ');
    const body = describeMatches(frame, query, await search.find(query));
    return toResponse(layout(frame, { title: 'Search', body, query }));
  });
}

function redirect(path: string): Response {
  return { status: 301, headers: { Location: path }, body: null };
}

function toText(body: string): Response {
  return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body };
}

function describeMatches(frame: Frame, query: string, matches: readonly Match[]): Html {
  if (matches.length > 0) return listMatches(frame, matches);
  const advice = html`<p>Try a name such as <code>formPage</code>, or a word such as <em>upload</em>. The
<a href="${frame.base}/">start page</a> lists all documents.</p>`;
  return query.trim() === ''
    ? html`<p>Type what you look for.</p>\n${advice}`
    : html`<p role="status">No page has a word of “${query}”.</p>\n${advice}`;
}

function listMatches({ pages, base }: Frame, matches: readonly Match[]): Html {
  const titles = new Map(pages.map(({ path, title }) => [path, title]));
  return html`<ol class="matches">
${matches.map(
  ({ path, excerpt }) => html`<li><a href="${base}${path}">${titles.get(path)}</a>
<small>${titles.get(parentOf(path))}</small>
<p>${excerpt.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : text))}</p></li>\n`,
)}</ol>`;
}
