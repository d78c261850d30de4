/**
 * Sends one large file, and watches the memory of the process that receives it: it must not grow with the file.
 * Linux only, where the kernel tells the largest memory of a process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const MEBIBYTE = 1_048_576;
/** MiB. */
const MAX_GROWTH = 64;

export interface LargeUploadReport {
  /** MiB that arrived, and by which the memory grew at most. */
  readonly size: number;
  readonly growth: number;
  readonly lost: number;
  /** By which it has grown too much. */
  readonly excess: number;
}

export async function sendLargeFile(mebibytes: number): Promise<LargeUploadReport> {
  const folder = mkdtempSync(join(tmpdir(), 'large-upload-'));
  const server = spawn(process.execPath, [join(import.meta.dirname, 'upload-server.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(server.stdout, 'data');
    const url = String(line).trim();
    // The first form loads what every form needs.
    await send(url, 8);
    const before = peakOf(server);
    const size = await send(url, mebibytes);
    const growth = Math.round((peakOf(server) - before) / 1_024);
    return { size, growth, lost: mebibytes - size, excess: Math.max(0, growth - MAX_GROWTH) };
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

/** The MiB that the server says it has kept. */
async function send(url: string, mebibytes: number): Promise<number> {
  const head =
    '--limit\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\nContent-Type: application/octet-stream\r\n\r\n';
  const end = '\r\n--limit--\r\n';
  const outgoing = request(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'multipart/form-data; boundary=limit',
      'Content-Length': head.length + mebibytes * MEBIBYTE + end.length,
    },
  });
  const answered = once(outgoing, 'response');
  const piece = Buffer.alloc(MEBIBYTE, 'seeother');
  const body = function* () {
    yield head;
    for (let count = 0; count < mebibytes; count++) yield piece;
    yield end;
  };
  await pipeline(Readable.from(body(), { objectMode: false }), outgoing);
  const [answer] = await answered;
  answer.resume();
  const { location = '' } = answer.headers;
  return Number(/^\/(\d+)\//.exec(location)?.[1] ?? 0) / MEBIBYTE;
}

/** The largest resident memory so far, in KiB. */
function peakOf({ pid }: ChildProcess): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
