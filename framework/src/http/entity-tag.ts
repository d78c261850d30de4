/**
 * Entity tags: the names of what a browser may keep (RFC 9110 section 8.8.3). `If-None-Match` compares
 * them weakly, `If-Match` strongly (sections 13.1.1 and 13.1.2).
 */

const TAG = '(?:W/)?"[!#-~\\x80-\\xff]*"';
/** A list of tags, such as `"a", W/"b"`; a text that is none is given up in one pass. */
export const TAG_LIST = new RegExp(
  `^[ \\t,]*(?:${TAG}[ \\t]*(?:,[ \\t,]*${TAG}[ \\t]*)*(?:,[ \\t,]*)?)?$`,
);

/** Whether the list of an `If-None-Match` names the tag, compared weakly; `*` is not looked at. */
export function listsTag(list: string, tag: string): boolean {
  if (list === tag) return true;
  const opaque = tag.slice(tag.indexOf('"'));
  return tagsOf(list, /"[^"]*"/g).includes(opaque);
}

/** Whether the list of an `If-Match` names the tag, compared strongly: a weak tag is never named. */
export function listsStrongTag(list: string, tag: string): boolean {
  return tag.startsWith('"') && tagsOf(list, /(?:W\/)?"[^"]*"/g).includes(tag);
}

/** None of a text that is not a list of tags. */
function tagsOf(list: string, each: RegExp): readonly string[] {
  return TAG_LIST.test(list) ? (list.match(each) ?? []) : [];
}

/** Whether an `If-None-Match` or `If-Match` asks for whatever there is. */
export function isAnyTag(list: string): boolean {
  return list.trim() === '*';
}
