/** Runs send-at-rate.c, the open-loop client, on a CPU of its own, and reads its records. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { requireProgram } from '../deploy/find-program.ts';

export const CLIENT_CPU = 1;

/** What a request does: read the list, or create an item. Health checks are asked beside them. */
export type Load = 'list' | 'create';

export interface Sent {
  readonly kind: 'load' | 'healthz' | 'readyz';
  /** Milliseconds after its time, or null if it was not sent. */
  readonly sentAfter: number | null;
  /** 0 without an answer. */
  readonly status: number;
  /** Milliseconds from its time to the end of its answer. */
  readonly answeredAfter: number;
  readonly hasRetryAfter: boolean;
  /** The item that Location names; 0 without one. */
  readonly item: number;
}

const KINDS = ['load', 'healthz', 'readyz'] as const;
const LENGTH = 24;

/** Compiles the client into this file. */
export function compileClient(program: string): void {
  const source = join(import.meta.dirname, 'send-at-rate.c');
  const words = ['-O2', '-o', program, source];
  const { status, stderr } = spawnSync(requireProgram('gcc'), words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Cannot compile ${source}: ${stderr}`);
}

export interface Target {
  readonly url: string;
  /** For the health checks: the service itself, if `url` is of a proxy. */
  readonly healthUrl?: string;
  /** The Cookie header. */
  readonly cookie: string;
}

export interface Schedule {
  readonly load: Load;
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
  /** The number of the first form; the next ones count on. */
  readonly first: number;
}

/** The requests of the load in the order of their times, and then the health checks. */
export async function sendAtRate(
  program: string,
  { url, healthUrl = url, cookie }: Target,
  { load, rate, seconds, first }: Schedule,
): Promise<readonly Sent[]> {
  const ports = [new URL(url).port, new URL(healthUrl).port];
  const words = [...ports, load, cookie, rate, seconds, first].map(String);
  const pinned = ['-c', String(CLIENT_CPU), program, ...words];
  const client = spawn(requireProgram('taskset'), pinned, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(client, 'close');
  const bytes = await buffer(client.stdout);
  const [code] = await ended;
  if (code !== 0) throw new Error(`Cannot send requests: the client ended with ${code}.`);
  return Array.from({ length: bytes.length / LENGTH }, (_, at) => readRecord(bytes, at * LENGTH));
}

function readRecord(bytes: Buffer, at: number): Sent {
  const sentAfter = bytes.readInt32LE(at + 4);
  return {
    kind: KINDS[bytes.readUInt32LE(at)] ?? 'load',
    sentAfter: sentAfter < 0 ? null : sentAfter / 1_000,
    status: bytes.readUInt32LE(at + 8),
    answeredAfter: bytes.readInt32LE(at + 12) / 1_000,
    hasRetryAfter: bytes.readUInt32LE(at + 16) === 1,
    item: bytes.readUInt32LE(at + 20),
  };
}
