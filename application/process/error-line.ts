/**
 * A line of JSON for standard error: everything but the request log and the first line goes there.
 * Strangers write parts of it. JSON escapes none of the control characters above U+007F, and has no
 * bound, so both are done here.
 */
import cluster from 'node:cluster';
import { createLineWriter, type LineWriter } from 'seeother/node';

export interface ErrorEntry {
  readonly message: string;
  readonly error?: unknown;
  /** The process that it is about. */
  readonly worker?: number | undefined;
}

/** Standard error, which tells when lines of its own were lost. */
export function openErrorLog(): LineWriter {
  const errors: LineWriter = createLineWriter(2, {
    onDropped: (count) =>
      errors.write(toErrorLine({ message: `${count} lines of the error log were dropped.` })),
  });
  return errors;
}

/** Characters of one text in a line. */
const LONGEST = 8_192;
/** Controls and what is not seen: such as C1, marks that turn the direction of text, U+2028. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** With the time, the stack of the error, and which process it was when there are several. */
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
  return typeof value === 'string' && value.length > LONGEST
    ? `${value.slice(0, LONGEST)}…`
    : value;
}

/** Each half of a surrogate pair by itself, as JSON has it. */
function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
