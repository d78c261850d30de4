/**
 * A line of JSON for standard error, which has everything except the request log and the start line.
 * Parts of it come from clients. JSON neither escapes control characters above U+007F nor limits
 * lengths, so this code does both.
 */
import cluster from 'node:cluster';
import { createLineWriter, type LineWriter } from 'seeother/node';

export interface ErrorEntry {
  readonly message: string;
  readonly error?: unknown;
  /** The process that the line is about. */
  readonly worker?: number | undefined;
}

/** Standard error; it reports when lines were dropped. */
export function openErrorLog(): LineWriter {
  const errors: LineWriter = createLineWriter(2, {
    onDropped: (count) =>
      errors.write(toErrorLine({ message: `${count} lines of the error log were dropped.` })),
  });
  return errors;
}

export function openRequestLog(errors: LineWriter): LineWriter {
  return createLineWriter(1, {
    onDropped: (count) =>
      errors.write(toErrorLine({ message: `${count} lines of the request log were dropped.` })),
  });
}

/** Maximum characters of one text in a line. */
const MAX_LENGTH = 8_192;
/** Control and invisible characters: such as C1, bidirectional marks, U+2028. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** With the time, the error's stack, and the process if there are several. */
export function toErrorLine({ error, ...entry }: ErrorEntry): string {
  const stack =
    error instanceof Error ? { stack: error.stack, cause: error.cause && String(error.cause) } : {};
  const origin = cluster.isWorker ? { worker: process.pid } : {};
  return toLine({ ...origin, ...entry, ...stack });
}

/** With the time. */
export function toLine(entry: object): string {
  const line = JSON.stringify({ time: new Date().toISOString(), ...entry }, cut);
  return line.replaceAll(UNSEEN, escapeUnits);
}

function cut(_name: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > MAX_LENGTH
    ? `${value.slice(0, MAX_LENGTH)}…`
    : value;
}

/** Each surrogate separately, as in JSON. */
function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
