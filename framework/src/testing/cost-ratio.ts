/** Compares the CPU time of a function with two inputs, on a machine that does other things too. */
import assert from 'node:assert/strict';

/**
 * Measurements until a cost counts as too high: on a busy machine, one or two may be too high by chance.
 */
const MEASUREMENTS = 4;

/**
 * Fails if the work with `second` takes at least `limit` times the CPU of that with `first`. A time below
 * `least` milliseconds is mostly noise and counts as `least`.
 */
export async function assertCost<Input>(
  limit: number,
  least: number,
  work: (input: Input) => unknown,
  first: Input,
  second: Input,
  what = 'it',
): Promise<void> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let count = 0; count < MEASUREMENTS && lowest >= limit; count++) {
    const base = Math.max(await leastCost(20, () => work(first)), least);
    lowest = Math.min(lowest, (await leastCost(5, () => work(second))) / base);
  }
  assert.ok(lowest < limit, `${what} takes ${lowest} times as much`);
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
