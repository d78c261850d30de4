/** CBOR (RFC 8949) of the values that authenticators write: whole numbers, bytes, texts, lists and maps. */

export type CborValue =
  | number
  | string
  | Uint8Array
  | readonly CborValue[]
  | ReadonlyMap<number | string, CborValue>;

export function encodeCbor(value: CborValue): Uint8Array {
  if (typeof value === 'number')
    return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([encodeHead(3, bytes.length), bytes]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([encodeHead(2, value.length), value]);
  if (value instanceof Map) {
    const entries = [...value].flatMap(([name, one]) => [encodeCbor(name), encodeCbor(one)]);
    return Buffer.concat([encodeHead(5, value.size), ...entries]);
  }
  const list = value as readonly CborValue[];
  return Buffer.concat([encodeHead(4, list.length), ...list.map(encodeCbor)]);
}

/** A major type with its argument. */
function encodeHead(type: number, argument: number): Buffer {
  const major = type << 5;
  if (argument < 24) return Buffer.from([major | argument]);
  if (argument < 0x100) return Buffer.from([major | 24, argument]);
  return Buffer.from([major | 25, argument >> 8, argument & 0xff]);
}
