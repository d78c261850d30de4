/**
 * Writes lines to a file descriptor without ever stopping the service: Node's own `process.stdout`
 * blocks the whole process while a pipe is full. Lines of one turn of the event loop leave in one
 * write; one write is under way at a time, on a thread of its own. When the reader stalls, lines are
 * kept up to a bound and then dropped, and counted; when it has gone away, all are dropped.
 */
import { write, writeSync } from 'node:fs';

export interface LineWriter {
  readonly write: (line: string) => void;
  /** Writes what is left, waiting for a slow reader as long as `milliseconds`. */
  readonly close: (milliseconds: number) => Promise<void>;
}

export interface LineWriterOptions {
  /** Bytes kept for a reader that stalls; 1 MiB unless said otherwise. */
  readonly limit?: number;
  /** Told how many lines were dropped, once lines can be written again. */
  readonly onDropped?: (count: number) => void;
}

const RETRY_AFTER = 50;

export function createLineWriter(descriptor: number, options: LineWriterOptions = {}): LineWriter {
  const { limit = 1_048_576, onDropped } = options;
  let waiting: string[] = [];
  let size = 0;
  let dropped = 0;
  let busy = false;
  let idle: (() => void) | null = null;

  const send = (bytes: Uint8Array) => {
    write(descriptor, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(send, RETRY_AFTER, bytes).unref();
      else if (error === null && written < bytes.length) send(bytes.subarray(written));
      else finish(error === null);
    });
  };
  const finish = (arrived: boolean) => {
    busy = false;
    if (arrived && dropped > 0) {
      onDropped?.(dropped);
      dropped = 0;
    }
    if (waiting.length > 0) flush();
    else idle?.();
  };
  const flush = () => {
    const bytes = Buffer.from(`${waiting.join('\n')}\n`);
    waiting = [];
    size = 0;
    busy = true;
    send(bytes);
  };

  return {
    write(line) {
      if (size + line.length > limit) {
        dropped++;
        return;
      }
      if (waiting.push(line) === 1 && !busy)
        setImmediate(() => !busy && waiting.length > 0 && flush());
      size += line.length + 1;
    },
    async close(milliseconds) {
      if (!busy && waiting.length > 0) flush();
      if (!busy) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      idle = resolve;
      const timer = setTimeout(resolve, milliseconds);
      await promise;
      clearTimeout(timer);
    },
  };
}

/** Writes one last line at once, for a process that is about to end. */
export function writeLastLine(descriptor: number, line: string): void {
  try {
    writeSync(descriptor, `${line}\n`);
  } catch {
    // Nobody reads it any more; there is nowhere left to say so.
  }
}
