/**
 * Where a site writes unless it is told otherwise: requests to standard output, errors to standard error.
 * An error is for a person, on several lines. Those after the first are indented, so text of a client
 * cannot pass for a line of its own.
 */
import { inspect } from 'node:util';
import type { ErrorReport } from '../middleware/catch-errors.ts';
import { createLineWriter, type LineWriter } from '../server/line-writer.ts';

let requests: LineWriter | null = null;

/** To standard output, which never blocks the process. */
export function writeRequest(line: string): void {
  requests ??= createLineWriter(1);
  requests.write(line);
}

/** An unexpected error with its stack; a refusal on one line. */
export function writeError({ id, status, method, path, route, message, error }: ErrorReport): void {
  const what = `[${new Date().toISOString()}] ${status} ${method} ${path}`;
  const text =
    error === undefined
      ? `${what}: ${message}`
      : `${what} (${route ?? 'no route'}, reference ${id})\n${inspect(error)}`;
  // biome-ignore lint/suspicious/noConsole: the only access to standard error that all hosts have
  console.error(text.replaceAll('\n', '\n    ').replace(UNSEEN, toEscape));
}

/** Control and invisible characters, which a terminal may act on. */
const UNSEEN = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/gu;

function toEscape(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
