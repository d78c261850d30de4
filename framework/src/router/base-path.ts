/**
 * The base: the path under which a whole site is served, such as `/inventory`, because a proxy passes on
 * what begins with it. Patterns do not contain it, links do.
 */

/** Throws a TypeError unless the text is empty or a path of plain segments without a slash at its end. */
export function checkBase(base: string): string {
  const isPlain = base === '' || /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/.test(base);
  if (isPlain) return base;
  throw new TypeError(
    `Cannot serve a site under ${JSON.stringify(base)}: a base begins with "/", does not end with it, and has only letters, digits, ".", "_", "~" and "-" in its segments, as "/inventory" has.`,
  );
}
