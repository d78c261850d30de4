/**
 * The labels as a PDF. Codes are shapes and letters those of the font, so a printer draws both as sharp as it can. The
 * library is loaded for the first file.
 */
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FONTS, findFont } from './label-font.ts';
import { LINE, layOut, placeOf, shareLines } from './label-layout.ts';
import { fitLines, type Label } from './label-texts.ts';
import { toQrCode } from './qr-code.ts';
import type { LabelChoice } from './read-labels.ts';
import { labelsOf } from './sheets.ts';

type PdfDocument = InstanceType<typeof import('pdfkit')>;

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Points of a millimetre. */
const MM = 72 / 25.4;

export interface PdfOptions {
  /** Of the site, before the short addresses. */
  readonly origin: string;
  /** The picture of a list, a JPEG, by the id of its file; null if it is gone by now. */
  readonly readPicture: (file: number) => Promise<Uint8Array | null>;
}

export async function labelPdf(
  labels: readonly Label[],
  { sheet, start, edges, texts }: LabelChoice,
  { origin, readPicture }: PdfOptions,
): Promise<Uint8Array> {
  const { default: PDFDocument } = await import('pdfkit');
  const size: [number, number] = [sheet.pageWidth * MM, sheet.pageHeight * MM];
  const document: PdfDocument = new PDFDocument({
    ...{ size, margin: 0, autoFirstPage: false, font: findFont('regular') },
    info: { Title: 'Labels' },
  });
  const whole = buffer(document);
  document.registerFont('regular', findFont('regular')).registerFont('bold', findFont('bold'));
  const space = layOut(sheet, texts.includes('picture'));
  const widths = {
    regular: createWidths(document, 'regular'),
    bold: createWidths(document, 'bold'),
  };
  const first = (start - 1) % labelsOf(sheet);
  let page = -1;
  // Pictures are read one at a time, and once for the labels of one thing, which are beside each other.
  let last: Label | null = null;
  let image: string | null = null;
  for (const [at, label] of labels.entries()) {
    const place = placeOf(sheet, first + at);
    if (label !== last && space.picture !== null) image = await readImage(label, readPicture);
    last = label;
    // Other requests have their turn.
    if (at % 8 === 0) await nextTurn();
    if (place.page !== page) {
      document.addPage({ size, margin: 0 });
      page = place.page;
    }
    document
      .save()
      .translate(place.left * MM, place.top * MM)
      .scale(MM);
    document.rect(0, 0, sheet.width, sheet.height);
    if (edges) document.lineWidth(0.1).stroke('#000').rect(0, 0, sheet.width, sheet.height);
    document.clip();
    drawLabel(document, label, { space, widths, origin });
    if (image !== null && space.picture !== null) {
      const { left, top, side } = space.picture;
      document.image(image, left, top, { width: side, height: side });
    }
    document.restore();
  }
  document.end();
  return whole;
}

/** As a `data:` URL: the library writes what has the same one into the file once. */
async function readImage(
  { picture }: Label,
  readPicture: PdfOptions['readPicture'],
): Promise<string | null> {
  const bytes = picture === null ? null : await readPicture(picture.file);
  return bytes && `data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}`;
}

type FontName = keyof typeof FONTS;
type Widths = Readonly<Record<FontName, (text: string) => number>>;

/** Of a text in a font of size 1: the sum of its letters, each of which is measured once. */
function createWidths(document: PdfDocument, font: FontName) {
  const known = new Map<string, number>();
  return (text: string): number => {
    let sum = 0;
    for (const letter of text) {
      let width = known.get(letter);
      if (width === undefined) {
        width = document.font(font, 1).widthOfString(letter);
        known.set(letter, width);
      }
      sum += width;
    }
    return sum;
  };
}

interface Drawing {
  readonly space: ReturnType<typeof layOut>;
  readonly widths: Widths;
  readonly origin: string;
}

function drawLabel(
  document: PdfDocument,
  { path, name, texts: all }: Label,
  { space, widths, origin }: Drawing,
): void {
  const { isStacked, code, text, nameSize, smallSize } = space;
  const shared = shareLines(space, all.length);
  const cut = (one: string, font: FontName, size: number, max: number) => {
    const measure = (line: string) => widths[font](line) * size;
    return fitLines(one, { width: text.width, max, measure });
  };
  const names = cut(name, 'bold', nameSize, shared.nameLines);
  const others = all.slice(0, shared.others).flatMap((one) => cut(one, 'regular', smallSize, 1));
  const height = (names.length * nameSize + others.length * smallSize) * LINE;
  let top = isStacked ? text.top : text.top + (text.height - height) / 2;
  drawCode(document, `${origin}${path}`, code);
  const draw = (line: string, size: number) => {
    const indent = isStacked ? (text.width - document.widthOfString(line)) / 2 : 0;
    document.text(line, text.left + indent, top + ((LINE - 1) / 2) * size, {
      lineBreak: false,
      // As one run: word by word, the spaces would be on the wrong side.
      ...(RIGHT_TO_LEFT.test(line) && { features: [] }),
    });
    top += size * LINE;
  };
  document.fillColor('#000').font('bold', nameSize);
  for (const line of names) draw(line, nameSize);
  document.font('regular', smallSize);
  for (const line of others) draw(line, smallSize);
}

/** All runs are one shape, so that no seams show between them. */
function drawCode(
  document: PdfDocument,
  text: string,
  { left, top, side }: Drawing['space']['code'],
): void {
  const { size, runs } = toQrCode(text);
  const module = side / size;
  for (const { x, y, length } of runs)
    document.rect(left + x * module, top + y * module, length * module, module);
  document.fill('#000');
}
