/** Says what to write instead of percent escapes in a pattern's text. */

/** Why percent escapes are refused: the text is compared with a decoded path. */
export function explainEscapes(escapes: string): string {
  const text = decodeText(escapes);
  if (text?.includes('/')) {
    return 'only a parameter can match an escaped slash; write "\\%" for a percent sign';
  }
  const remedy = text === null ? 'the character itself' : `"${text}"`;
  return `a path is decoded before it is matched; write ${remedy} instead of "${escapes}", or "\\%" for a percent sign itself`;
}

/** Null if the bytes are not UTF-8. */
function decodeText(escapes: string): string | null {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return null;
  }
}
