/**
 * The sheets and rolls of labels, in millimetres. A roll is a page with one label. One's own sheet is a text of an
 * address, `own_210_297_15.15_…`, in the order of `MEASURES`.
 *
 * Sources: the templates of gLabels (github.com/jimevins/glabels, `templates/avery-us-templates.xml`,
 * `avery-iso-templates.xml`, `dymo-other-templates.xml`, `brother-other-templates.xml`), and for A4 the template
 * information of labelplanet.co.uk (LP21/63, LP65/38). gLabels lacks the 22806: it has the labels of the Presta 94107,
 * for which Avery publishes margins of 5/8 inch on all sides; so its squares of 2 inches are 2 5/8 and 2 7/12 inches
 * apart.
 */

export interface Sheet {
  readonly pageWidth: number;
  readonly pageHeight: number;
  readonly top: number;
  readonly left: number;
  readonly columns: number;
  readonly rows: number;
  readonly width: number;
  readonly height: number;
  /** Between two columns, and between two rows. */
  readonly columnGap: number;
  readonly rowGap: number;
}

export const MEASURES = [
  ...(['pageWidth', 'pageHeight', 'top', 'left', 'columns', 'rows'] as const),
  ...(['width', 'height', 'columnGap', 'rowGap'] as const),
] satisfies readonly (keyof Sheet)[];

const INCH = 25.4;
const A4 = { pageWidth: 210, pageHeight: 297 };
const LETTER = { pageWidth: 8.5 * INCH, pageHeight: 11 * INCH };

function roll(width: number, height: number): Sheet {
  const whole = { top: 0, left: 0, columns: 1, rows: 1, columnGap: 0, rowGap: 0 };
  return { pageWidth: width, pageHeight: height, width, height, ...whole };
}

interface NamedSheet {
  readonly label: string;
  readonly sheet: Sheet;
}

/** In the order of the form. */
export const SHEETS = {
  l7160: {
    label: 'Avery L7160: A4, 21 labels of 63.5 × 38.1 mm',
    sheet: {
      ...{ ...A4, top: 15.15, left: 7.25, columns: 3, rows: 7 },
      ...{ width: 63.5, height: 38.1, columnGap: 2.5, rowGap: 0 },
    },
  },
  l7651: {
    label: 'Avery L7651: A4, 65 labels of 38.1 × 21.2 mm',
    sheet: {
      ...{ ...A4, top: 10.7, left: 4.75, columns: 5, rows: 13 },
      ...{ width: 38.1, height: 21.2, columnGap: 2.5, rowGap: 0 },
    },
  },
  a5160: {
    label: 'Avery 5160: Letter, 30 labels of 2 5/8 × 1 inches',
    sheet: {
      ...{ ...LETTER, top: 0.5 * INCH, left: 0.1875 * INCH, columns: 3, rows: 10 },
      ...{ width: 2.625 * INCH, height: INCH, columnGap: 0.125 * INCH, rowGap: 0 },
    },
  },
  a22806: {
    label: 'Avery 22806: Letter, 12 labels of 2 × 2 inches',
    sheet: {
      ...{ ...LETTER, top: 0.625 * INCH, left: 0.625 * INCH, columns: 3, rows: 4 },
      ...{ width: 2 * INCH, height: 2 * INCH, columnGap: 0.625 * INCH, rowGap: (7 / 12) * INCH },
    },
  },
  dymo99012: { label: 'DYMO 99012: roll, 89 × 36 mm', sheet: roll(89, 36) },
  dymo11354: { label: 'DYMO 11354: roll, 57 × 32 mm', sheet: roll(57, 32) },
  dk11209: { label: 'Brother DK-11209: roll, 62 × 29 mm', sheet: roll(62, 29) },
  dk22205: { label: 'Brother DK-22205: tape, 62 mm, cut after 40 mm', sheet: roll(62, 40) },
} as const satisfies Readonly<Record<string, NamedSheet>>;

export type SheetName = keyof typeof SHEETS;

/** How many labels a page has. */
export function labelsOf({ columns, rows }: Sheet): number {
  return columns * rows;
}

export function writeOwnSheet(sheet: Sheet): string {
  return ['own', ...MEASURES.map((name) => sheet[name])].join('_');
}

export function isSheetName(text: string): text is SheetName {
  return Object.hasOwn(SHEETS, text);
}

/** By its name, or one's own. Null for what is no sheet, or does not fit on its page. */
export function parseSheet(text: string): Sheet | null {
  if (isSheetName(text)) return SHEETS[text].sheet;
  if (!text.startsWith('own_')) return null;
  const numbers = text.split('_').slice(1);
  if (numbers.length !== MEASURES.length) return null;
  if (!numbers.every((one) => /^\d{1,3}(?:\.\d{1,2})?$/.test(one))) return null;
  const sheet = Object.fromEntries(
    MEASURES.map((name, at) => [name, Number(numbers[at])]),
  ) as unknown as Sheet;
  return findSheetProblem(sheet) === null ? sheet : null;
}

/** Of the least label: a code that a camera reads, and nothing beside it. */
export const MIN_LABEL = 12;
export const MAX_PAGE = 500;
export const MAX_COLUMNS = 20;
export const MAX_ROWS = 50;
/** What a measure may be off by, of paper that is measured with a ruler. */
const TOLERANCE = 0.1;

export interface SheetProblem {
  readonly measure: keyof Sheet;
  readonly message: string;
}

/** Why the labels cannot be on the page; null if they can. */
export function findSheetProblem(sheet: Sheet): SheetProblem | null {
  const { pageWidth, pageHeight, top, left, columns, rows, width, height } = sheet;
  const isWhole = Number.isInteger(columns) && Number.isInteger(rows);
  const isBounded =
    Math.max(pageWidth, pageHeight) <= MAX_PAGE && Math.min(width, height) >= MIN_LABEL;
  const isCounted = columns >= 1 && columns <= MAX_COLUMNS && rows >= 1 && rows <= MAX_ROWS;
  if (!isWhole || !isBounded || !isCounted)
    return { measure: 'columns', message: 'Check the measures: a sheet cannot have these' };
  const right = left + columns * width + (columns - 1) * sheet.columnGap;
  const bottom = top + rows * height + (rows - 1) * sheet.rowGap;
  const tell = (what: string, sum: number, side: string, page: number) =>
    `${what} need ${toMillimetres(sum)} mm, and the page ${side} ${toMillimetres(page)} mm`;
  if (right > pageWidth + TOLERANCE)
    return { measure: 'columns', message: tell('The columns', right, 'is as wide as', pageWidth) };
  if (bottom > pageHeight + TOLERANCE)
    return { measure: 'rows', message: tell('The rows', bottom, 'is as high as', pageHeight) };
  return null;
}

function toMillimetres(number: number): string {
  return String(Math.round(number * 100) / 100);
}
