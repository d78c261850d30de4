/** Values where escaping does not protect. Each template is written in full: the place is what is tested. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Html, html, trustedHtml } from './html.ts';

const x = 'x onclick=alert(1)';
const markupOf = (content: Html): string => content.markup;

/** A template, how its error shows it with `@` for the value, and what the error says. */
const VALUE = '$' + '{…}';
type Refused = readonly [render: (value: never) => Html, template: string, why: RegExp];

const REFUSED: readonly Refused[] = [
  [(v) => html`<p class=${v}>`, '<p class=@>', /without quotes.* Write class="\$\{…\}"\.$/],
  [(v) => html`<p class= ${v}>`, '<p class= @>', /without quotes/],
  [(v) => html`<p class=a${v}>`, '<p class=a@>', /without quotes/],
  [(v) => html`<a href=/items/${v}>x</a>`, '<a href=/items/@>x</a>', /without quotes/],
  [(v) => html`<p title="a" class=${v}>`, '<p title="a" class=@>', /without quotes/],
  [(v) => html`<p ${v}>`, '<p @>', /between attributes, text can add any attribute/],
  [(v) => html`<input type="text"${v}>`, '<input type="text"@>', /between attributes/],
  [(v) => html`<input disabled ${v}>`, '<input disabled @>', /between attributes/],
  [(v) => html`<input disabled${v}>`, '<input disabled@>', /a part of the name before it/],
  [(v) => html`<p ${v}="a">`, '<p @="a">', /another attribute/],
  [(v) => html`<p ${v} = "a">`, '<p @ = "a">', /another attribute/],
  [(v) => html`<p data-${v}="a">`, '<p data-@="a">', /another attribute/],
  [(v) => html`<p on${v}="a">`, '<p on@="a">', /another attribute/],
  [(v) => html`<${v}>a</p>`, '<@>a</p>', /another tag/],
  [(v) => html`<h${v}>a</h2>`, '<h@>a</h2>', /another tag/],
  [(v) => html`<h2>a</h${v}>`, '<h2>a</h@>', /another tag/],
  [
    (v) => html`<button onclick="${v}">`,
    '<button onclick="@">',
    /the text of onclick becomes code/,
  ],
  [
    (v) => html`<button ONCLICK='${v}'>`,
    "<button ONCLICK='@'>",
    /the text of onclick becomes code/,
  ],
  [(v) => html`<i onfocus = "go(${v})">`, '<i onfocus = "go(@)">', /the text of onfocus/],
  [(v) => html`<iframe srcdoc="${v}">`, '<iframe srcdoc="@">', /srcdoc becomes markup/],
  [(v) => html`<script>${v}</script>`, '<script>@</script>', /a script becomes code/],
  [(v) => html`<SCRIPT>a("${v}")</SCRIPT>`, '<SCRIPT>a("@")</SCR', /a script becomes code/],
  [(v) => html`<script a="b">let c = '<p>${v}'</script>`, `<p>@'</script`, /a script/],
  [(v) => html`<script>"</scripts>${v}"</script>`, '</scripts>@"</script', /a script/],
  [(v) => html`<style>p { color: ${v} }</style>`, '<style>p { color: @ }</style>', /becomes rules/],
  [(v) => html`<!-- ${v} -->`, '<!-- @ -->', /a comment/],
  [(v) => html`<!--> <!-- > ${v} -->`, '<!--> <!-- > @ -->', /a comment/],
  [(v) => html`<!doctype ${v}>`, '<!doctype @>', /a declaration/],
];

test('a value is refused where escaping does not protect, and the error says where, why, and what to write', () => {
  for (const [render, template, why] of REFUSED) {
    for (const value of [x, 'x', 7, html`${x}`, html`<b>`, [x]]) {
      assert.throws(
        () => render(value as never),
        ({ name, message }: Error) => {
          assert.equal(name, 'TypeError');
          assert.ok(message.startsWith('Cannot put this value into the template `'), message);
          assert.ok(message.includes(template.replace('@', VALUE)), message);
          assert.match(message, why);
          return true;
        },
        template,
      );
    }
  }
});

test('each place takes trusted markup', () => {
  for (const [render, template] of REFUSED) {
    const expected = template.replace('@', 'trusted');
    for (const value of [trustedHtml('trusted'), [trustedHtml('trus'), trustedHtml('ted')]])
      assert.ok(markupOf(render(value as never)).includes(expected), expected);
  }
});

test('an error shows the end of a long template', () => {
  assert.throws(
    () => html`<table><tr><td>${x}</td><td>${x}</td></tr></table><p>${x}</p><p class=${x}>`,
    /template `…\/td><td>\$\{…\}<\/td><\/tr><\/table><p>\$\{…\}<\/p><p class=\$\{…\}>`:/,
  );
});

test('an attribute in double or single quotes takes text, also beside other text', () => {
  const value = `"'>`;
  const safe = '&quot;&#39;&gt;';
  assert.equal(markupOf(html`<p title="${value}">`), `<p title="${safe}">`);
  assert.equal(markupOf(html`<p title='${value}'>`), `<p title='${safe}'>`);
  assert.equal(markupOf(html`<p title = "a ${value} b"/>`), `<p title = "a ${safe} b"/>`);
  assert.equal(markupOf(html`<p a=b title="c>${value}">`), `<p a=b title="c>${safe}">`);
  assert.equal(
    markupOf(html`<script src="${7}"></script><p>${x}`),
    `<script src="7"></script><p>${x}`,
  );
});

test('text takes every value, also after what only looks like a tag', () => {
  const before = [
    html`a = ${x}`,
    html`?q=${x}`,
    html`1 < 2 ${x}`,
    html`<p>class=${x}</p>`,
    html`<p title=">">${x}</p>`,
    html`<p title='">'>${x}</p>`,
    html`<!-- <p --><p>${x}</p>`,
    html`<!-->${x}`,
    html`<!--->${x}`,
    html`<!-- a --!>${x}`,
    html`<!doctype html>${x}`,
    html`<?xml?>${x}`,
    html`</>${x}`,
    html`<style>p > a {}</style>${x}`,
    html`<script>if (a < b) c("<p class=")</script>${x}`,
    html`<title>${x}</title><textarea>${x}</textarea>`,
    html`<br/>${x}`,
    html`<p class=a>${x}</p>`,
    html`<p class=>${x}</p>`,
  ];
  for (const content of before) assert.ok(markupOf(content).includes(x));
});

test('between attributes, nothing and attributes with quotes are written', () => {
  const name = '" x';
  const safe = '&quot; x';
  for (const nothing of [null, undefined, false, [], html``] as const) {
    assert.equal(markupOf(html`<option value="1"${nothing}>`), '<option value="1">');
    assert.equal(markupOf(html`<p hidden${nothing}>`), '<p hidden>');
    assert.equal(markupOf(html`<p${nothing}>`), '<p>');
  }
  const attribute = html` class="${name}"`;
  assert.equal(markupOf(html`<p${attribute}>`), `<p class="${safe}">`);
  assert.equal(markupOf(html`<p id="a"${attribute}>`), `<p id="a" class="${safe}">`);
  assert.equal(markupOf(html`<p hidden${attribute}>`), `<p hidden class="${safe}">`);
  assert.equal(markupOf(html`<p ${html`hidden`}>`), '<p hidden>');
  assert.equal(
    markupOf(html`<p${[attribute, html` title='${name}' hidden`, null]}>${x}`),
    `<p class="${safe}" title='${safe}' hidden>${x}`,
  );
});

test('between attributes, markup is refused whose text could add others', () => {
  const others = [
    html`${x}`,
    html` class=${x}`,
    html` ${x}="a"`,
    html` onclick="${x}"`,
    html` class="a">${x}`,
    html`<b title="${x}">`,
  ];
  for (const markup of others)
    assert.throws(() => html`<p ${markup}>`, /between attributes, text can add any/, `${markup}`);
  // It would be read as a part of the name before it.
  assert.throws(() => html`<p${html`class="${x}"`}>`, /another tag/);
  assert.throws(() => html`<p hidden${html`class="${x}"`}>`, /a part of the name/);
});

test('attributes are refused if a quote in the markup of a value ends one of them', () => {
  const label = html`<b title="${'onclick=alert(1)'}">x</b>`;
  const attributes = html` data-label="${label}"`;
  assert.throws(() => html`<p${attributes}>`, TypeError);
  assert.throws(() => html`<p ${attributes}>`, TypeError);
  assert.throws(() => html`<p ${[html` lang="${[label]}"`]}>`, TypeError);
  const plain = html` title="${html`<i>${'"quoted"'}</i>`}"`;
  assert.equal(html`<p${plain}>`.markup, '<p title="<i>&quot;quoted&quot;</i>">');
});

test('a name in a tag is not left out', () => {
  for (const nothing of [null, undefined, false] as const) {
    assert.throws(() => html`<p class=${nothing} id="a">`, /without quotes/);
    assert.throws(() => html`<p ${nothing}="${x}">`, /another attribute/);
  }
});

test('markup in an attribute is refused if a quote in it ends the attribute', () => {
  const markup = html`<b title="${x}">`;
  assert.throws(() => html`<p title="${markup}">`, /markup with a quote ends the attribute title/);
  assert.throws(() => html`<p title="${['a', [markup]]}">`, /markup with a quote/);
  assert.equal(markupOf(html`<p title="${html`a &amp; ${'"'}`}">`), '<p title="a &amp; &quot;">');
});

test('a template that ends inside a tag is refused, because what follows would be read as a part of it', () => {
  const open = [
    () => html`<p`,
    () => html`<p title="`,
    () => html`<p title='${x}`,
    () => html`<p class=`,
    () => html`<!-- a`,
    () => html`<script>`,
    () => html`<style>a`,
  ];
  for (const render of open)
    assert.throws(render, /^TypeError: Cannot use the template `.*`: it ends inside a tag/);
});

test('a template is checked at each use, and not only at the first', () => {
  const render = (value: Html | string | null) => html`<option${value}>`;
  assert.equal(markupOf(render(null)), '<option>');
  assert.throws(() => render(' onclick=alert(1)'));
  assert.equal(markupOf(render(trustedHtml(' selected'))), '<option selected>');
  assert.throws(() => render(' onclick=alert(1)'));
});
