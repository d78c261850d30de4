/**
 * JSON of a body, read by a Standard Schema. A mistake in it is the client's, so it is told as a sentence, and not
 * thrown. Of a key that stands twice, the last value counts, as with JSON.parse.
 */
import { type Awaitable, andThen } from '../http/awaitable.ts';
import { askSchema, type SchemaIssue, type StandardSchema } from './standard-schema.ts';

/** What was read, or why it cannot be used: without the values, because they may be secrets. */
export type JsonResult<V> =
  | { readonly value: V; readonly flaw: null }
  | { readonly value: null; readonly flaw: string };

/** Parses JSON in UTF-8 (RFC 8259 section 8.1). */
export function parseJson(body: Uint8Array): JsonResult<unknown> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    return { value: JSON.parse(text), flaw: null };
  } catch (error) {
    return { value: null, flaw: error instanceof SyntaxError ? 'it is no JSON' : 'it is no UTF-8' };
  }
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
  const told = issues.slice(0, MAX_ISSUES).map(({ path = [], message }) => {
    const keys = path.map((key) => String(typeof key === 'object' ? key.key : key));
    return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
  });
  return `the schema refuses it${told.length === 0 ? '' : ` (${told.join('; ')})`}`;
}
