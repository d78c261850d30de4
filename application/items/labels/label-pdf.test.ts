/** The PDF as a printer and a scanner see it; `npm run labels` measures every label of it. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { localPath } from 'seeother';
import { skipWithout } from '../../../deploy/find-program.ts';
import { PHOTOS } from '../../testing/photos.ts';
import {
  type Box,
  drawPages,
  findEdges,
  inkIn,
  readCodes,
  sizeOf,
} from '../../testing/read-printed.ts';
import { FONTS, hasLetters } from './label-font.ts';
import { layOut, placeOf } from './label-layout.ts';
import { labelPdf } from './label-pdf.ts';
import { fitLines, type Label } from './label-texts.ts';
import { readLabelChoice } from './read-labels.ts';

const skip = skipWithout('pdftoppm', 'zbarimg');
const NAMES = [
  'Drill',
  'Schlagbohrmaschine mit Koffer und zwei Akkus',
  'Отвёртка',
  'مثقاب كهربائي',
];

const things = (count: number): readonly Label[] =>
  Array.from({ length: count }, (_, index) => ({
    path: `/i/${index + 1}`,
    name: NAMES[index % NAMES.length] ?? '',
    texts: [`No. ${index + 1}`, 'Cellar, shelf 2', `SN-${index}`],
    picture: index % 2 === 0 ? { src: localPath('/photo'), file: index } : null,
  }));

const ORIGIN = 'https://things.example';
const PREFIX = `${ORIGIN}/i/`;
const OPTIONS = { origin: ORIGIN, readPicture: async () => PHOTOS.jpeg };
const choose = (query: string) => readLabelChoice(new URLSearchParams(query));

/** Of the first label and of the last one, as the maker of the sheet says. */
const SHEET = choose('sheet=l7160').sheet;
const SHEETS = [
  {
    ...{ sheet: 'l7160', count: 21, page: { width: 210, height: 297 } },
    ...{ size: { width: 63.5, height: 38.1 } },
    ...{ first: { left: 7.25, top: 15.15 }, last: { left: 139.25, top: 243.75 } },
  },
  {
    ...{ sheet: 'a5160', count: 30, page: { width: 215.9, height: 279.4 } },
    ...{ size: { width: 66.675, height: 25.4 } },
    ...{ first: { left: 4.7625, top: 12.7 }, last: { left: 144.4625, top: 241.3 } },
  },
];

for (const { sheet, page, count, size, first, last } of SHEETS)
  test(`the labels of ${sheet} are where its sheet has them, and their codes are read`, {
    skip,
  }, async () => {
    const pdf = await labelPdf(things(count), choose(`sheet=${sheet}&edges`), OPTIONS);
    const [drawn, ...others] = drawPages(pdf);
    assert.ok(drawn !== undefined && others.length === 0);
    near({ ...page, ...sizeOf(drawn) }, page);
    const boxes = [first, last].map((corner) => ({ ...corner, ...size }));
    for (const box of boxes) near(findEdges(drawn, box), box);
    assert.deepEqual(readCodes(drawn, boxes), [`${PREFIX}1`, `${PREFIX}${count}`]);
  });

/** Within a quarter of a millimetre: a dot is a twelfth of one. */
function near<T extends object>(found: T, expected: T): void {
  for (const name of Object.keys(expected) as (keyof T)[])
    assert.ok(
      Math.abs(Number(found[name]) - Number(expected[name])) < 0.25,
      `${String(name)}: ${found[name]} is not ${expected[name]}`,
    );
}

test('each sheet has room for a picture, beside which the code is read', { skip }, async () => {
  for (const { sheet, count, size, last } of SHEETS) {
    const choice = choose(`sheet=${sheet}&texts=picture.number`);
    const pdf = await labelPdf(things(count), choice, OPTIONS);
    assert.equal(Buffer.from(pdf).toString('latin1').split('/Subtype /Image').length, 2, 'once');
    const [drawn = assert.fail()] = drawPages(pdf);
    const place = layOut(choice.sheet, true).picture ?? assert.fail();
    // Every other thing has one.
    for (const [index, isThere] of [
      [count - 1, count % 2 === 1] as const,
      [count - 2, count % 2 === 0] as const,
    ]) {
      const label = placeOf(choice.sheet, index);
      const box = { left: label.left + place.left, top: label.top + place.top };
      const ink = inkIn(drawn, { ...box, width: place.side, height: place.side });
      assert.equal(ink > 0.99, isThere, `${sheet}, ${index}: ${ink}`);
      assert.equal(ink === 0, !isThere, `${sheet}, ${index}: ${ink}`);
    }
    assert.deepEqual(readCodes(drawn, [{ ...last, ...size }]), [`${PREFIX}${count}`]);
  }
});

test('what stands on a label is within it, and beside what else is there', () => {
  const sizes = [12, 14, 20, 25, 30, 40, 60, 100];
  for (const [width, height] of sizes.flatMap((one) => sizes.map((other) => [one, other] as const)))
    for (const hasPicture of [false, true]) {
      const { code, picture, text } = layOut({ ...SHEET, width, height }, hasPicture);
      const square = { ...code, width: code.side, height: code.side };
      const third = picture && { ...picture, width: picture.side, height: picture.side };
      const boxes = [square, text, ...(third === null ? [] : [third])];
      const name = `${width} × ${height}: ${JSON.stringify(boxes)}`;
      for (const [at, box] of boxes.entries()) {
        assert.ok(box.left >= 1.49 && box.left + box.width <= width - 1.49, name);
        assert.ok(box.top >= 1.49 && box.top + box.height <= height - 1.49, name);
        for (const other of boxes.slice(at + 1)) assert.ok(areApart(box, other), name);
      }
      const hasRoom = Math.min(width, height) >= 20;
      if (hasRoom || Math.max(width, height) < 14)
        assert.equal(picture !== null, hasPicture && hasRoom, name);
    }
});

function areApart(one: Box, other: Box): boolean {
  const isLeft = (a: Box, b: Box) => a.left + a.width <= b.left - 0.99;
  const isAbove = (a: Box, b: Box) => a.top + a.height <= b.top - 0.99;
  return isLeft(one, other) || isLeft(other, one) || isAbove(one, other) || isAbove(other, one);
}

test('a used sheet begins at its label, and goes on on the next page', { skip }, async () => {
  const pdf = await labelPdf(things(21), choose('sheet=l7160&start=20'), OPTIONS);
  const [first, second] = drawPages(pdf);
  assert.ok(first !== undefined && second !== undefined);
  const box = { width: 63.5, height: 38.1 };
  const row = (top: number) => [7.25, 73.25, 139.25].map((left) => ({ ...box, left, top }));
  assert.deepEqual(readCodes(first, row(243.75)), ['', `${PREFIX}1`, `${PREFIX}2`]);
  assert.deepEqual(
    readCodes(second, row(15.15)),
    [3, 4, 5].map((number) => PREFIX + number),
  );
});

test('the file has what it needs of a font, and no more', async () => {
  const pdf = await labelPdf(things(4), choose('sheet=l7160'), OPTIONS);
  assert.ok(pdf.length < 60_000, String(pdf.length));
  const text = Buffer.from(pdf).toString('latin1');
  for (const name of Object.values(FONTS))
    assert.match(text, new RegExp(`/[A-Z]{6}\\+${name.replace('.ttf', '')}\\b`));
  assert.ok(hasLetters('Ärger, Ελλάδα, Київ, Հայ, ქართ, עברית, عربي ½ → №'));
  for (const lacking of ['工具箱', 'ネジ', '나사', 'ไขควง', '🔧'])
    assert.ok(!hasLetters(lacking), lacking);
});

test('a text is broken between words, and cut with an ellipsis', () => {
  const fit = (text: string, width: number, max: number) =>
    fitLines(text, { width, max, measure: (line) => Array.from(line).length });
  assert.deepEqual(fit('Drill', 10, 2), ['Drill']);
  assert.deepEqual(fit('Cordless drill, blue', 10, 3), ['Cordless', 'drill,', 'blue']);
  assert.deepEqual(fit('Cordless drill, blue', 10, 2), ['Cordless', 'drill, bl…']);
  assert.deepEqual(fit('Cordless drill', 8, 2), ['Cordless', 'drill']);
  assert.deepEqual(fit('Donaudampfschiff', 6, 2), ['Donaud', 'ampfs…']);
  assert.deepEqual(fit('🔧🔧🔧🔧', 2, 2), ['🔧🔧', '🔧🔧']);
  assert.deepEqual(fit(' ', 10, 2), []);
});
