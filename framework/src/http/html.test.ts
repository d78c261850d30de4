import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { escapeHtml, type Html, type HtmlValue, html, trustedHtml } from './html.ts';

const markupOf = (content: Html) => content.markup;

test('text is escaped in element content', () => {
  assert.equal(
    markupOf(html`<p>${`<b>"Tom" & 'Jerry'</b>`}</p>`),
    '<p>&lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;&lt;/b&gt;</p>',
  );
});

test('text is escaped in an attribute', () => {
  assert.equal(
    markupOf(html`<input value="${'" onfocus="alert(1)'}">`),
    '<input value="&quot; onfocus=&quot;alert(1)">',
  );
});

test('text without special characters is left alone', () => {
  assert.equal(escapeHtml('Grüße, 日本 🎉 = 100%'), 'Grüße, 日本 🎉 = 100%');
});

test('typographic characters are references, in text and in attributes', () => {
  assert.equal(
    markupOf(html`<p title="“…” é">Don’t → ${'“a” – 日本'}</p>`),
    '<p title="&#8220;&#8230;&#8221; é">Don&#8217;t &#8594; &#8220;a&#8221; &#8211; 日本</p>',
  );
  assert.equal(escapeHtml('<“&’>'), '&lt;&#8220;&amp;&#8217;&gt;');
  // A text is kept for the next time; so many that it is forgotten are right too.
  for (let count = 0; count < 1_100; count++)
    assert.equal(escapeHtml(`${count}…`), `${count}&#8230;`);
  assert.equal(escapeHtml('’'.repeat(400)), '&#8217;'.repeat(400));
});

test('a character of a template that no browser would read as a reference stays', () => {
  const template = html`<!-- … --><style>p::before { content: "→" }</style><script>"–" + ${trustedHtml('"…"')} + "’"</script><p>…</p>`;
  assert.equal(
    markupOf(template),
    '<!-- … --><style>p::before { content: "→" }</style><script>"–" + "…" + "’"</script><p>&#8230;</p>',
  );
  assert.equal(markupOf(html`<p>日本 🎉</p>`), '<p>&#26085;&#26412; &#127881;</p>');
});

test('the result of the tag is not escaped again', () => {
  assert.equal(markupOf(html`<ul>${html`<li>${'<'}</li>`}</ul>`), '<ul><li>&lt;</li></ul>');
});

test('nested lists are joined, and their text is escaped', () => {
  const rows: HtmlValue = [['a', '<'], [[html`<hr>`, [1]]], [], null];
  assert.equal(markupOf(html`<p>${rows}</p>`), '<p>a&lt;<hr>1</p>');
});

test('numbers are written out, zero too', () => {
  assert.equal(markupOf(html`${0}, ${-1.5}`), '0, -1.5');
});

test('null, undefined and false render nothing', () => {
  assert.equal(markupOf(html`<p>${null}${undefined}${false}</p>`), '<p></p>');
});

test('an empty template is empty markup', () => {
  assert.equal(markupOf(html``), '');
});

test('any other value is refused, with advice', () => {
  const values: readonly unknown[] = [
    { markup: '<script>' },
    { toString: () => '<script>' },
    new Date(0),
    new Map(),
    () => '<script>',
    true,
    1n,
    Symbol('x'),
    [[{}]],
  ];
  for (const value of values) {
    assert.throws(
      () => html`<p>${value as HtmlValue}</p>`,
      /^TypeError: Cannot put .* into HTML: pass text, a number, a list, or a value made by the html tag\.$/,
    );
  }
});

test('trusted markup is not escaped', () => {
  assert.equal(markupOf(html`<p>${trustedHtml('<b>&</b>')}</p>`), '<p><b>&</b></p>');
});

test('markup converts to text where a string is needed', () => {
  assert.equal(`${html`<p>${'<'}</p>`}`, '<p>&lt;</p>');
});

const MARKUP = ['<', '>', '"', "'", '&', '&lt;', '&#39;', '</p>', '<!--', '{{', '\0', '”'];

test('no text ends its element or attribute, and a browser shows it as it was', () => {
  const pieces = fc.array(fc.oneof(fc.constantFrom(...MARKUP), fc.string({ unit: 'binary' })));
  fc.assert(
    fc.property(pieces, (all) => {
      const text = all.join('');
      const content = /^<p>([^<>"']*)<\/p>$/.exec(markupOf(html`<p>${text}</p>`))?.[1];
      assert.equal(unescapeText(content ?? 'it has ended'), text);
      const value = /^<i title="([^<>"']*)">$/.exec(markupOf(html`<i title="${text}">`))?.[1];
      assert.equal(unescapeText(value ?? 'it has ended'), text);
    }),
  );
});

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** What a browser shows for escaped text; an entity that we do not write is left standing. */
function unescapeText(escaped: string): string {
  return escaped.replaceAll(/&(?:(amp|lt|gt|quot)|#(\d+));/g, (_, name, code) =>
    name === undefined ? String.fromCodePoint(Number(code)) : `${ENTITIES[name]}`,
  );
}
