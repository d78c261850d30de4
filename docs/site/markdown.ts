/**
 * Markdown to the HTML of a page. Nothing in a document becomes markup but Markdown: HTML in it is shown as
 * text. Headings get the ids that GitHub gives them, so a link to one holds in both places.
 */
import { Marked, Renderer, type Tokens } from 'marked';
import { type Html, html, trustedHtml } from 'seeother';
import { highlight } from './highlight.ts';

export interface Article {
  readonly title: string;
  /** Without the title. */
  readonly body: Html;
  readonly headings: readonly Heading[];
}

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** Addresses on the site; undefined for what has none, which is shown without a link. */
export interface Addresses {
  /** Of the target of a link, such as `forms.md`. */
  readonly ofFile: (target: string) => string | undefined;
  /** Of a name that this entry of the framework exports, or any. */
  readonly ofName: (name: string, entry?: string) => string | undefined;
  /** Of a type in a signature. */
  readonly ofType: (name: string) => string | undefined;
}

const WRAPPED = trustedHtml(' class="signature"');
/** The keyboard reaches what may have to be scrolled. */
const SCROLLED = trustedHtml(' tabindex="0"');

export function renderMarkdown(markdown: string, addresses: Addresses): Article {
  let title = '';
  const headings: Heading[] = [];
  const renderer = new Renderer();
  const renderTable = renderer.table;

  renderer.heading = function ({ tokens, depth }: Tokens.Heading) {
    const content = withoutLinks(this.parser.parseInline(tokens));
    const text = toText(content);
    if (depth === 1) {
      title = text;
      return '';
    }
    const id = uniqueId(text, headings);
    headings.push({ level: depth, id, text });
    return `<h${depth} id="${id}"><a href="#${id}">${content}</a></h${depth}>\n`;
  };
  renderer.code = ({ text, lang = '' }: Tokens.Code) => {
    const [, file] = /title="([^"]*)"/.exec(lang) ?? [];
    const code = html`<pre${lang === 'signature' ? WRAPPED : SCROLLED}><code>${renderCode(text, lang, addresses)}</code></pre>`;
    return `${file ? html`<figure><figcaption>${file}</figcaption>${code}</figure>` : code}\n`;
  };
  renderer.codespan = ({ text }: Tokens.Codespan) => {
    // A name of one word may stand for anything.
    const address = /^\w*[a-z][A-Z]\w*$/.test(text) ? addresses.ofName(text) : undefined;
    return toAnchor(address, `${html`<code>${text}</code>`}`);
  };
  renderer.link = function ({ href, tokens }: Tokens.Link) {
    const isElsewhere = /^(?:#|https?:)/.test(href);
    return toAnchor(
      isElsewhere ? href : addresses.ofFile(href),
      withoutLinks(this.parser.parseInline(tokens)),
    );
  };
  renderer.image = ({ href, text }: Tokens.Image) =>
    `${html`<img src="${addresses.ofFile(href) ?? href}" alt="${text}">`}`;
  renderer.html = ({ text }: Tokens.HTML | Tokens.Tag) => `${html`${text}`}`;
  renderer.table = function (token) {
    return `<div class="table" tabindex="0">${renderTable.call(this, token)}</div>\n`;
  };

  const markup = new Marked({ renderer }).parse(markdown, { async: false });
  return { title, body: trustedHtml(markup), headings };
}

/** In an example, the names that it imports from the framework lead to the reference. */
function renderCode(code: string, language: string, { ofName, ofType }: Addresses): Html {
  if (language === 'signature') return highlight(code, ofType);
  if (/^diff\b/.test(language)) return html`${code.split(/^/m).map(markChange)}`;
  if (!/^[jt]s\b/.test(language)) return html`${code}`;
  const [first = '', ...rest] = code.split(/^(import [^;]*? from 'seeother[^']*';)$/m);
  const parts = rest.map((text) => {
    const entry = /^import .*'([^']*)';$/s.exec(text)?.[1];
    return highlight(text, entry === undefined ? undefined : (name) => ofName(name, entry));
  });
  return html`${highlight(first)}${parts}`;
}

function markChange(line: string): Html {
  if (line.startsWith('+')) return html`<ins>${line}</ins>`;
  return line.startsWith('-') ? html`<del>${line}</del>` : html`${line}`;
}

function toAnchor(address: string | undefined, content: string): string {
  return address === undefined
    ? content
    : `${html`<a href="${address}">${trustedHtml(content)}</a>`}`;
}

/** Links do not nest. */
function withoutLinks(markup: string): string {
  return markup.replaceAll(/<\/?a\b[^>]*>/g, '');
}

function uniqueId(text: string, taken: readonly Heading[]): string {
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
  for (let count = 0; ; count++) {
    const candidate = count === 0 ? id : `${id}-${count}`;
    if (taken.every((heading) => heading.id !== candidate)) return candidate;
  }
}

/** The text of markup that was made here. */
export function toText(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
