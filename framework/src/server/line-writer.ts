/**
 * Node's `process.stdout` blocks the process while a pipe is full. So lines are written asynchronously, one
 * write at a time: at the end of a turn of the event loop, or every 10 ms under load, in pieces that a pipe
 * accepts atomically, so that processes that share it do not mix their lines. If the reader has gone away, all
 * lines are dropped.
 */
import { fstatSync, write, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { COUNT, checkOptions, FUNCTION, type OptionKinds } from '../http/check-options.ts';

/** Writes lines, such as those of `logRequests`, without blocking the process. */
export interface LineWriter {
  readonly write: (line: string) => void;
  /** Writes the remaining lines, and waits for a slow reader for at most `milliseconds`. */
  readonly close: (milliseconds: number) => Promise<void>;
}

export interface LineWriterOptions {
  /** Characters buffered for a stalled reader; 1,048,576 by default. */
  readonly limit?: number;
  /** Called with the number of dropped lines when lines can be written again. */
  readonly onDropped?: (count: number) => void;
}

const WRITER_KINDS: OptionKinds<LineWriterOptions> = { limit: COUNT, onDropped: FUNCTION };

const RETRY_AFTER = 50;
/** Milliseconds between two writes: a write costs as much as a hundred lines. */
const PAUSE = 10;
/** Bytes that a pipe accepts atomically: POSIX guarantees 512, Linux provides 4,096, macOS 512. */
const WHOLE_IN_PIPE = process.platform === 'linux' ? 4_096 : 512;
/** A file accepts every write completely. */
const WHOLE_IN_FILE = 65_536;

/**
 * Writes to a file descriptor, such as 1 for standard output. Lines leave in batches, and whole. If the
 * reader stalls, lines beyond `limit` are dropped and counted.
 */
export function createLineWriter(descriptor: number, options: LineWriterOptions = {}): LineWriter {
  checkOptions('createLineWriter', options, WRITER_KINDS);
  const { limit = 1_048_576, onDropped } = options;
  const { whole, send } = openDescriptor(descriptor);
  /** Complete pieces, and the one being filled. */
  const full: string[] = [];
  let piece = '';
  let bytes = 0;
  /** Characters that have not been written yet. */
  let size = 0;
  let dropped = 0;
  let busy = false;
  let waking = false;
  let idle: (() => void) | null = null;

  const take = (): string => {
    const oldest = full.shift();
    if (oldest !== undefined) return oldest;
    const last = piece;
    piece = '';
    bytes = 0;
    return last;
  };
  const flush = () => {
    const taken = take();
    size -= taken.length;
    busy = true;
    if (!waking) {
      waking = true;
      setTimeout(wake, PAUSE);
    }
    send(Buffer.from(taken), finish);
  };
  const wake = () => {
    waking = false;
    if (!busy && size > 0) flush();
  };
  const finish = (arrived: boolean) => {
    busy = false;
    if (arrived && dropped > 0) {
      onDropped?.(dropped);
      dropped = 0;
    }
    if (size === 0) idle?.();
    else if (full.length > 0 || !waking || idle !== null) flush();
  };

  return {
    write(line) {
      if (size + line.length > limit) {
        dropped++;
        return;
      }
      const length = Buffer.byteLength(line) + 1;
      // A line longer than a piece is written alone.
      if (bytes + length > whole && bytes > 0) {
        full.push(piece);
        piece = '';
        bytes = 0;
      }
      piece += `${line}\n`;
      bytes += length;
      size += line.length + 1;
      if (busy || waking) return;
      waking = true;
      setImmediate(wake);
    },
    async close(milliseconds) {
      if (!busy && size > 0) flush();
      if (!busy) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      idle = resolve;
      const timer = setTimeout(resolve, milliseconds);
      await promise;
      clearTimeout(timer);
    },
  };
}

/** Writes bytes, and reports once whether all were accepted. */
type Send = (bytes: Uint8Array, done: (arrived: boolean) => void) => void;

interface Destination {
  /** Bytes that it accepts atomically. */
  readonly whole: number;
  readonly send: Send;
}

function openDescriptor(descriptor: number): Destination {
  const kind = fstatSync(descriptor);
  return kind.isFIFO() || kind.isSocket()
    ? { whole: WHOLE_IN_PIPE, send: sendToPipe(descriptor) }
    : { whole: WHOLE_IN_FILE, send: sendToFile(descriptor) };
}

/** Does not use a thread: a thread blocked by a full pipe would keep the process from ending. */
function sendToPipe(descriptor: number): Send {
  const pipe = new Socket({ fd: descriptor, readable: false, writable: true });
  // Reports the error to the write that failed.
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

/** Writes a last line synchronously, for a process that is about to end. */
export function writeLastLine(descriptor: number, line: string): void {
  try {
    writeSync(descriptor, `${line}\n`);
  } catch {
    // The reader is gone, so the error cannot be reported.
  }
}
