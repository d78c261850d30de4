/**
 * The resources that a process has used, all threads together, from /proc (Linux only). CPU time
 * measures the cost of a request independently of other load; throughput does not.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Microseconds of CPU, in user and kernel mode. Threads that have ended meanwhile are left out. */
export function readCpuTime(pid: number): number {
  const folder = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(folder)
    .map((thread) => readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0])
    .reduce((sum, time) => sum + Number(time), 0);
  return nanoseconds / 1_000;
}

/** Bytes of memory that are resident. */
export function readMemory(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1_024;
}
