/** Answers for programs: JSON (RFC 8259), and errors as problem details (RFC 9457). */
import type { Advice } from './advice.ts';
import { describeValue } from './check-options.ts';
import { HttpError } from './http-error.ts';
import type { Response, ResponseHeaders } from './response.ts';

/** The result of `json`. It may answer a form or another POST, because no browser shows it as a page. */
export interface JsonAnswer<Status extends number = number> extends Response<Status> {
  readonly headers: ResponseHeaders & { readonly 'Content-Type': 'application/json' };
  readonly body: string;
}

/** `T` itself, with a sentence where JSON would lose a value or has none. What may be a bigint can be another value. */
export type Jsonable<T> = [T] extends [bigint]
  ? Advice<'JSON has no bigint: pass Number(…) or String(…)'>
  : T extends string | number | bigint | boolean | null | undefined | ArrayBufferView
    ? T
    : T extends { toJSON(): unknown }
      ? T
      : T extends PromiseLike<unknown>
        ? Advice<'Await the promise: JSON of it is {}'>
        : T extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
          ? Advice<'JSON of a Map or a Set is {}: pass Object.fromEntries(map), or a list'>
          : T extends (...given: never) => unknown
            ? T
            : T extends object
              ? { readonly [Name in keyof T]: Jsonable<T[Name]> }
              : T;

/** Frozen, so that the checks of outgoing headers are cached. */
export const JSON_HEADERS: JsonAnswer['headers'] = Object.freeze({
  'Content-Type': 'application/json',
} as const);

/**
 * The value as JSON; 200 by default. A date is written in UTC, as `2026-11-20T18:02:11.123Z`; fields that are undefined
 * are left out.
 */
export function json<T>(value: T & Jsonable<T>): JsonAnswer<200>;
export function json<T, Status extends number>(
  value: T & Jsonable<T>,
  status: Status,
): JsonAnswer<NoInfer<Status>>;
export function json(value: unknown, status = 200): JsonAnswer {
  const isLost = value instanceof Promise || value instanceof Map || value instanceof Set;
  const body = isLost ? undefined : JSON.stringify(value);
  if (body !== undefined) return { status, headers: JSON_HEADERS, body };
  throw new TypeError(
    `Cannot write ${describeValue(value)} as JSON: await a promise, pass Object.fromEntries(map) of a Map, and null for nothing.`,
  );
}

/** What is wrong with one place of a value. */
export interface JsonFlaw {
  readonly detail: string;
  /** The place, as a fragment with a JSON Pointer (RFC 6901 section 6), such as `#/lines/0/name`. */
  readonly pointer: string;
}

/** A body of JSON that is not what the address expects. */
export class JsonRefused extends HttpError {
  readonly errors: readonly JsonFlaw[];

  constructor(text: ConstructorParameters<typeof HttpError>[1], errors: readonly JsonFlaw[] = []) {
    super(400, text);
    this.errors = errors;
  }
}

/** The members of problem details. */
export interface Problem {
  readonly status: number;
  readonly detail: string;
  /** `urn:uuid:…`, with the reference of the error in the log. */
  readonly instance?: string;
  readonly errors?: readonly JsonFlaw[];
}

/** An error for a program (RFC 9457). */
export function problem(content: Problem): Response {
  const headers = { 'Content-Type': 'application/problem+json' };
  return { status: content.status, headers, body: JSON.stringify(content) };
}
