/** What the pages of an import say about the photos in its zip. */
import { type Html, html } from 'seeother';
import { formatCount } from '../site/format.ts';
import type { Import } from './import-row.ts';
import { andMore, andRest, section } from './page-parts.ts';

type Photos = NonNullable<Import['photos']>;

export function formatPhotos(count: number): string {
  return formatCount(count, 'photo', 'photos');
}

/** Which files become photos of things, and which do not. */
export function photoSection({ photos }: Pick<Import, 'photos'>): Html | null {
  if (photos === null) return null;
  const { zip, planned, things } = photos;
  return section(
    'photos',
    'Photos',
    planned,
    html`<p>${planned === 0 ? `No file in ${zip} fits a thing` : `${zip} has ${formatPhotos(planned)} for ${formatCount(things, 'thing', 'things')}. A photo that a thing has already is not added again`}.</p>
${withoutNote(photos)}${leftList(photos)}${missingNote(photos)}${photoRule()}`,
  );
}

/** What became of them. */
export function photoResult({ photos }: Pick<Import, 'photos'>): Html | null {
  if (photos === null) return null;
  const { added, problems, failed } = photos;
  const list = problems.map(({ path, problem }) => html`<li><p>${path}: ${problem}.</p></li>\n`);
  return section(
    'photos',
    'Photos',
    added,
    html`${failed === 0 ? null : html`<p>${formatPhotos(failed)} could not be added:</p>\n<ul class="records">\n${list}</ul>\n${andMore(failed - problems.length)}`}${withoutNote(photos)}${leftList(photos)}${missingNote(photos)}`,
  );
}

function withoutNote({ without, withoutCount }: Photos): Html | null {
  if (withoutCount === 0) return null;
  const verb = withoutCount === 1 ? 'gets' : 'get';
  return html`<p>${formatCount(withoutCount, 'thing', 'things')} of the table ${verb} none: ${nameFew(without, withoutCount)}.</p>\n`;
}

function leftList({ left }: Photos): Html | null {
  if (left.length === 0) return null;
  return html`<p>These files are left out:</p>
<ul class="records">
${left.map(
  ({
    problem,
    count,
    paths,
  }) => html`<li><div><p>${formatCount(count, 'file', 'files')}: ${problem}.</p>
<p class="details">${nameFew(paths, count)}</p></div></li>\n`,
)}</ul>\n`;
}

function missingNote({ missing, missingCount }: Photos): Html | null {
  if (missingCount === 0) return null;
  const files = formatCount(missingCount, 'file that is', 'files that are');
  return html`<p>The table names ${files} not in the zip: ${nameFew(missing, missingCount)}.</p>\n`;
}

/** How files find their things. */
export function photoRule(): Html {
  return html`<details>
<summary>How files find their things</summary>
<ol>
<li>A column of the table with the names of the files, such as “Photo”, decides.</li>
<li>Otherwise the name of the file does: the number, the reference, the serial number, the product code or the name of the thing, in this order. <code>17.jpg</code>, <code>No. 17.jpg</code> and <code>Drill.jpg</code> are such names.</li>
<li>Several photos of a thing have a counter: <code>17-2.jpg</code>, <code>17_3.jpg</code>, <code>17 (4).jpg</code>.</li>
<li>Or they are in a folder with such a name: <code>No. 17/IMG_0001.jpg</code>.</li>
</ol>
<p>With a table, these are the things of the table. A file that fits no thing, or several, is left out.</p>
</details>`;
}

/** Names in a sentence. */
const MAX_NAMED = 12;

function nameFew(names: readonly string[], all: number): string {
  const shown = names.slice(0, MAX_NAMED);
  return `${shown.map((name) => `“${name}”`).join(', ')}${andRest(all - shown.length)}`;
}
