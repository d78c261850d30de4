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

/** `origin` is that of the site, before the short addresses. */
export async function labelPdf(
  labels: readonly Label[],
  { sheet, start, edges }: LabelChoice,
  origin: string,
): Promise<Uint8Array> {
  const { default: PDFDocument } = await import('pdfkit');
  const size: [number, number] = [sheet.pageWidth * MM, sheet.pageHeight * MM];
  const document: PdfDocument = new PDFDocument({
    ...{ size, margin: 0, autoFirstPage: false, font: findFont('regular') },
    info: { Title: 'Labels' },
  });
  const whole = buffer(document);
  document.registerFont('regular', findFont('regular')).registerFont('bold', findFont('bold'));
  const space = layOut(sheet);
  const widths = {
    regular: createWidths(document, 'regular'),
    bold: createWidths(document, 'bold'),
  };
  const first = (start - 1) % labelsOf(sheet);
  let page = -1;
  for (const [at, label] of labels.entries()) {
    const place = placeOf(sheet, first + at);
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
    drawLabel(document, label, { space, width: sheet.width, widths, origin });
    document.restore();
  }
  document.end();
  return whole;
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
  readonly width: number;
  readonly widths: Widths;
  readonly origin: string;
}

function drawLabel(
  document: PdfDocument,
  { path, name, texts: all }: Label,
  { space, width, widths, origin }: Drawing,
): void {
  const { padding, isStacked, code, gap, textWidth, textHeight, nameSize, smallSize } = space;
  const codeLeft = isStacked ? (width - code) / 2 : padding;
  const shared = shareLines(space, all.length);
  const cut = (one: string, font: FontName, size: number, max: number) => {
    const measure = (line: string) => widths[font](line) * size;
    return fitLines(one, { width: textWidth, max, measure });
  };
  const names = cut(name, 'bold', nameSize, shared.nameLines);
  const others = all.slice(0, shared.others).flatMap((one) => cut(one, 'regular', smallSize, 1));
  const height = (names.length * nameSize + others.length * smallSize) * LINE;
  // As on the page: beside the code in its middle, or below it.
  const codeTop = isStacked ? padding : padding + (textHeight - code) / 2;
  let top = isStacked ? padding + code + gap : padding + (textHeight - height) / 2;
  drawCode(document, `${origin}${path}`, [codeLeft, codeTop, code]);
  const draw = (line: string, size: number) => {
    const left = isStacked
      ? padding + (textWidth - document.widthOfString(line)) / 2
      : padding + code + gap;
    document.text(line, left, top + ((LINE - 1) / 2) * size, {
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
  [left, top, side]: readonly [left: number, top: number, side: number],
): void {
  const { size, runs } = toQrCode(text);
  const module = side / size;
  for (const { x, y, length } of runs)
    document.rect(left + x * module, top + y * module, length * module, module);
  document.fill('#000');
}
