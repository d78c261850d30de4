/**
 * The encodings in which old programs save text. A file that is not in UTF-8 or UTF-16 is stored with each byte above
 * ASCII as a character from U+F780 to U+F7FF, as the encoding `x-user-defined` of the web does. So people can choose
 * its encoding after they have seen how it was read.
 */
import type { TableRow } from './read-records.ts';

export const BYTES_AS_CHARACTERS = 'x-user-defined';

/** The encodings of old programs, for a `choiceField`. The commonest come first. */
export const ENCODINGS = [
  { value: 'windows-1252', label: 'Windows-1252, western Europe' },
  { value: 'windows-1250', label: 'Windows-1250, central Europe' },
  { value: 'windows-1254', label: 'Windows-1254, Turkish' },
  { value: 'windows-1251', label: 'Windows-1251, Cyrillic' },
  { value: 'macintosh', label: 'Mac Roman, western Europe' },
  { value: 'cp850', label: 'CP850, western Europe in DOS' },
  { value: 'shift_jis', label: 'Shift_JIS, Japanese' },
  { value: 'windows-1253', label: 'Windows-1253, Greek' },
  { value: 'windows-1257', label: 'Windows-1257, Baltic' },
  { value: 'windows-1255', label: 'Windows-1255, Hebrew' },
  { value: 'windows-1256', label: 'Windows-1256, Arabic' },
  { value: 'windows-1258', label: 'Windows-1258, Vietnamese' },
  { value: 'windows-874', label: 'Windows-874, Thai' },
  { value: 'iso-8859-2', label: 'ISO 8859-2, central Europe' },
  { value: 'koi8-r', label: 'KOI8-R, Cyrillic' },
  { value: 'ibm866', label: 'CP866, Cyrillic in DOS' },
  { value: 'euc-jp', label: 'EUC-JP, Japanese' },
  { value: 'gb18030', label: 'GB 18030, simplified Chinese' },
  { value: 'big5', label: 'Big5, traditional Chinese' },
  { value: 'euc-kr', label: 'EUC-KR, Korean' },
] as const;

/** As `TextDecoder` names it, or `cp850`. */
export type Encoding = (typeof ENCODINGS)[number]['value'];

/** 0x80 to 0xff. No TextDecoder has it. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

const BYTES = /[\uf780-\uf7ff]/;
const decoders = new Map<Encoding, (bytes: Buffer) => string>();

/** Decodes a text in which bytes are characters; null for a text in UTF-8. What is invalid becomes U+FFFD. */
export function decodeBytes(text: string, encoding: Encoding | null): string {
  if (encoding === null || !BYTES.test(text)) return text;
  let decode = decoders.get(encoding);
  if (decode === undefined) {
    if (encoding === 'cp850')
      decode = (bytes) =>
        bytes
          .toString('latin1')
          .replaceAll(/[\x80-\xff]/g, (one) => CP850[one.charCodeAt(0) - 128] ?? '');
    else {
      const decoder = new TextDecoder(encoding);
      decode = (bytes) => decoder.decode(bytes);
    }
    decoders.set(encoding, decode);
  }
  // The lower half of each character is its byte.
  return decode(Buffer.from(text, 'latin1'));
}

/** The row itself for a text in UTF-8. */
export function decodeRow(row: TableRow, encoding: Encoding | null): TableRow {
  if (encoding === null) return row;
  return { ...row, cells: row.cells.map((cell) => decodeBytes(cell, encoding)) };
}

export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
