/** What a person typed into a form that was refused, to be copied. */
import { type Html, html, type TypedText } from 'seeother';
import { formatNumber } from './format.ts';

/** The text to copy; collapsed if the form brings it back by itself. */
export function typedText(typed: readonly TypedText[], comesBack: boolean): Html {
  const isTruncated = typed.some(({ text, length }) => text.length < length);
  const list = html`${isTruncated ? CUT : null}<dl class="typed">
${typed.map((one) => html`<div><dt>${labelOf(one)}</dt><dd>${one.text}</dd></div>\n`)}</dl>`;
  if (comesBack) {
    return html`<details>
<summary>What you typed</summary>
${list}
</details>`;
  }
  return html`<h2>What you typed</h2>
<p>It is here so that you can copy it.</p>
${list}`;
}

const CUT = html`<p>Long text is shown in part. Your browser’s Back button may lead to the whole form.</p>\n`;

function labelOf({ label, text, length }: TypedText): string {
  if (text.length === length) return label;
  return `${label}, the first ${formatNumber(text.length)} of ${formatNumber(length)} characters`;
}
