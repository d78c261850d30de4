// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code with templates is what is tested
import assert from 'node:assert/strict';
import test from 'node:test';
import { findFlaws } from './find-flaws.ts';
import { highlight } from './highlight.ts';
import { renderMarkdown, toText } from './markdown.ts';

const ADDRESSES = {
  ofFile: (target: string) => (target.endsWith('.md') ? `/${target}` : undefined),
  ofName: (name: string, entry = 'any') =>
    /^(?:html|formPage)$/.test(name) ? `/${entry}/${name}` : undefined,
  ofType: (name: string) => (name === 'Form' ? '#form' : undefined),
};

function render(markdown: string): string {
  const { body } = renderMarkdown(markdown, ADDRESSES);
  assert.deepEqual(findFlaws(`<h1>T</h1>${body.markup}`), []);
  return body.markup;
}

test('HTML in a document is text', () => {
  assert.equal(
    render('a <script src="x">b</script>'),
    '<p>a &lt;script src=&quot;x&quot;&gt;b&lt;/script&gt;</p>\n',
  );
  assert.equal(render('<div onclick="x">'), '&lt;div onclick=&quot;x&quot;&gt;');
});

test('a link leads to a page of the site, or is its text', () => {
  assert.equal(render('[a](b.md)'), '<p><a href="/b.md">a</a></p>\n');
  assert.equal(render('[`formPage`](../x.ts)'), '<p><code>formPage</code></p>\n');
  assert.equal(render('[a](#b)'), '<p><a href="#b">a</a></p>\n');
  assert.equal(
    render('[a](https://a.example/?b&c)'),
    '<p><a href="https://a.example/?b&amp;c">a</a></p>\n',
  );
});

test('headings have the ids of GitHub, each its own', () => {
  const { title, headings } = renderMarkdown('# A\n## `b` and C: d_e-f?\n### X\n### X', ADDRESSES);
  assert.equal(title, 'A');
  assert.deepEqual(headings, [
    { level: 2, id: 'b-and-c-d_e-f', text: 'b and C: d_e-f?' },
    { level: 3, id: 'x', text: 'X' },
    { level: 3, id: 'x-1', text: 'X' },
  ]);
});

test('a name of several words, and a name that an example imports, lead to the reference', () => {
  assert.equal(
    render('`formPage` `html`'),
    '<p><a href="/any/formPage"><code>formPage</code></a> <code>html</code></p>\n',
  );
  const example = render("```ts\nimport { html } from 'seeother/x';\nhtml`a`;\n```");
  assert.match(example, /{ <a href="\/seeother\/x\/html">html<\/a> }/);
  assert.equal(example.match(/<a /g)?.length, 1);
  assert.match(render('```signature\nf(form: Form)\n```'), /form: <a href="#form">Form<\/a>/);
});

test('code has the name of its file, and a change marks its lines', () => {
  assert.equal(
    render('```diff title="a.ts"\n-<b>\n+c\n d\n```'),
    '<figure><figcaption>a.ts</figcaption><pre tabindex="0"><code><del>-&lt;b&gt;\n</del><ins>+c\n</ins> d</code></pre></figure>\n',
  );
  assert.match(render('```ts title="a.ts" append\nconst a = 1;\n```'), /class="keyword">const</);
});

test('highlighting changes no character', () => {
  const samples = [
    'const a = `b ${c({ d: `e ${f}` })} g`; // "h',
    "`${`${a}`}` + '\"' /* ` */",
    '`open ${',
    '`back\\',
    "it's } { `",
    'type P = `${A}/${B}`;',
  ];
  for (const code of samples) assert.equal(toText(highlight(code).markup), code);
});

test('values in templates are code, and the text around them is not', () => {
  const { markup } = highlight('html`<b>for ${of({ a: 1 })} new</b>` + new X()');
  assert.match(
    markup,
    /<span class="string">&lt;b&gt;for \$\{<\/span><span class="keyword">of<\/span>/,
  );
  assert.match(
    markup,
    /<span class="string">\}<\/span><span class="string"> new&lt;\/b&gt;`<\/span>/,
  );
  assert.match(markup, /<span class="keyword">new<\/span> X\(\)$/);
});
