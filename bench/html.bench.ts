/**
 * What the `html` tag costs against plain concatenation that escapes the same values: a table of 20
 * items with tags, inside a page. Both make the same text, which is checked before anything is
 * measured. The rival is written as people write it, with lists that are mapped and joined.
 */
import { type Html, html } from '../framework/index.ts';
// Not an export of the package: both sides escape with it, so that only the tag is compared.
import { escapeHtml } from '../framework/src/http/html.ts';
import { toTable } from './markdown-table.ts';
import { measureInTurn, withRatios } from './measure-in-turn.ts';

const ROUNDS = 31;
const RUNS = 3_000;

interface Item {
  readonly number: number;
  readonly name: string;
  readonly quantity: number;
  readonly location: string;
  readonly tags: readonly string[];
  readonly changed: string;
}

const NAMES = ['Cordless drill', 'Bits & pieces', 'Ladder, 3 m', 'Cable <old>', "Tom's saw"];
const items: readonly Item[] = Array.from({ length: 20 }, (_, index) => ({
  number: 120 - index,
  name: `${NAMES[index % NAMES.length]} ${index}`,
  quantity: index * 3,
  location: index % 4 === 0 ? '' : `Shelf ${index}, cellar`,
  tags: ['tools', 'electric', 'lent out'].slice(0, index % 4),
  changed: '2026-11-20T18:02:11.123Z',
}));

const withTag = (): string =>
  html`<!doctype html>
<title>${'Items – Seeother'}</title>
<table class="items">
${items.map(row)}</table>
<p>Logged in as <strong>${'ada'}</strong>${null}`.markup;

function row(item: Item): Html {
  return html`<tr>
<th scope="row"><a href="${`/items/${item.number}`}">${item.name}</a></th>
<td class="number">${item.quantity}</td>
<td>${item.location === '' ? '–' : item.location}</td>
<td>${item.tags.length === 0 ? '–' : tagList(item.tags)}</td>
<td>${time(item.changed)}</td>
</tr>
`;
}

function tagList(tags: readonly string[]): Html {
  return html`<ul class="tags">${tags.map((tag) => html`<li>${tag}</li>`)}</ul>`;
}

function time(text: string): Html {
  return html`<time datetime="${text}">${text.slice(0, 10)}</time>`;
}

function plainTime(text: string): string {
  return `<time datetime="${escapeHtml(text)}">${escapeHtml(text.slice(0, 10))}</time>`;
}

function withConcatenation(): string {
  return `<!doctype html>
<title>${escapeHtml('Items – Seeother')}</title>
<table class="items">
${items.map(plainRow).join('')}</table>
<p>Logged in as <strong>${escapeHtml('ada')}</strong>`;
}

/** The tag writes characters beyond ASCII of a template as references. */
function plainRow(item: Item): string {
  return `<tr>
<th scope="row"><a href="${escapeHtml(`/items/${item.number}`)}">${escapeHtml(item.name)}</a></th>
<td class="number">${item.quantity}</td>
<td>${item.location === '' ? '&#8211;' : escapeHtml(item.location)}</td>
<td>${item.tags.length === 0 ? '&#8211;' : plainTagList(item.tags)}</td>
<td>${plainTime(item.changed)}</td>
</tr>
`;
}

function plainTagList(tags: readonly string[]): string {
  return `<ul class="tags">${tags.map((tag) => `<li>${escapeHtml(tag)}</li>`).join('')}</ul>`;
}

/** A page is sent: its text is put together, which concatenation alone puts off. */
const sent = new Uint8Array(65_536);
const encoder = new TextEncoder();
const send = (page: string): number => encoder.encodeInto(page, sent).written;

if (withConcatenation() !== withTag()) throw new Error('The two pages are not the same.');
const contestants = {
  concatenation: () => send(withConcatenation()),
  'html tag': () => send(withTag()),
};
const times = await measureInTurn(contestants, { rounds: ROUNDS, runs: RUNS });
const head = [`a page of 20 rows, ${send(withTag())} bytes`, 'CPU µs', 'ratio'];
process.stdout.write(toTable(head, withRatios(times, 'concatenation', 1)));
