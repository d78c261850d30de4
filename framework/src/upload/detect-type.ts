/**
 * The media type of a content, with the package `file-type`. It knows formats by their bytes; text has none, so what
 * it does not know and has no NUL is text, of the type of text that the browser has sent.
 */

/** Resolves to an empty text for an unknown content. */
export async function detectType(
  head: Uint8Array,
  sent: { readonly type: string },
): Promise<string> {
  const { fileTypeFromBuffer } = await loadDetector();
  const found = await fileTypeFromBuffer(head);
  if (found !== undefined) return found.mime;
  if (head.includes(0)) return '';
  return sent.type.startsWith('text/') ? sent.type : 'text/plain';
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
