/**
 * One figure: a fresh process, an answer that is looked at, a warm-up, and then the load that
 * counts.
 */
import { generateLoad, type LoadReport } from './generate-load.ts';
import { readCpuTime } from './process-figures.ts';
import type { RunningServer } from './start-server.ts';
import { type Answer, visit } from './visit.ts';
import type { Work } from './works.ts';

export interface Sample {
  /** Microseconds of CPU that a request takes the server, all of its threads together. */
  readonly cpu: number;
  /** Requests a second. */
  readonly throughput: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface Durations {
  /** Whole seconds. */
  readonly warmUp: number;
  readonly seconds: number;
}

/** `reference` is the yardstick's answer; null for the yardstick itself, which need not do the same. */
export async function measure(
  work: Work,
  server: RunningServer,
  { warmUp, seconds }: Durations,
  reference: Answer | null,
): Promise<{ readonly sample: Sample; readonly answer: Answer }> {
  const request = await work.prepare(server);
  const answer = await visit(server.url, request);
  if (reference !== null) work.check(answer, reference);
  await generateLoad(server.url, request, warmUp);
  const before = readCpuTime(server.pid);
  const report = await generateLoad(server.url, request, seconds);
  const cpu = (readCpuTime(server.pid) - before) / report.requests;
  return { answer, sample: { ...toFigures(report), cpu } };
}

function toFigures({ requests, seconds, p50, p99 }: LoadReport): Omit<Sample, 'cpu'> {
  return { throughput: requests / seconds, p50, p99 };
}
