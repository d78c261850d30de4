/**
 * What the beginning of a file says of a picture: its format, its size, and whether it moves. Nothing is decoded, so it
 * costs nothing and can be asked of any bytes. What it says may be a lie: the process that makes the pictures checks
 * again.
 */

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'heic';

export interface PictureHead {
  readonly format: PictureFormat;
  /** In pixels, before it is turned; null where only a decoder can tell. */
  readonly size: PictureSize | null;
  readonly isAnimated: boolean;
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** So many bytes are enough: a JPEG may have a preview and the notes of its camera before its size. */
export const HEAD_BYTES = 524_288;

/** Null for anything else, such as SVG, GIF and PDF. */
export function readPictureHead(bytes: Uint8Array): PictureHead | null {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (at: number, length: number) =>
    String.fromCharCode(...bytes.subarray(at, at + length));
  if (bytes.length < 12) return null;
  if (data.getUint16(0) === 0xff_d8 && bytes[2] === 0xff)
    return { format: 'jpeg', size: readJpeg(data), isAnimated: false };
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return readPng(bytes, data);
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WEBP') return readWebp(data, text(12, 4));
  // A list of brands: HEVC in stills of Apple and others. Sequences (hevc, msf1) move.
  if (text(4, 4) === 'ftyp') {
    const brands = text(8, Math.min(data.getUint32(0), 64) - 8);
    if (/^(?:heic|heix|mif1.*hei[cx])/s.test(brands))
      return { format: 'heic', size: null, isAnimated: false };
  }
  return null;
}

/** The first frame header, behind any number of other segments. */
function readJpeg(data: DataView): PictureSize | null {
  let at = 2;
  while (at + 9 <= data.byteLength && data.getUint8(at) === 0xff) {
    const marker = data.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // C4, C8 and CC are no frames.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: data.getUint16(at + 7), height: data.getUint16(at + 5) };
    at += 2 + data.getUint16(at + 2);
  }
  return null;
}

function readPng(bytes: Uint8Array, data: DataView): PictureHead {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = bytes.length < 24 ? null : { width: data.getUint32(16), height: data.getUint32(20) };
  // The mark of an animation stands before the first pixels.
  const [animation, pixels] = [head.indexOf('acTL'), head.indexOf('IDAT')];
  const isAnimated = animation !== -1 && (pixels === -1 || animation < pixels);
  return { format: 'png', size, isAnimated };
}

function readWebp(data: DataView, chunk: string): PictureHead {
  const whole = { format: 'webp', isAnimated: false } as const;
  if (data.byteLength < 30) return { ...whole, size: null };
  if (chunk === 'VP8X') {
    const width = (data.getUint32(24, true) & 0xff_ff_ff) + 1;
    const height = (data.getUint32(26, true) >>> 8) + 1;
    const isAnimated = (data.getUint8(20) & 2) !== 0;
    return { format: 'webp', size: { width, height: height & 0xff_ff_ff }, isAnimated };
  }
  if (chunk === 'VP8L') {
    const bits = data.getUint32(21, true);
    return {
      ...whole,
      size: { width: (bits & 0x3f_ff) + 1, height: ((bits >> 14) & 0x3f_ff) + 1 },
    };
  }
  const size = {
    width: data.getUint16(26, true) & 0x3f_ff,
    height: data.getUint16(28, true) & 0x3f_ff,
  };
  return { ...whole, size };
}
