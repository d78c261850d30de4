/**
 * Flaws in the HTML of a page, for tests: tags that are not closed in order, repeated ids, skipped headings,
 * control characters.
 */

const VOID = new Set(['meta', 'link', 'input', 'br', 'hr', 'img']);
const TEXT = `[^<>&]|&(?:amp|lt|gt|quot|#39);`;
const ATTRIBUTE = String.raw`\s+[a-z-]+(?:="(?:[^"<&]|&(?:amp|lt|gt|quot|#39);)*")?`;
const PART = new RegExp(
  `(?:${TEXT})+|<!doctype html>|<(?<opened>[a-z][a-z0-9]*)(?<attributes>(?:${ATTRIBUTE})*)>|</(?<closed>[a-z][a-z0-9]*)>`,
  'y',
);

export function findFlaws(markup: string): readonly string[] {
  const flaws: string[] = [];
  const open: string[] = [];
  const ids = new Set<string>();
  let level = 0;
  PART.lastIndex = 0;
  while (PART.lastIndex < markup.length) {
    const at = PART.lastIndex;
    const groups = PART.exec(markup)?.groups;
    if (groups === undefined) return [...flaws, `cannot read ${markup.slice(at, at + 80)}`];
    const { opened, attributes = '', closed } = groups;
    if (closed !== undefined && open.pop() !== closed) flaws.push(`</${closed}> closes nothing`);
    if (opened === undefined) continue;
    if (!VOID.has(opened)) open.push(opened);
    const id = / id="([^"]*)"/.exec(attributes)?.[1];
    if (id !== undefined && (ids.has(id) || id === '')) flaws.push(`the id "${id}" is repeated`);
    if (id !== undefined) ids.add(id);
    const heading = Number(/^h([1-6])$/.exec(opened)?.[1] ?? 0);
    if (heading === 0) continue;
    if (heading > level + 1 || (heading === 1 && level !== 0))
      flaws.push(`<${opened}> follows <h${level}>`);
    level = heading;
  }
  if (/[^\P{Cc}\n]/u.test(markup)) flaws.push('there is a control character');
  if (level === 0) flaws.push('there is no heading');
  return open.length === 0 ? flaws : [...flaws, `<${open.at(-1)}> is not closed`];
}
