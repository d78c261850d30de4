/** A PNG of its parts. */
import { crc32, deflateSync } from 'node:zlib';

export interface PngParts {
  readonly width: number;
  readonly height: number;
  /** Bits of a sample, and the type of colour: section 11.2.1 of the standard. */
  readonly depth: number;
  readonly colour: number;
  /** Each row begins with its filter. They may be fewer than the height says. */
  readonly rows: Uint8Array;
}

export function joinPng({ width, height, depth, colour, rows }: PngParts): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([depth, colour], 8);
  const parts = [
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    toChunk('IHDR', head),
    toChunk('IDAT', deflateSync(rows)),
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
