/** A small photo as a PNG, with colours that depend on a text. */
import { createHash } from 'node:crypto';
import { joinPng } from '../application/testing/join-png.ts';

const EDGE = 24;

export function makePng(text: string): Uint8Array<ArrayBuffer> {
  const [red = 0, green = 0, blue = 0, shift = 0] = createHash('sha256').update(text).digest();
  const row = (y: number) => [
    0,
    ...Array.from({ length: EDGE }, (_, x) => [red, green, (blue + x * shift + y) % 256]).flat(),
  ];
  const rows = Array.from({ length: EDGE }, (_, y) => row(y)).flat();
  // Eight bits for each of three colours.
  return joinPng({ width: EDGE, height: EDGE, depth: 8, colour: 2, rows: Buffer.from(rows) });
}
