/**
 * JSON of a body, read by a Standard Schema. A mistake in it is the client's, so it is told as a sentence, and not
 * thrown. Of a key that stands twice, the last value counts, as with JSON.parse.
 */
import { type Awaitable, andThen } from '../http/awaitable.ts';
import type { JsonFlaw } from '../http/json.ts';
import { askSchema, type SchemaIssue, type StandardSchema } from './standard-schema.ts';

/** What was read, or why it cannot be used: without the values, because they may be secrets. */
export type JsonResult<V> =
  | { readonly value: V; readonly flaw: null }
  | { readonly value: null; readonly flaw: string };

/** Lists and objects within each other: more could exhaust the stack of a schema that calls itself. */
export const MAX_DEPTH = 100;

/**
 * Parses JSON in UTF-8 (RFC 8259 section 8.1). Members named `__proto__` are left out: code that copies the value could
 * change with them what all objects have.
 */
export function parseJson(body: Uint8Array): JsonResult<unknown> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    const value: unknown = JSON.parse(text);
    return isHarmless(value) ? { value, flaw: null } : { value: null, flaw: 'it is too deep' };
  } catch (error) {
    return { value: null, flaw: error instanceof SyntaxError ? 'it is no JSON' : 'it is no UTF-8' };
  }
}

/** False for a value that is too deep. */
function isHarmless(value: unknown): boolean {
  const left: (readonly [value: unknown, depth: number])[] = [[value, 1]];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    const [container, depth] = one;
    if (typeof container !== 'object' || container === null) continue;
    if (depth > MAX_DEPTH) return false;
    if (Object.hasOwn(container, '__proto__')) Reflect.deleteProperty(container, '__proto__');
    for (const inner of Object.values(container)) left.push([inner, depth + 1]);
  }
  return true;
}

/** The value as the schema returns it; as it is without one. */
export function readValue<V>(
  value: unknown,
  schema: StandardSchema<unknown, V> | undefined,
): Awaitable<JsonResult<V>> {
  if (schema === undefined) return { value: value as V, flaw: null };
  return andThen(askSchema(schema, value), (result) =>
    result.issues === undefined
      ? { value: result.value, flaw: null }
      : { value: null, flaw: toFlaw(result.issues) },
  );
}

/** Issues that a sentence lists. */
const MAX_ISSUES = 5;

function toFlaw(issues: readonly SchemaIssue[]): string {
  const told = issues.slice(0, MAX_ISSUES).map(toJsonFlaw);
  const list = told.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
  return `the schema refuses it${list === '' ? '' : ` (${list})`}`;
}

/** The place of an issue as a JSON Pointer. */
export function toJsonFlaw({ message, path = [] }: SchemaIssue): JsonFlaw {
  const names = path.map((part) => String(typeof part === 'object' ? part.key : part));
  const escaped = names.map((name) => {
    // RFC 6901 sections 3 and 6.
    const token = name.replaceAll('~', '~0').replaceAll('/', '~1');
    return `/${encodeURIComponent(token.toWellFormed())}`;
  });
  return { detail: message, pointer: `#${escaped.join('')}` };
}
