/**
 * Entity tags, which identify a version of a page or file (RFC 9110 section 8.8.3). `If-None-Match`
 * compares them weakly, `If-Match` strongly (sections 13.1.1 and 13.1.2).
 */

const TAG = '(?:W/)?"[!#-~\\x80-\\xff]*"';
/** A list of tags, such as `"a", W/"b"`. Other text fails in linear time. */
const TAG_LIST = new RegExp(
  `^[ \\t,]*(?:${TAG}[ \\t]*(?:,[ \\t,]*${TAG}[ \\t]*)*(?:,[ \\t,]*)?)?$`,
);

/**
 * Whether the list of an `If-None-Match` contains the tag, by weak comparison; `*` is not handled here.
 */
export function listsTag(list: string, tag: string): boolean {
  if (list === tag) return true;
  const opaque = tag.slice(tag.indexOf('"'));
  return tagsOf(list, /"[^"]*"/g).includes(opaque);
}

/**
 * Whether the list of an `If-Match` contains the tag, by strong comparison; a weak tag never matches.
 */
export function listsStrongTag(list: string, tag: string): boolean {
  return tag.startsWith('"') && tagsOf(list, /(?:W\/)?"[^"]*"/g).includes(tag);
}

/** Empty if the text is not a list of tags. */
function tagsOf(list: string, each: RegExp): readonly string[] {
  return TAG_LIST.test(list) ? (list.match(each) ?? []) : [];
}

/** Whether an `If-None-Match` or `If-Match` is `*`, which matches any tag. */
export function isAnyTag(list: string): boolean {
  return list.trim() === '*';
}
