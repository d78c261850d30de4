/** Refuses patterns that are valid but misleading. */
import type { Part } from './parse-parts.ts';
import { PatternError } from './pattern-error.ts';

/** Throws a PatternError with the remedy. */
export function checkParts(source: string, parts: readonly Part[]): void {
  for (const part of parts) {
    if (part.kind === 'value' && part.name === '__proto__') {
      throw new PatternError(
        source,
        part.index,
        'every JavaScript object already has a property named "__proto__"; use another name',
      );
    }
  }
  const skeleton = source.includes('.') ? parts.map(textOf).join('') : '';
  if (DOT_SEGMENT.test(skeleton)) {
    throw new PatternError(
      source,
      Math.max(0, source.search(DOTS)),
      'a browser resolves "." and ".." before it sends a path, so no path has such a segment; remove it',
    );
  }
  if (parts.every(({ modifier }) => modifier === '?' || modifier === '*')) {
    throw new PatternError(source, 0, explainEmpty(parts));
  }
}

const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;
/** Their positions in the source, unless they are escaped. */
const DOTS = /(?<=\/)\.{1,2}(?:[/}]|$)/;

/** With a letter in place of each value. */
function textOf(part: Part): string {
  return part.kind === 'text' ? part.text : `${part.prefix}x${part.suffix}`;
}

/** An optional parameter includes the slash before it, so the pattern would not match "/". */
function explainEmpty([part, ...others]: readonly Part[]): string {
  if (part?.kind !== 'value' || part.prefix !== '/' || part.suffix !== '' || others.length > 0)
    return 'all its parts are optional, but no path is empty; remove a "?" or "*"';
  const { name, expression, modifier } = part;
  const value = /^\d/.test(name)
    ? `(${expression})`
    : `:${name}${expression === null ? '' : `(${expression})`}`;
  const remedy = expression === '*' || modifier === '*' ? '/*' : `/{${value}}?`;
  return `a slash is left out together with its parameter, so that this takes no "/"; write "${remedy}"`;
}
