/** Generates load by wrk, on the second core. A connection sends its next request after the previous answer. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pinned } from './start-server.ts';

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  /** `{n}` in it counts up from 1. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Here too; empty for none. */
  readonly body: string;
}

export interface LoadReport {
  readonly requests: number;
  readonly seconds: number;
  /** Answers with a status of 400 and above. */
  readonly refused: number;
  /** Connections that broke or timed out. */
  readonly broken: number;
  /** Milliseconds that 99 answers in a hundred stay below. */
  readonly p99: number;
}

export const CONNECTIONS = 32;

/** Throws when an answer was not what was asked for: a figure of refusals is worth nothing. */
export async function generateLoad(
  url: string,
  request: LoadRequest,
  seconds: number,
): Promise<LoadReport> {
  const { method, path, headers, body } = request;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const [program = '', ...words] = pinned(1, [
    ...['wrk', '--threads', '1', '--connections', String(CONNECTIONS), '--timeout', '10s'],
    ...['--duration', `${seconds}s`, '--script', join(import.meta.dirname, 'load.lua')],
    ...[url, '--', method, path, body, ...lines],
  ]);
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = await text(child.stdout);
  const report = JSON.parse(output.trim().split('\n').at(-1) ?? '') as LoadReport;
  if (report.requests === 0 || report.refused > 0 || report.broken > 0) {
    throw new Error(`Cannot take the figures of ${method} ${path}: ${JSON.stringify(report)}`);
  }
  return report;
}
