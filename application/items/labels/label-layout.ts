/**
 * Where the labels stand on their pages, and what stands where on a label, in millimetres: the same for the page that
 * prints and for the PDF. The code is on the left, or above the text if the label is no wider than high. The picture of
 * the thing is beside the code above the text, or takes a part of the place of the text: of all labels of a sheet the
 * same, also of things without one.
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

/** In the label, from its corner. */
interface Square {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

export interface LabelLayout {
  /** Whether the text is below the code: then it is centred, and begins at the top of its place. */
  readonly isStacked: boolean;
  /** With the quiet zone around it. */
  readonly code: Square;
  /** Null without one, or if the label has no room for it. */
  readonly picture: Square | null;
  readonly text: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  /** Sizes of the fonts, of the name and of the other texts; a line is as high as `LINE` of it. */
  readonly nameSize: number;
  readonly smallSize: number;
}

export const LINE = 1.2;
/** Labels of less than this many times their height have the text below the code. */
const WIDE = 1.3;
/** Between the code, the picture and the text. */
const GAP = 1;
/** Of a picture: a smaller one shows nothing, and a larger one has too few pixels for paper. */
const [MIN_PICTURE, MAX_PICTURE] = [5, 14];

export function layOut({ width, height }: Sheet, hasPicture: boolean): LabelLayout {
  // A printer of rolls leaves up to 3 mm empty.
  const padding = Math.min(width, height) < 25 ? 1.5 : Math.min(width, height) < 28 ? 2 : 3;
  const [innerWidth, innerHeight] = [width - 2 * padding, height - 2 * padding];
  const isStacked = width < WIDE * height;
  const side = isStacked
    ? Math.min(innerWidth, innerHeight * 0.62)
    : Math.min(innerHeight, innerWidth * 0.46);
  const code = isStacked
    ? { left: (width - side) / 2, top: padding, side }
    : { left: padding, top: (height - side) / 2, side };
  const text = isStacked
    ? {
        left: padding,
        top: padding + side + GAP,
        width: innerWidth,
        height: innerHeight - side - GAP,
      }
    : {
        left: padding + side + GAP,
        top: padding,
        width: innerWidth - side - GAP,
        height: innerHeight,
      };
  const nameSize = clamp(text.height * (isStacked ? 0.19 : 0.115), 2.1, 4.5);
  const sizes = { nameSize, smallSize: Math.max(nameSize * 0.8, 1.9) };
  const places = { code, text, picture: null };
  return {
    isStacked,
    ...sizes,
    ...(hasPicture ? withPicture(places, { isStacked, width }) : places),
  };
}

type Places = Pick<LabelLayout, 'code' | 'picture' | 'text'>;

function withPicture(
  { code, text, ...without }: Places,
  { isStacked, width }: { isStacked: boolean; width: number },
): Places {
  const beside = isStacked ? Math.min(text.width - code.side - GAP, code.side, MAX_PICTURE) : 0;
  if (beside >= MIN_PICTURE) {
    const left = (width - code.side - GAP - beside) / 2;
    const picture = {
      ...{ left: left + code.side + GAP, side: beside },
      top: code.top + (code.side - beside) / 2,
    };
    return { code: { ...code, left }, text, picture };
  }
  const isWide = text.width > 1.6 * text.height;
  const share = isWide ? text.width / 3 : Math.min(text.height * 0.36, text.width);
  const side = Math.min(share, text.height, MAX_PICTURE);
  if (side < MIN_PICTURE) return { code, text, ...without };
  const { left, top } = text;
  if (isWide) {
    const picture = { left: left + text.width - side, top: top + (text.height - side) / 2, side };
    return { code, text: { ...text, width: text.width - side - GAP }, picture };
  }
  const picture = { left: isStacked ? (width - side) / 2 : left, top, side };
  const taken = side + GAP;
  return { code, text: { ...text, top: top + taken, height: text.height - taken }, picture };
}

/** How many lines the name may take, and how many of the other texts there are. */
export function shareLines({ text, nameSize, smallSize }: LabelLayout, others: number) {
  const one = nameSize * LINE;
  const shown = Math.max(
    0,
    Math.min(others, Math.floor((text.height - one) / (smallSize * LINE) + 0.01)),
  );
  const left = text.height - shown * smallSize * LINE;
  return { nameLines: Math.max(1, Math.min(4, Math.floor(left / one + 0.01))), others: shown };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
