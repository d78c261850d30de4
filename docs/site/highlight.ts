/**
 * Marks comments, quoted text and keywords in TypeScript. It follows templates into their values, because
 * the pages in the examples are templates. It does not know regular expressions.
 */
import { type Html, html } from 'seeother';

const KEYWORDS = new Set(
  'abstract as async await break case catch class const continue declare default delete do else export extends false finally for from function if implements import in infer instanceof interface keyof let new null of override private readonly return satisfies static super switch this throw true try type typeof undefined unique void while yield'.split(
    ' ',
  ),
);
const TOKEN =
  /(?<comment>\/\/.*|\/\*[\s\S]*?\*\/)|(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?<word>[A-Za-z_$][\w$]*)|(?<mark>[`{}])|[\s\S]/y;
/** The text of a template up to its next value or its end. */
const TEMPLATE = /(?:[^`\\$]|\\[\s\S]|\$(?!\{)|\\$)*(?:`|\$\{|$)/y;

/** `addressOf` returns the address of what a name stands for, if it has one. */
export function highlight(
  code: string,
  addressOf: (name: string) => string | undefined = () => undefined,
): Html {
  const parts: Html[] = [];
  /** What the place in the code is inside of: templates, values in templates, and blocks. */
  const inside: ('`' | '{')[] = [];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    // Both match at every place.
    const found = pattern.exec(code) as RegExpExecArray;
    at = pattern.lastIndex;
    return found;
  };
  while (at < code.length) {
    if (inside.at(-1) === '`') {
      const [text] = take(TEMPLATE);
      parts.push(html`<span class="string">${text}</span>`);
      if (text.endsWith('${')) inside.push('{');
      else inside.pop();
      continue;
    }
    const { 0: text, groups: { comment, string, word, mark } = {} } = take(TOKEN);
    if (mark === '}') inside.pop();
    else if (mark === '`' || mark === '{') inside.push(mark);
    if (comment !== undefined) parts.push(html`<span class="comment">${text}</span>`);
    else if (string !== undefined || mark === '`' || (mark === '}' && inside.at(-1) === '`'))
      parts.push(html`<span class="string">${text}</span>`);
    else if (word !== undefined && KEYWORDS.has(word))
      parts.push(html`<span class="keyword">${text}</span>`);
    else {
      const address = word && addressOf(word);
      parts.push(address ? html`<a href="${address}">${text}</a>` : html`${text}`);
    }
  }
  return html`${parts}`;
}
