/**
 * Reads a body of JSON by a Standard Schema, for programs. As in a form, nothing of it reaches the handler that the
 * schema did not let through.
 */
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { MAX_DEPTH, parseJson, toJsonFlaw } from '../field/json-value.ts';
import { askSchema, SCHEMA, type StandardSchema } from '../field/standard-schema.ts';
import { formLimitSlot } from '../form/form-of.ts';
import { notA, requireUncompressed } from '../form/read-form.ts';
import { readBody } from '../http/body.ts';
import { COUNT, checkOptions, describeValue, type OptionKinds } from '../http/check-options.ts';
import { JsonRefused } from '../http/json.ts';
import { isJsonType } from '../http/media-type.ts';

/** What `readJson` adds to the context. */
export interface JsonContext<Output> {
  /** The value of the body, as the schema returned it. */
  readonly json: Output;
}

/** Options of `readJson`. */
export interface ReadJsonOptions {
  /** The largest body, in bytes; by default that of the forms of the site, or 1 MiB. */
  readonly limit?: number;
}

const READ_KINDS = { limit: COUNT } satisfies OptionKinds<ReadJsonOptions>;

/**
 * Reads and checks a body of JSON in UTF-8. Refuses another content type with 415, a body over the limit with 413, and
 * one that is not JSON, or that the schema refuses, with 400; that answer names each place by a JSON Pointer. The
 * errors of the route are JSON (RFC 9457).
 */
export function readJson<Output>(
  schema: StandardSchema<unknown, Output>,
  options: ReadJsonOptions = {},
): Middleware<unknown, JsonContext<Output>> {
  checkOptions('readJson', options, READ_KINDS);
  if (!SCHEMA.accepts(schema)) {
    throw new TypeError(
      `Cannot read JSON by ${describeValue(schema)}: pass a Standard Schema, as Zod and Valibot make them.`,
    );
  }
  return describeMiddleware(
    async function readJson(context, next) {
      const { request } = context;
      const type = request.headers['content-type'];
      if (!isJsonType(type)) throw notA('application/json in UTF-8', type);
      requireUncompressed(request);
      const body = await readBody(request, options.limit ?? formLimitSlot.of(request));
      return next({ ...context, json: await parse(body, schema) });
    },
    { needs: [], adds: ['json'], json: 'always' },
  );
}

async function parse<Output>(
  body: Uint8Array,
  schema: StandardSchema<unknown, Output>,
): Promise<Output> {
  const { value, flaw } = parseJson(body);
  if (flaw !== null) throw new JsonRefused(({ words }) => words.noJson(MAX_DEPTH));
  const result = await askSchema(schema, value);
  if (result.issues === undefined) return result.value;
  const errors = result.issues.map(toJsonFlaw);
  throw new JsonRefused(({ words }) => words.wrongJson(errors[0]?.pointer ?? '#'), errors);
}
