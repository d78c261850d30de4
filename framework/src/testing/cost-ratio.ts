/** Compares the CPU time of two functions, on a machine that does other things too. */

/**
 * Measurements until a cost counts as too high: on a busy machine, one or two may be too high by chance.
 */
const MEASUREMENTS = 4;

/**
 * The ratio of the CPU times of two functions: the first measurement below the limit, or the lowest. A
 * time below `least` milliseconds is mostly noise and counts as `least`.
 */
export async function costRatio(
  limit: number,
  least: number,
  one: () => unknown,
  other: () => unknown,
): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let count = 0; count < MEASUREMENTS && lowest >= limit; count++) {
    const base = Math.max(await leastCost(20, one), least);
    lowest = Math.min(lowest, (await leastCost(5, other)) / base);
  }
  return lowest;
}

/** The lowest CPU time of several runs, in milliseconds. */
async function leastCost(runs: number, work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}
