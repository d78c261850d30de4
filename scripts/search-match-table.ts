/**
 * Searches for a route table and a path on which the compiled match table differs from the plain walk:
 *
 *   npm run search -- 10000000 1
 *
 * compares 10,000,000 pairs with the seed 1. The same seed gives the same pairs.
 */
import {
  compareOn,
  type Difference,
  randomPath,
  randomTable,
} from '../framework/src/testing/random-routes.ts';

const PATHS = 50;
const PROGRESS = 1_000_000;

/** An integer from 0 up to `below`, exclusive; the same sequence for the same seed (mulberry32). */
function createChoose(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Removes routes and segments that the difference does not need. */
function shrink(difference: Difference, entries: ReturnType<typeof randomTable>): Difference {
  for (const left of entries) {
    const fewer = entries.filter((entry) => entry !== left);
    const still = compareOn(fewer, [difference.path]).difference;
    if (still !== null) return shrink(still, fewer);
  }
  return difference;
}

function search(count: number, seed: number): number {
  const choose = createChoose(seed);
  const started = performance.now();
  let compared = 0;
  let found = 0;
  while (compared < count) {
    const entries = randomTable(choose);
    const paths = Array.from({ length: PATHS }, () => randomPath(choose));
    const { difference, matched } = compareOn(entries, paths);
    if (difference !== null) {
      const smallest = JSON.stringify(shrink(difference, entries), null, 2);
      process.stderr.write(`Seed ${seed}, after ${compared} pairs, they differ:\n${smallest}\n`);
      return 1;
    }
    compared += PATHS;
    found += matched;
    if (compared % PROGRESS < PATHS || compared >= count) {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const share = Math.round((100 * found) / compared);
      process.stdout.write(
        `${compared} pairs in ${seconds} s, no difference; ${share}% of the paths had a route\n`,
      );
    }
  }
  return 0;
}

const [count, seed] = [process.argv[2] ?? '10000000', process.argv[3] ?? '1'].map(Number);
if (!Number.isSafeInteger(count) || !Number.isSafeInteger(seed) || Number(count) < 1) {
  process.stderr.write('Usage: npm run search -- <how many pairs> <seed>, both whole numbers\n');
  process.exitCode = 2;
} else process.exitCode = search(Number(count), Number(seed));
