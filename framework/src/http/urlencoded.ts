/**
 * Parses `application/x-www-form-urlencoded` as browsers write it (WHATWG URL standard). A value
 * that is not UTF-8 or contains a NUL is returned with U+FFFD in their place, and with its `flaw`.
 */
import { isUtf8 } from 'node:buffer';
import { HttpError } from './http-error.ts';

export interface Entry {
  readonly name: string;
  readonly text: string;
  /** Why the text must be refused; null if it is valid. */
  readonly flaw: 'encoding' | 'nul' | null;
  /** The content, if the field holds a file; then the text is its name. */
  readonly file?: SentFile;
}

/** What the core of forms knows of a file; `fileField` makes it. */
export interface SentFile {
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
}

/** A body with more fields is refused, unless its form declares more: others have far fewer. */
export const MAX_FIELDS = 200;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const NEEDS_DECODING = /[\0%+\x80-\xff]/;

/** The fields of the body, in order. Throws a 400 for more than `max`. */
export function parseUrlencoded(body: Uint8Array, max: number = MAX_FIELDS): Entry[] {
  const source = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const entries: Entry[] = [];
  let start = 0;
  while (start < source.length) {
    if (source.charCodeAt(start) === 38 /* & */) {
      // Skipped here, so that a body of ampersands costs little.
      start++;
      continue;
    }
    const ampersand = source.indexOf('&', start);
    const end = ampersand === -1 ? source.length : ampersand;
    if (entries.length === max) {
      throw new HttpError(400, ({ words }) => words.tooManyFields(max));
    }
    entries.push(parsePair(source.slice(start, end)));
    start = end + 1;
  }
  return entries;
}

function parsePair(pair: string): Entry {
  const equals = pair.indexOf('=');
  const encoded = equals === -1 ? pair : pair.slice(0, equals);
  const name = NEEDS_DECODING.test(encoded) ? decodeText(unescapeBytes(encoded)).text : encoded;
  const value = equals === -1 ? '' : pair.slice(equals + 1);
  // Most need no decoding, and a spread would take longer than all of it.
  if (!NEEDS_DECODING.test(value)) return { name, text: value, flaw: null };
  const { text, flaw } = decodeText(unescapeBytes(value));
  return { name, text, flaw };
}

/** The text of a field, with its flaw. */
export function decodeText(bytes: Uint8Array): Omit<Entry, 'name'> {
  // Asked first, because an error for each of many fields would take ten times as long as to read them.
  const isValid = isUtf8(bytes);
  const text = decoder.decode(bytes);
  return isValid ? mark(text) : { text, flaw: 'encoding' };
}

function mark(text: string): Omit<Entry, 'name'> {
  // With many matches, split and join are five times as fast as replaceAll.
  return text.includes('\0')
    ? { text: text.split('\0').join('\u{fffd}'), flaw: 'nul' }
    : { text, flaw: null };
}

/**
 * Decodes percent escapes, and `+` as a space. A `%` that starts no escape stays a `%`, as in
 * browsers.
 */
function unescapeBytes(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes[index] as number;
    const high = code === 37 /* % */ ? hexDigit(bytes[index + 1]) : -1;
    const low = high === -1 ? -1 : hexDigit(bytes[index + 2]);
    if (low === -1) {
      bytes[length++] = code === 43 /* + */ ? 32 : code;
    } else {
      bytes[length++] = high * 16 + low;
      index += 2;
    }
  }
  return bytes.subarray(0, length);
}

/** -1 if it is not a hexadecimal digit. */
function hexDigit(code = 0): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}
