/**
 * `npm run labels`: prints sheets of labels to PDF, draws them at 300 dots per inch, and measures every label: how far
 * its edges are from where the sheet has them, and whether an independent reader reads its code; with and without
 * pictures.
 */
import { localPath } from 'seeother';
import { placeOf } from '../application/items/labels/label-layout.ts';
import { labelPdf } from '../application/items/labels/label-pdf.ts';
import { readLabelChoice } from '../application/items/labels/read-labels.ts';
import { labelsOf, SHEETS, writeOwnSheet } from '../application/items/labels/sheets.ts';
import { PHOTOS } from '../application/testing/photos.ts';
import { drawPages, findEdges, readCodes } from '../application/testing/read-printed.ts';

/** One hundred labels whose code, with its quiet zone, is 20 mm wide. */
const HUNDRED = writeOwnSheet({
  ...{ pageWidth: 210, pageHeight: 297, top: 20, left: 6, columns: 4, rows: 10 },
  ...{ width: 47, height: 23, columnGap: 3, rowGap: 2 },
});
const ORIGIN = 'https://things.example.com';

let isGood = true;
const sheets = [...Object.keys(SHEETS), HUNDRED];
for (const query of ['', '&texts=picture'].flatMap((more) =>
  sheets.map((sheet) => `sheet=${sheet}&edges${more}`),
)) {
  const choice = readLabelChoice(new URLSearchParams(query));
  const count = choice.sheetText === HUNDRED ? 100 : labelsOf(choice.sheet);
  const labels = Array.from({ length: count }, (_, index) => ({
    path: `/i/${10_000 + index}`,
    name: `Thing ${index}`,
    texts: [`No. ${10_000 + index}`, 'Cellar, shelf 2', `SN-${index}`],
    picture: index % 4 === 3 ? null : { src: localPath('/'), file: index },
  }));
  const readPicture = async () => (choice.texts.includes('picture') ? PHOTOS.jpeg : null);
  const pages = drawPages(await labelPdf(labels, choice, { origin: ORIGIN, readPicture }));
  const { width, height } = choice.sheet;
  let furthest = 0;
  let read = 0;
  for (const [index, { path }] of labels.entries()) {
    const { page, left, top } = placeOf(choice.sheet, index);
    const drawn = pages[page];
    if (drawn === undefined) throw new Error(`Cannot measure page ${page}: there is none.`);
    const box = { left, top, width, height };
    const found = findEdges(drawn, box);
    for (const side of ['left', 'top', 'width', 'height'] as const)
      furthest = Math.max(furthest, Math.abs(found[side] - box[side]));
    if (readCodes(drawn, [box])[0] === `${ORIGIN}${path}`) read++;
  }
  isGood &&= furthest <= 0.5 && read === count;
  process.stdout.write(
    `${query.slice('sheet='.length)}: ${read} of ${count} codes read, edges within ${furthest.toFixed(2)} mm\n`,
  );
}
if (!isGood) process.exitCode = 1;
