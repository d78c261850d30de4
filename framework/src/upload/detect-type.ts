/**
 * The media type of a content, with the package `file-type`. It knows formats by their bytes; text has none, so what
 * it does not know and has no NUL is text, of the type of text that the browser has sent.
 *
 * Before a PDF, readers accept other bytes, which some programs write. So a PDF is also what has its mark further on,
 * unless the browser says that it is text, as a text about PDF may be.
 */

/** At most 1,024 bytes are before it. */
const PDF = /^[\s\S]{0,1024}%PDF-\d/;

/** Resolves to an empty text for an unknown content. */
export async function detectType(
  head: Uint8Array,
  sent: { readonly type: string },
): Promise<string> {
  const { fileTypeFromBuffer } = await loadDetector();
  const found = await fileTypeFromBuffer(head);
  if (found !== undefined) return found.mime;
  const isText = !head.includes(0);
  if (isText && sent.type.startsWith('text/')) return sent.type;
  if (PDF.test(Buffer.from(head.subarray(0, 1_100)).toString('latin1'))) return 'application/pdf';
  return isText ? 'text/plain' : '';
}

/** A field with `types` calls it when it is made, so that a missing package shows at the start. */
export function loadDetector(): Promise<Pick<typeof import('file-type'), 'fileTypeFromBuffer'>> {
  return import('file-type').catch((cause) => {
    throw new TypeError(
      'Cannot find the types of files by their content: the package file-type is missing. Run npm install file-type, or leave out types.',
      { cause },
    );
  });
}
