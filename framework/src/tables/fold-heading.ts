/** What two headings have in common that mean the same. */

/** Characters of a heading. */
export const MAX_HEADING = 200;

/**
 * A heading without what makes no difference: capitals, accents, punctuation, what shows nothing, and the spellings
 * “ue” and “ü”. Two headings are the same if this is the same. Empty for one of more than 200 characters.
 */
export function foldHeading(heading: string): string {
  if (heading.length > MAX_HEADING) return '';
  return heading
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/([aou])e/g, '$1')
    .replaceAll(/[^\p{L}\p{N}#]+/gu, ' ')
    .trim();
}
