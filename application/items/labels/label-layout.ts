/**
 * Where the labels stand on their pages, and what stands where on a label, in millimetres: the same for the page that
 * prints and for the PDF. The code is on the left, or above the text if the label is no wider than high.
 *
 * Text that does not fit is cut with “…”: the name takes the lines that the others leave, each other text has one line,
 * and the last ones are left out if they have no room.
 */
import { labelsOf, type Sheet } from './sheets.ts';

export interface Place {
  readonly page: number;
  readonly left: number;
  readonly top: number;
}

/** Of the label with the index, from the first label of the first sheet. */
export function placeOf(sheet: Sheet, index: number): Place {
  const page = Math.floor(index / labelsOf(sheet));
  const onPage = index % labelsOf(sheet);
  const [row, column] = [Math.floor(onPage / sheet.columns), onPage % sheet.columns];
  return {
    page,
    left: sheet.left + column * (sheet.width + sheet.columnGap),
    top: sheet.top + row * (sheet.height + sheet.rowGap),
  };
}

export interface LabelLayout {
  /** Between the edge of the label and what is on it. */
  readonly padding: number;
  readonly isStacked: boolean;
  /** The side of the code, with the quiet zone around it. */
  readonly code: number;
  /** Between the code and the text. */
  readonly gap: number;
  readonly textWidth: number;
  readonly textHeight: number;
  /** Sizes of the fonts, of the name and of the other texts; a line is as high as `LINE` of it. */
  readonly nameSize: number;
  readonly smallSize: number;
}

export const LINE = 1.2;
/** Labels of less than this many times their height have the text below the code. */
const WIDE = 1.3;

export function layOut({ width, height }: Sheet): LabelLayout {
  // A printer of rolls leaves up to 3 mm empty.
  const padding = Math.min(width, height) < 25 ? 1.5 : Math.min(width, height) < 28 ? 2 : 3;
  const [innerWidth, innerHeight] = [width - 2 * padding, height - 2 * padding];
  const isStacked = width < WIDE * height;
  const code = isStacked
    ? Math.min(innerWidth, innerHeight * 0.62)
    : Math.min(innerHeight, innerWidth * 0.46);
  const gap = 1;
  const textWidth = isStacked ? innerWidth : innerWidth - code - gap;
  const textHeight = isStacked ? innerHeight - code - gap : innerHeight;
  const nameSize = clamp(textHeight * (isStacked ? 0.19 : 0.115), 2.1, 4.5);
  const smallSize = Math.max(nameSize * 0.8, 1.9);
  return { padding, isStacked, code, gap, textWidth, textHeight, nameSize, smallSize };
}

/** How many lines the name may take, and how many of the other texts there are. */
export function shareLines({ textHeight, nameSize, smallSize }: LabelLayout, others: number) {
  const one = nameSize * LINE;
  const shown = Math.max(
    0,
    Math.min(others, Math.floor((textHeight - one) / (smallSize * LINE) + 0.01)),
  );
  const left = textHeight - shown * smallSize * LINE;
  return { nameLines: Math.max(1, Math.min(4, Math.floor(left / one + 0.01))), others: shown };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
