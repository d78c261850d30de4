/**
 * Entity tags: the names of what a browser may keep (RFC 9110 section 8.8.3). They are compared
 * weakly, which is what `If-None-Match` asks for (section 13.1.2).
 */

/** Whether the list of an `If-None-Match` names the tag; `*` is not looked at. */
export function listsTag(list: string, tag: string): boolean {
  if (list === tag) return true;
  const opaque = tag.slice(tag.indexOf('"'));
  return list.match(/"[^"]*"/g)?.some((one) => one === opaque) === true;
}

/** Whether an `If-None-Match` asks for whatever there is. */
export function isAnyTag(list: string): boolean {
  return list.trim() === '*';
}
