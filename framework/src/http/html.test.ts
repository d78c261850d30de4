import assert from 'node:assert/strict';
import test from 'node:test';
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

test('escaped text is escaped again, so it is shown as typed', () => {
  assert.equal(markupOf(html`${'&lt;'}`), '&amp;lt;');
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

test('no attack escapes from its text or attribute', () => {
  for (const attack of ATTACKS) {
    const content = /^<p>([^<>"']*)<\/p>$/.exec(markupOf(html`<p>${attack}</p>`))?.[1];
    assert.equal(unescapeText(content ?? ''), attack);
    const value = /^<i title="([^<>"']*)">$/.exec(markupOf(html`<i title="${attack}">`))?.[1];
    assert.equal(unescapeText(value ?? ''), attack);
  }
});

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** What a browser shows for escaped text; an entity that we do not write is left standing. */
function unescapeText(escaped: string): string {
  return escaped.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

const ATTACKS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.test/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script/src="data:,alert(1)">',
  '<script\x20type="text/javascript">alert(1);</script>',
  '<script\x0d>alert(1)</script>',
  '<script>alert`1`</script>',
  '</script><script>alert(1)</script>',
  '</p><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '</noscript><script>alert(1)</script>',
  '--><script>alert(1)</script>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  ']]><script>alert(1)</script>',
  '<![CDATA[<]]>script<![CDATA[>]]>alert(1)',
  '"><script>alert(1)</script>',
  "'><script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "'><img src=x onerror=alert(1)>",
  '" onmouseover="alert(1)',
  "' onmouseover='alert(1)",
  '" autofocus onfocus=alert(1) x="',
  "' autofocus onfocus=alert(1) x='",
  '"onpointerenter=alert(1)//',
  '" style="position:fixed;inset:0" onclick="alert(1)',
  '" formaction="javascript:alert(1)',
  '" accesskey="x" onclick="alert(1)" x="',
  '<img src=x onerror=alert(1)>',
  '<img src=x:x onerror="alert(1)">',
  '<img/src/onerror=alert(1)>',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<img """><script>alert(1)</script>">',
  '<img src=javascript:alert(1)>',
  '<image src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg/onload=alert(1)>',
  '<svg><script>alert&#40;1&#41;</script>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:alert(1)"><text x="20" y="20">x</text></a>',
  '<svg><set attributeName="href" to="javascript:alert(1)">',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<math href="javascript:alert(1)">x</math>',
  '<body onload=alert(1)>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<object data="javascript:alert(1)">',
  '<embed src="javascript:alert(1)">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java&#x09;script:alert(1)">x</a>',
  '<form action="javascript:alert(1)"><input type=submit>',
  '<button formaction=javascript:alert(1)>x',
  '<input autofocus onfocus=alert(1)>',
  '<select autofocus onfocus=alert(1)>',
  '<textarea autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)>',
  '<audio src=x onerror=alert(1)>',
  '<marquee onstart=alert(1)>',
  '<base href="//evil.test/">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href=//evil.test/x.css>',
  '<style>@import "//evil.test/x.css";</style>',
  '<div style="background:url(javascript:alert(1))">',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)',
  '\\u003cimg src=x onerror=alert(1)\\u003e',
  '<\0script>alert(1)</script>',
  '{{constructor.constructor("alert(1)")()}}',
] as const;
