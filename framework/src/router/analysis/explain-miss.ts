/**
 * Says in words why a path does not match a pattern: the number of segments, or the first segment that
 * differs. For patterns that do not consist of segments, it can only compare the prefix.
 */
import type { Pattern } from '../pattern/pattern.ts';
import { toTypedPath } from './sample-path.ts';

/** `path` does not match and is decoded as in target.ts; the text shows it as it can be typed. */
export function explainMiss(pattern: Pattern, path: string): string {
  const { segments, prefix } = pattern;
  if (!path.startsWith('/')) return 'the path does not start with "/"';
  if (segments === null) {
    return path.startsWith(prefix)
      ? 'the path as a whole does not fit'
      : `the path does not start with ${show(prefix)}`;
  }
  const given = path.slice(1).split('/');
  if (given.length !== segments.length)
    return `the path has ${count(given.length)}, the pattern has ${segments.length}`;
  const values = pattern.parts.filter((part) => part.kind === 'value');
  let parameters = 0;
  for (const [index, { text, test }] of segments.entries()) {
    const actual = given[index] ?? '';
    const place = `segment ${index + 1}`;
    if (text !== null) {
      if (text === actual) continue;
      return `${place} is ${show(actual)}, the pattern has ${show(text)}`;
    }
    const expression = values[parameters++]?.expression;
    if (test === null && actual === '') return `${place} is empty`;
    if (test !== null && !test(actual, 0, actual.length))
      return `${place}, ${show(actual)}, does not match ${expression}`;
  }
  return 'the path as a whole does not fit';
}

function count(segments: number): string {
  return segments === 1 ? '1 segment' : `${segments} segments`;
}

function show(text: string): string {
  return `"${toTypedPath(text)}"`;
}
