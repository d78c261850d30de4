/**
 * Search over the text of the pages, with SQLite's FTS5 in a file that lives as long as the site. A query is
 * reduced to its words, so nothing in it is syntax: quotes, stars and operators are ignored.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from 'seeother/database';
import { openSqlite } from 'seeother/sqlite';
import { toText } from './markdown.ts';
import { type Page, parentOf } from './page.ts';

export interface Match {
  readonly path: string;
  /** Text, and the words of the query in it. */
  readonly excerpt: readonly { readonly text: string; readonly isMatch: boolean }[];
}

export interface Search {
  /** The best matches first; empty for a query without a word. */
  readonly find: (query: string) => Promise<readonly Match[]>;
  readonly close: () => Promise<void>;
}

const MAX_WORDS = 8;
const MAX_MATCHES = 20;
/**
 * Of path, title, headings, text and code. Guides and recipes say how, so they count more than decisions and security,
 * which say why, than the reference, and than the table of words, which leads to them. A name of an export of two
 * words, such as `moneyField`, means its page there.
 */
const RANK = `bm25(pages, 0, 12, 4, 1, 0.2) *
  case when path like '/guides/%' or path like '/recipes/%' then 1
  when path like '/reference/%' or path like '/decisions/%' or path like '/security/%' then 0.4
  when path = '/coming-from/words/' then 0.36 when path like '/coming-from/%' then 0.3
  when path like '/application/%' then 0.4 else 0.6 end`;
/** Stands before and after a match; no page contains it. */
const MARK = '\u0002';

export async function openSearch(pages: readonly Page[]): Promise<Search> {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-search-'));
  const database = await openSqlite(join(folder, 'search.db'), {
    migrate: (connection) => fill(connection, pages),
  });
  return {
    async find(query) {
      const words =
        query
          .slice(0, 1_000)
          .match(/[\p{L}\p{N}]+/gu)
          ?.slice(0, MAX_WORDS) ?? [];
      if (words.length === 0) return [];
      const quoted = words.map((word) => `"${word}"`);
      // All words; all, the last one unfinished; then, rather than nothing, any of them.
      const all = await select(database.read, quoted.join(' '));
      const begun = await select(database.read, `${quoted.join(' ')}*`);
      const found = new Map([...all, ...begun].map((match) => [match.path, match]));
      if (found.size === 0) return select(database.read, quoted.join(' OR '));
      return [...found.values()].slice(0, MAX_MATCHES);
    },
    async close() {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function fill({ run }: Connection, pages: readonly Page[]): Promise<void> {
  await run(
    `create virtual table pages
     using fts5 (path unindexed, title, headings, text, code, tokenize = 'porter unicode61')`,
  );
  await run('begin');
  for (const { path, title, body } of pages) {
    // The page of a section would be found for every word of its list.
    if (pages.some((page) => page.path !== path && parentOf(page.path) === path)) continue;
    const code = body.markup.match(/<pre[\s\S]*?<\/pre>/g)?.join('\n') ?? '';
    // What a name of the reference stands with is found under its own name.
    const [own = ''] = body.markup.split(/<h2 id="(?:types|used-in)">/);
    await run('insert into pages values (?, ?, ?, ?, ?)', [
      path,
      title,
      own
        .match(/<h\d[\s\S]*?<\/h\d>/g)
        ?.map(toText)
        .join('\n') ?? '',
      toText(own.replaceAll(/<pre[\s\S]*?<\/pre>/g, '')),
      toText(code),
    ]);
  }
  await run('commit');
}

async function select({ run }: Connection, query: string): Promise<readonly Match[]> {
  const { rows } = await run<{ path: string; text: string; code: string }>(
    `select path, snippet(pages, 3, ?, ?, '…', 30) as text, snippet(pages, 4, ?, ?, '…', 20) as code
     from pages where pages match ?
     order by (title glob '*[a-z][A-Z]*' and '"' || title || '"' = ?) desc, ${RANK} limit ?`,
    [MARK, MARK, MARK, MARK, query, query, MAX_MATCHES],
  );
  return rows.map(({ path, text, code }) => ({
    path,
    excerpt: (code.includes(MARK) && !text.includes(MARK) ? code : text)
      .split(MARK)
      .map((part, index) => ({ text: part, isMatch: index % 2 === 1 })),
  }));
}
