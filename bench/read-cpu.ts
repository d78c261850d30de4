/** The CPU time of this process with its threads, and of PostgreSQL's processes that work for it; only on Linux. */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Database } from '../application/database/kysely.ts';

export async function serversOf({ engine, read }: Database): Promise<readonly number[]> {
  if (engine !== 'postgres') return [];
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'`.execute(read);
  return rows.map(({ pid }) => pid);
}

/** In milliseconds. A server that has ended meanwhile is left out. */
export function readCpu(servers: readonly number[]): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3 + servers.reduce((sum, pid) => sum + cpuOf(pid), 0);
}

function cpuOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}
