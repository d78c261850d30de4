/** What users can do, in short. It is open to everybody, so it says nothing of the things themselves. */
import { type Handler, type Html, html, page } from 'seeother';
import { heldHref, href, placesHref, tagsHref } from '../links.ts';
import type { PageContext } from './contexts.ts';
import { timeZoneName } from './format.ts';
import { layout, toViewer } from './layout.ts';

interface Topic {
  /** The anchor of its heading. */
  readonly id: string;
  readonly title: string;
  readonly text: Html;
}

const TOPICS: readonly Topic[] = [
  {
    ...{ id: 'items', title: 'Items and numbers' },
    text: html`<p>An item is one line of the <a href="${href('/items')}">list</a>. It gets a number, such as No. 12, that stays the same and is never used again: write it on the thing.</p>
<p>Two or more lines of the description such as “Model: GSR 18V” become rows of their own.</p>`,
  },
  {
    ...{ id: 'places', title: 'Locations' },
    text: html`<p>Commas lead from the large to the small: “Cellar, left shelf, box 3” is inside “Cellar, left shelf”, and that is inside “Cellar”. If you choose Cellar, you see all that is in it.</p>
<p>Each location has a page of its own among the <a href="${placesHref()}">places</a>: rename it there for all its items, or move it into another place.</p>`,
  },
  {
    ...{ id: 'tags', title: 'Tags' },
    text: html`<p>Tags group items that are in different places: “tools, events”. Separate them with commas. All <a href="${tagsHref()}">tags</a> have a page, too.</p>`,
  },
  {
    ...{ id: 'quantity', title: 'Quantity and minimum' },
    text: html`<p>On the page of an item, take some, add some, or set the number you have counted. If the quantity falls below the minimum, the item is marked as low.</p>`,
  },
  {
    ...{ id: 'lending', title: 'Lending' },
    text: html`<p>Lend an item, or some of it, to anybody by name: no account is needed. With a last day, it is marked as overdue after that day. <a href="${heldHref()}">Loans</a> shows who has what, and takes things back. <em>Lend things</em>, there, lends several by their numbers, typed or scanned.</p>`,
  },
  {
    ...{ id: 'counting', title: 'Counting' },
    text: html`<p>Choose a location or a tag, then Count above the list. Type over the numbers that are wrong. You see what differs before anything is stored. The list of a location says when it was last counted.</p>`,
  },
  {
    ...{ id: 'several', title: 'Several at once' },
    text: html`<p>Select, above the list, shows a checkbox for each item. Move, tag, lend, return or delete what is ticked, or set a field. Ticks are kept over pages and searches.</p>`,
  },
  {
    ...{ id: 'photos', title: 'Photos and documents' },
    text: html`<p>Add them in the form of an item, or on its page. The first photo is the picture of the item. Photos are shown without where and when they were taken. Any other file is a document to download.</p>`,
  },
  {
    ...{ id: 'fields', title: 'Kinds and fields' },
    text: html`<p>Administrators add fields that items lack, such as a price or a warranty, at Kinds and fields above the list: for all items, or for one kind, such as cameras. Lists show and filter them, and the search can find them.</p>`,
  },
  {
    ...{ id: 'labels', title: 'Labels and scanning' },
    text: html`<p>Labels, above the list, prints a code for each thing that it shows. A telephone that reads the code opens the thing. Scan, beside it, counts, moves, lends and returns things by such labels, barcodes and serial numbers, one after the other.</p>`,
  },
  {
    ...{ id: 'files', title: 'Import and download' },
    text: html`<p>Import, above the list, reads a CSV file of a spreadsheet or of another program, and a zip with photos. It shows what it would change before it does. Download, beside it, makes such a file of what the list shows.</p>`,
  },
  {
    ...{ id: 'searching', title: 'Search' },
    text: html`<p>Items match if they have all the words, in any order. The beginning of a word is enough, and capitals, accents and quotes make no difference. <strong>#12</strong> opens the item with that number. The key / leads to the search.</p>
<p>Filters and order, above the list, narrow it down to a tag or a location.</p>`,
  },
  {
    ...{ id: 'undo', title: 'Undo and history' },
    text: html`<p>The history has an Undo for each change. So has the message after you have deleted something, or changed several items at once. The bin keeps what is deleted for 30 days.</p>`,
  },
  {
    ...{ id: 'forms', title: 'Forms' },
    text: html`<p>If your log-in ends while you type, send the form and log in again: what you typed is there. A form that is sent twice is carried out once. If someone has changed the same item meanwhile, you see both versions and choose.</p>`,
  },
];

export const showHelp: Handler<PageContext> = (context) =>
  page(layout({ title: 'Help', viewer: toViewer(context), section: 'help', main: helpText() }));

function helpText(): Html {
  const topics = [...TOPICS, whoToAsk()];
  return html`<h1>Help</h1>
<nav class="contents" aria-label="On this page">
<ul>
${topics.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul>
</nav>
<div class="topics">
${topics.map(
  ({ id, title, text }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${text}
</section>
`,
)}</div>`;
}

function whoToAsk(): Topic {
  return {
    ...{ id: 'ask', title: 'Who to ask' },
    text: html`<p>Your things and accounts are kept on your team’s own server. If you cannot log in, or something does not work, ask the person who runs it.</p>
<p>Days and times are those of ${timeZoneName()}.</p>`,
  };
}
