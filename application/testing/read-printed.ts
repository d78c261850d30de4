/**
 * Looks at a PDF as a printer and a scanner do, with the programs of Debian: where ink is, in millimetres, and what its
 * codes say.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireProgram } from '../../deploy/find-program.ts';

const DPI = 300;
const PIXELS = DPI / 25.4;

/** Whether it is dark, from the corner at the top left. */
interface Page {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array;
}

/** In millimetres. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The pages in 256 greys, at 300 dots per inch. */
export function drawPages(pdf: Uint8Array): readonly Page[] {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  try {
    writeFileSync(join(folder, 'in.pdf'), pdf);
    const program = requireProgram('pdftoppm');
    execFileSync(program, [
      '-gray',
      '-r',
      String(DPI),
      join(folder, 'in.pdf'),
      join(folder, 'out'),
    ]);
    const files = readdirSync(folder).filter((file) => file.startsWith('out'));
    return files.sort().map((file) => parsePgm(readFileSync(join(folder, file))));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function parsePgm(file: Buffer): Page {
  const [head = '', width = '', height = ''] =
    /^P5\s(\d+)\s(\d+)\s255\s/.exec(file.toString('latin1', 0, 40)) ?? [];
  return { width: Number(width), height: Number(height), grey: file.subarray(head.length) };
}

export function sizeOf({ width, height }: Page) {
  return { width: width / PIXELS, height: height / PIXELS };
}

/** Where the edges of the box were drawn: the darkest column or row within a millimetre of where each should be. */
export function findEdges(page: Page, box: Box): Box {
  const edge = (at: number, isColumn: boolean) => {
    const [from, to] = isColumn
      ? [box.top, box.top + box.height]
      : [box.left, box.left + box.width];
    let best = { at: -1, dark: -1 };
    for (let line = Math.round((at - 1) * PIXELS); line <= (at + 1) * PIXELS; line++) {
      // Between the corners, which belong to the neighbours too.
      let dark = 0;
      for (let along = Math.round((from + 2) * PIXELS); along < (to - 2) * PIXELS; along++)
        dark += isColumn ? darkness(page, line, along) : darkness(page, along, line);
      if (dark > best.dark) best = { at: line, dark };
    }
    return (best.at + 0.5) / PIXELS;
  };
  const [left, top] = [edge(box.left, true), edge(box.top, false)];
  return {
    ...{ left, top },
    width: edge(box.left + box.width, true) - left,
    height: edge(box.top + box.height, false) - top,
  };
}

function darkness({ width, height, grey }: Page, x: number, y: number): number {
  return x < 0 || y < 0 || x >= width || y >= height ? 0 : 255 - (grey[y * width + x] ?? 255);
}

/** Which part of the box is not white, within its edges. */
export function inkIn(page: Page, { left, top, width, height }: Box): number {
  let [inked, all] = [0, 0];
  for (let y = Math.ceil(top * PIXELS) + 1; y < (top + height) * PIXELS - 1; y++)
    for (let x = Math.ceil(left * PIXELS) + 1; x < (left + width) * PIXELS - 1; x++, all++)
      if (darkness(page, x, y) > 0) inked++;
  return inked / all;
}

/** What the code in each of the boxes says, as `zbarimg` reads it; empty without one. */
export function readCodes(page: Page, boxes: readonly Box[]): readonly string[] {
  return boxes.map(({ left, top, width, height }) => {
    const [x, y] = [Math.round(left * PIXELS), Math.round(top * PIXELS)];
    const [columns, rows] = [Math.round(width * PIXELS), Math.round(height * PIXELS)];
    const lines = Array.from({ length: rows }, (_, row) =>
      page.grey.subarray((y + row) * page.width + x, (y + row) * page.width + x + columns),
    );
    const input = Buffer.concat([Buffer.from(`P5 ${columns} ${rows} 255\n`), ...lines]);
    const options = ['-q', '--raw', '--nodbus', '-Sdisable', '-Sqrcode.enable', '-'];
    return spawnSync(requireProgram('zbarimg'), options, { input }).stdout.toString().trim();
  });
}
