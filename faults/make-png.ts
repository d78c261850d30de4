/** A small photo as a PNG, with colours that depend on a text. */
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const EDGE = 24;

export function makePng(text: string): Uint8Array<ArrayBuffer> {
  const [red = 0, green = 0, blue = 0, shift = 0] = createHash('sha256').update(text).digest();
  const row = (y: number) => [
    0,
    ...Array.from({ length: EDGE }, (_, x) => [red, green, (blue + x * shift + y) % 256]).flat(),
  ];
  const rows = Array.from({ length: EDGE }, (_, y) => row(y)).flat();
  const head = Buffer.alloc(13);
  head.writeUInt32BE(EDGE);
  head.writeUInt32BE(EDGE, 4);
  // Eight bits for each of three colours.
  head.set([8, 2, 0, 0, 0], 8);
  const parts = [
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    toChunk('IHDR', head),
    toChunk('IDAT', deflateSync(Buffer.from(rows))),
    toChunk('IEND', Buffer.of()),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

function toChunk(type: string, data: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const named = Buffer.concat([Buffer.from(type), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
