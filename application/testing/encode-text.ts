/** Encodes a text as older programs do, for tests. Throws for a character that the encoding does not have. */
export function encodeText(text: string, encoding: 'windows-1252' | 'macintosh'): Buffer {
  const characters = new TextDecoder(encoding).decode(
    Uint8Array.from({ length: 256 }, (_, at) => at),
  );
  return Buffer.from(
    [...text].map((character) => {
      const byte = characters.indexOf(character);
      if (byte === -1) throw new RangeError(`Cannot encode “${character}” in ${encoding}.`);
      return byte;
    }),
  );
}
