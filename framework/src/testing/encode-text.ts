/** Encodes a text as older programs do, for tests. Throws for a character that the encoding does not have. */
import { decodeBytes, type Encoding } from '../tables/encodings.ts';

export function encodeText(text: string, encoding: Encoding): Buffer {
  const bytes = bytesIn(encoding);
  return Buffer.concat(
    [...text].map((character) => {
      const found = character <= '\x7f' ? [character.charCodeAt(0)] : bytes.get(character);
      if (found === undefined) throw new RangeError(`Cannot encode “${character}” in ${encoding}.`);
      return Uint8Array.from(found);
    }),
  );
}

const known = new Map<Encoding, ReadonlyMap<string, readonly number[]>>();

/** The bytes of each character above ASCII. Of encodings with several bytes, Shift_JIS alone. */
function bytesIn(encoding: Encoding): ReadonlyMap<string, readonly number[]> {
  const before = known.get(encoding);
  if (before !== undefined) return before;
  const bytes = new Map<string, readonly number[]>();
  const add = (...one: readonly number[]) => {
    const raw = one.map((byte) => String.fromCharCode(byte > 0x7f ? 0xf700 + byte : byte)).join('');
    const character = decodeBytes(raw, encoding);
    if ([...character].length === 1 && !bytes.has(character)) bytes.set(character, one);
  };
  for (let byte = 0x80; byte <= 0xff; byte++) add(byte);
  if (encoding === 'shift_jis')
    for (let lead = 0x81; lead < 0xa0; lead++)
      for (let trail = 0x40; trail < 0xfd; trail++) add(lead, trail);
  known.set(encoding, bytes);
  return bytes;
}
