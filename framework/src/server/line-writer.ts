/**
 * Writes lines to a file descriptor without ever stopping the service: Node's own `process.stdout`
 * blocks the whole process while a pipe is full. A line leaves with the others of its turn of the
 * event loop; under load, with those of a hundredth of a second. They go in pieces that a pipe takes
 * whole, so that processes that share it do not mix their lines. One write is under way at a time.
 * When the reader stalls, lines are kept up to a bound and then dropped, and counted; when it has gone
 * away, all are dropped.
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
/** Milliseconds from one write to the next: a write costs as much as a hundred lines. */
const PAUSE = 10;
/** Bytes that a pipe takes whole or not at all: POSIX promises 512, Linux and macOS keep 4,096 and 512. */
const WHOLE_IN_PIPE = process.platform === 'linux' ? 4_096 : 512;
/** A file takes every write whole. */
const WHOLE_IN_FILE = 65_536;

export function createLineWriter(descriptor: number, options: LineWriterOptions = {}): LineWriter {
  const { limit = 1_048_576, onDropped } = options;
  const { whole, send } = openDescriptor(descriptor);
  /** Pieces that are full, and the one that is being filled. */
  const full: string[] = [];
  let piece = '';
  let bytes = 0;
  /** Characters that have not been handed over. */
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
      // A line that is longer than a piece goes alone.
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

/** Sends bytes, and tells once whether all of them have been taken. */
type Send = (bytes: Uint8Array, done: (arrived: boolean) => void) => void;

interface Destination {
  /** Bytes that it takes whole. */
  readonly whole: number;
  readonly send: Send;
}

function openDescriptor(descriptor: number): Destination {
  const kind = fstatSync(descriptor);
  return kind.isFIFO() || kind.isSocket()
    ? { whole: WHOLE_IN_PIPE, send: sendToPipe(descriptor) }
    : { whole: WHOLE_IN_FILE, send: sendToFile(descriptor) };
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
