/**
 * Writes lines to a file descriptor without ever stopping the service: Node's own `process.stdout`
 * blocks the whole process while a pipe is full. Lines of one turn of the event loop leave together,
 * in pieces that a pipe takes whole, so that processes that share it do not mix their lines. One
 * write is under way at a time. When the reader stalls, lines are kept up to a bound and then
 * dropped, and counted; when it has gone away, all are dropped.
 */
import { fstatSync, write, writeSync } from 'node:fs';
import { Socket } from 'node:net';

export interface LineWriter {
  readonly write: (line: string) => void;
  /** Writes what is left, waiting for a slow reader as long as `milliseconds`. */
  readonly close: (milliseconds: number) => Promise<void>;
}

export interface LineWriterOptions {
  /** Characters kept for a reader that stalls; 1,048,576 unless said otherwise. */
  readonly limit?: number;
  /** Told how many lines were dropped, once lines can be written again. */
  readonly onDropped?: (count: number) => void;
}

const RETRY_AFTER = 50;
/** Bytes that a pipe takes whole or not at all: POSIX promises 512, Linux and macOS keep 4,096 and 512. */
const WHOLE = process.platform === 'linux' ? 4_096 : 512;

export function createLineWriter(descriptor: number, options: LineWriterOptions = {}): LineWriter {
  const { limit = 1_048_576, onDropped } = options;
  const waiting: string[] = [];
  let size = 0;
  let dropped = 0;
  let busy = false;
  let idle: (() => void) | null = null;

  const send = openDescriptor(descriptor);
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
    const count = countWhole(waiting);
    const piece = waiting.splice(0, count).join('\n');
    size -= piece.length + 1;
    busy = true;
    send(Buffer.from(`${piece}\n`), finish);
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

/** How many of the lines a pipe takes whole; a line that is longer goes alone. */
function countWhole(lines: readonly string[]): number {
  let bytes = 0;
  const beyond = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > WHOLE;
  });
  return beyond === -1 ? lines.length : Math.max(1, beyond);
}

/** Sends bytes, and tells once whether all of them have been taken. */
type Send = (bytes: Uint8Array, done: (arrived: boolean) => void) => void;

function openDescriptor(descriptor: number): Send {
  const kind = fstatSync(descriptor);
  return kind.isFIFO() || kind.isSocket() ? sendToPipe(descriptor) : sendToFile(descriptor);
}

/** Without a thread: one that is stuck in a full pipe would keep the process from ending. */
function sendToPipe(descriptor: number): Send {
  const pipe = new Socket({ fd: descriptor, readable: false, writable: true });
  // The write that failed is told of it.
  pipe.on('error', () => {});
  return (bytes, done) => {
    pipe.write(bytes, (error) => done(error === null || error === undefined));
  };
}

function sendToFile(descriptor: number): Send {
  return function send(bytes, done) {
    write(descriptor, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(send, RETRY_AFTER, bytes, done).unref();
      else if (error === null && written < bytes.length) send(bytes.subarray(written), done);
      else done(error === null);
    });
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
