/**
 * What the error log says of an error, and where it goes unless the site is told otherwise: standard error.
 * It is for a person, on several lines. Those after the first are indented, so text of a client cannot pass
 * for a line of its own.
 */
import { inspect } from 'node:util';

/** A line of the error log. It has `error` only for a status of 500 or above. */
export interface ErrorReport {
  readonly id: string;
  readonly status: number;
  readonly method: string;
  /** The first 2,048 characters. */
  readonly path: string;
  /** The IP address of the client. */
  readonly address: string;
  readonly route: string | null;
  readonly message: string;
  /** Of a request that `observe` traces. */
  readonly traceId?: string;
  readonly error?: Error;
}

/** An unexpected error with its stack; a refusal on one line. */
export function writeError({ id, status, method, path, route, message, error }: ErrorReport): void {
  const what = `[${new Date().toISOString()}] ${status} ${method} ${path}`;
  const text =
    error === undefined
      ? `${what}: ${message}`
      : `${what} (${route ?? 'no route'}, reference ${id})\n${inspect(error)}`;
  writeErrorText(text);
}

/** What no request has caused, with the error and its stack. */
export function writeReport({
  message,
  error,
}: {
  readonly message: string;
  readonly error?: unknown;
}): void {
  const cause = error === undefined ? '' : `\n${inspect(error)}`;
  writeErrorText(`[${new Date().toISOString()}] ${message}${cause}`);
}

/** One entry of the error log, of a line or more. */
export function writeErrorText(text: string): void {
  // biome-ignore lint/suspicious/noConsole: the only access to standard error that all hosts have
  console.error(text.replaceAll('\n', '\n    ').replace(UNSEEN, toEscape));
}

/** Control and invisible characters, which a terminal may act on. */
const UNSEEN = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/gu;

function toEscape(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
